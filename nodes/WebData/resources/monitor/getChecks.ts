import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import { pagedByOffset } from '../../../service/results/listParts';
import { returnAllOrLimit } from '../../fields/basic/list';
import { choiceOf, minuteOf } from '../../operation/choice';
import type { ListOperation } from '../../operation/operation';
import { aboutMonitor, dataList, monitorId } from './monitorItem';

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

/** What a check found besides what is the same: `2 changed, 1 error`. */
function found(summary: IDataObject[string]): string {
	const counts = Object.entries(isJsonObject(summary) ? summary : {});
	return counts
		.filter(([name, count]) => !['totalPages', 'same'].includes(name) && count !== 0)
		.map(([name, count]) => `${String(count)} ${name}`)
		.join(', ');
}

export const getChecks: ListOperation = {
	kind: 'list',
	value: 'getChecks',
	name: 'Get Checks',
	action: 'Get many monitor checks',
	description: 'List the checks of a monitor, newest first, one item each',
	unit: 'check',
	request: { method: 'GET', path: '/v2/monitor/{monitorId}/checks', bucket: 'crawlStatus' },
	readList: dataList,
	paging: pagedByOffset,
	choices: {
		of: (check, timeZone) =>
			choiceOf(check, minuteOf(check.createdAt, timeZone), check.status, found(check.summary)),
	},
	about: aboutMonitor,
	fields: [monitorId, status, ...returnAllOrLimit],
};
