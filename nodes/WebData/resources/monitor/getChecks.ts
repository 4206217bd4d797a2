import type { INodeProperties } from 'n8n-workflow';

import { returnAllOrLimit } from '../../fields/basic/list';
import type { ListOperation } from '../../operation/operation';
import { dataList, monitorId, pagedByOffset } from './monitorItem';

const status: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: [
		{ name: 'All', value: '' },
		{ name: 'Completed', value: 'completed' },
		{ name: 'Failed', value: 'failed' },
		{ name: 'Partial', value: 'partial', description: 'Some pages failed' },
		{ name: 'Queued', value: 'queued' },
		{ name: 'Running', value: 'running' },
		{ name: 'Skipped', value: 'skipped_overlap', description: 'The check before still ran' },
	],
	default: '',
	description: 'Which checks to list, by how they ended',
	routing: { send: { type: 'query', property: 'status' } },
};

export const getChecks: ListOperation = {
	kind: 'list',
	value: 'getChecks',
	name: 'Get Checks',
	action: 'Get many monitor checks',
	description: 'The checks that a monitor has done, newest first, one item each',
	unit: 'check',
	request: { method: 'GET', path: '/v2/monitor/{monitorId}/checks', bucket: 'crawlStatus' },
	readList: dataList,
	paging: pagedByOffset,
	fields: [monitorId, status, ...returnAllOrLimit],
};
