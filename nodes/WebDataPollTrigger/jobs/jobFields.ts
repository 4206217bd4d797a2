import type { INodeProperties } from 'n8n-workflow';

import { byEndpoint } from './jobEnd';
import { choiceField, textField } from '../../WebData/fields/field';

const which: INodeProperties = choiceField(
	'which',
	'Jobs',
	'feed',
	'Whose end starts the workflow',
	[
		['All of the Account', 'feed', 'Every job of this API key’s account'],
		['List of IDs', 'ids', 'Jobs whose IDs you have'],
	],
	{ send: false },
);

const kinds: INodeProperties = {
	displayName: 'Kinds',
	name: 'kinds',
	type: 'multiOptions',
	options: [...byEndpoint].map(([value, { name }]) => ({ name, value })),
	default: [],
	description: 'Which kinds of jobs count. Without this option: all.',
	displayOptions: { show: { which: ['feed'] } },
};

const kind: INodeProperties = {
	displayName: 'Kind',
	name: 'kind',
	type: 'options',
	options: [...byEndpoint].map(([value, { name }]) => ({ name, value })),
	default: 'crawl',
	description: 'What kind of jobs they are',
	displayOptions: { show: { which: ['ids'] } },
};

const ids: INodeProperties = textField(
	'ids',
	'Job IDs',
	'',
	'One ID per line, at most 100. Each starts the workflow once, when its job has ended.',
	{
		typeOptions: { rows: 3 },
		required: true,
		displayOptions: { show: { which: ['ids'] } },
		send: false,
	},
);

const output: INodeProperties = choiceField(
	'output',
	'Output',
	'job',
	'What to return for each job',
	[
		['Job', 'job', 'ID, kind, status, and what it was started with'],
		['Result', 'result', 'As Get returns it; a failed job as Job'],
	],
	{ send: false },
);

/** The fields of Job Finished. */
export const jobFields: INodeProperties[] = [which, kinds, kind, ids, output];
