import type { INodeProperties } from 'n8n-workflow';

import { byEndpoint } from './jobEnd';

const which: INodeProperties = {
	displayName: 'Jobs',
	name: 'which',
	type: 'options',
	options: [
		{
			name: 'All of the Account',
			value: 'feed',
			description: 'Every job of this API key’s account',
		},
		{ name: 'List of IDs', value: 'ids', description: 'Jobs whose IDs you have' },
	],
	default: 'feed',
	description: 'Whose end starts the workflow',
};

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

const ids: INodeProperties = {
	displayName: 'Job IDs',
	name: 'ids',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	required: true,
	description:
		'One ID per line, at most 100. Each starts the workflow once, when its job has ended.',
	displayOptions: { show: { which: ['ids'] } },
};

const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Job', value: 'job', description: 'ID, kind, status, and what it was started with' },
		{ name: 'Result', value: 'result', description: 'As Get returns it; a failed job as Job' },
	],
	default: 'job',
	description: 'What to return for each job',
};

/** The fields of Job Finished. */
export const jobFields: INodeProperties[] = [which, kinds, kind, ids, output];
