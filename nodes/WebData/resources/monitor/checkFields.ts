import type { INodeProperties } from 'n8n-workflow';

/** What a check puts out. The values are those of PageOutput in operation/operation.ts. */
export const checkOutput: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'One Item per Check',
			value: 'job',
			description: 'State and counts of the check, with its pages in one list',
		},
		{
			name: 'One Item per Page',
			value: 'pages',
			description: 'Each page: URL, whether it is new, changed or the same, and the difference',
		},
		{
			name: 'One Item per Page (Full Document)',
			value: 'fullPages',
			description: 'The same with all that the service tells of the page',
		},
		{
			name: 'Status Only',
			value: 'status',
			description: 'State and counts of the check, without its pages',
		},
	],
	default: 'pages',
	description: 'What each check puts out',
};

/** Which pages of a check come out. */
export const pageStatus: INodeProperties = {
	displayName: 'Pages',
	name: 'pageStatus',
	type: 'options',
	options: [
		{ name: 'All', value: '' },
		{ name: 'Changed', value: 'changed' },
		{ name: 'Failed', value: 'error', description: 'That could not be read' },
		{ name: 'New', value: 'new' },
		{ name: 'Removed', value: 'removed', description: 'That are no longer watched or found' },
		{ name: 'Same', value: 'same' },
	],
	default: '',
	description: 'Which pages of the check to put out',
	displayOptions: { show: { output: ['pages', 'fullPages', 'job'] } },
	routing: { send: { type: 'query', property: 'status' } },
};
