import type { INodeProperties } from 'n8n-workflow';

import { additionalFields } from '../../fields/basic/additionalFields';
import { optionList } from '../../fields/basic/optionList';
import type { CallOperation } from '../../operation/operation';
import { aboutMonitor, monitorId, monitorItems } from './monitorItem';
import { scheduleFields } from './settings/schedule';
import { goal, settings } from './settings/settings';
import { targetsField } from './settings/targets';

const changes: INodeProperties[] = [
	goal,
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		typeOptions: { maxLength: 256 },
		default: '',
		placeholder: 'e.g. Prices of competitors',
		description: 'New name of the monitor, at most 256 characters',
		routing: { send: { type: 'body', property: 'name' } },
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{ name: 'Active', value: 'active', description: 'Runs on its schedule' },
			{ name: 'Paused', value: 'paused', description: 'Does not run' },
		],
		default: 'active',
		description: 'Whether it runs on its schedule from now on',
		routing: { send: { type: 'body', property: 'status' } },
	},
];

export const update: CallOperation = {
	kind: 'call',
	value: 'update',
	name: 'Update',
	action: 'Update monitor, replacing given settings',
	description: 'Change, pause or resume a monitor. Fields that you leave out keep their value.',
	request: { method: 'PATCH', path: '/v2/monitor/{monitorId}', bucket: 'crawl' },
	toItems: monitorItems,
	about: aboutMonitor,
	fields: [
		monitorId,
		...scheduleFields(false),
		targetsField(false),
		optionList(...changes, ...settings, additionalFields),
	],
};
