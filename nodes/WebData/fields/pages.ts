import type { INodeProperties } from 'n8n-workflow';

import { pageFiles } from './files';

/** What a job that gathers pages puts out. The values are those of PageOutput in resources/pages.ts. */
export const pagesOutput: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'One Item per Job',
			value: 'job',
			description: 'State and counters of the job, with all of its pages in one list',
		},
		{
			name: 'One Item per Page',
			value: 'pages',
			description: 'Each page as an item of its own: URL, title, content, metadata',
		},
		{
			name: 'Status Only',
			value: 'status',
			description: 'State and counters of the job, without its pages',
		},
	],
	default: 'pages',
	description: 'What each job puts out. Default: One Item per Page.',
};

/** What of each page becomes binary data of its item. */
export const filesOfPages: INodeProperties = {
	...pageFiles,
	displayOptions: { show: { output: ['pages'] } },
};

/** The same fields, shown only where the node waits for the job. */
export function whenWaitedFor(...fields: INodeProperties[]): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, waitForCompletion: [true] } },
	}));
}

/** For jobs that end without success; its value is read by run/jobPlan.ts. */
export const onFailure: INodeProperties = {
	displayName: 'When the Job Fails or Is Cancelled',
	name: 'onFailure',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'Error that names the job ID and the reason' },
		{
			name: 'Output the Pages It Has',
			value: 'output',
			description: 'What was scraped and paid for until then; each item tells the job’s state',
		},
	],
	default: 'fail',
	description: 'What to do with a job that ends without success. Default: Fail.',
};

/** Stops paying for what nobody waits for any more; its value is read by run/jobPlan.ts. */
export const cancelOnStop: INodeProperties = {
	displayName: 'Cancel the Job When the Execution Is Stopped',
	name: 'cancelOnStop',
	type: 'boolean',
	default: false,
	description:
		'Whether stopping this execution in n8n also cancels the jobs it has started, so that they cost nothing more. Pages that are done stay available for Get. Default: off, the jobs run on.',
};
