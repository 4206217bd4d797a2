import type { INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import { createdMonitor } from '../../../service/jobs/jobKinds';
import { additionalFields } from '../../fields/basic/additionalFields';
import { optionList } from '../../fields/basic/optionList';
import type { CallOperation } from '../../operation/operation';
import { get } from './get';
import { monitorItems } from './monitorItem';
import { scheduleFields } from './settings/schedule';
import { goal, settings } from './settings/settings';
import { targetsField } from './settings/targets';

const name: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	typeOptions: { maxLength: 256 },
	default: '',
	required: true,
	placeholder: 'e.g. Prices of competitors',
	description: 'Name of the monitor, at most 256 characters',
	routing: { send: { type: 'body', property: 'name' } },
};

export const create: CallOperation = {
	kind: 'call',
	value: 'create',
	name: 'Create',
	action: 'Create monitor for pages or website',
	description: 'Watch pages, sites or searches on a schedule. Each check costs 1 credit a page.',
	request: { method: 'POST', path: '/v2/monitor', bucket: 'crawl' },
	toItems: monitorItems,
	usage: { unit: 'monitor', mayBeZero: true, read: () => ({ amount: 0, credits: undefined }) },
	recall: {
		idOf: ({ data }) => (isJsonObject(data) && typeof data.id === 'string' ? data.id : undefined),
		kind: createdMonitor,
		request: { ...get.request, path: '/v2/monitor/{id}' },
		collectWith: 'Monitor · Get',
	},
	fields: [
		name,
		targetsField(true),
		...scheduleFields(true),
		goal,
		optionList(...settings, additionalFields),
	],
};
