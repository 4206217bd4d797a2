import type { INodeProperties } from 'n8n-workflow';

import { storeAsFiles } from './files';
import { onlyChanged } from './onlyChanged';
import { onUnclearStart } from './onUnclearStart';
import { waitOptions, whenWaitedFor } from './wait';

/** What a job that gathers pages puts out. The values are those of PageOutput in resources/pages.ts. */
export const pagesOutput: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'One File',
			value: 'file',
			description:
				'All pages in one file, one JSON object per line (JSON Lines), for large sites. 64 MB at most where n8n keeps files in memory.',
		},
		{
			name: 'One Item per Job',
			value: 'job',
			description: 'State and counters of the job, with all of its pages in one list',
		},
		{
			name: 'One Item per Page',
			value: 'pages',
			description: 'Each page as a separate item: URL, title, description, content, status',
		},
		{
			name: 'One Item per Page (Full Document)',
			value: 'fullPages',
			description: 'The same with all metadata of the page',
		},
		{
			name: 'Status Only',
			value: 'status',
			description: 'State and counters of the job, without its pages',
		},
	],
	default: 'pages',
	description: 'What to return for each job',
};

/** An option: what of each page becomes binary data of its item. */
export const filesOfPages: INodeProperties = {
	...storeAsFiles,
	displayOptions: { show: { '/output': ['pages', 'fullPages'] } },
};

/** An option: what becomes of pages that could not be scraped; its value is read by run/jobs/planJob.ts. */
export const failedPages: INodeProperties = {
	displayName: 'Output Failed Pages',
	name: 'failedPages',
	type: 'boolean',
	default: true,
	description:
		'Whether to return failed pages as items, with the reason in pageError. Without this option, a hint counts them.',
	displayOptions: { show: { '/output': ['pages', 'fullPages'] } },
};

/** For jobs that end without success; its value is read by run/jobPlan.ts. */
export const onFailure: INodeProperties = {
	displayName: 'On Failure',
	name: 'onFailure',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'Error that names the job ID and the reason' },
		{
			name: 'Output the Pages It Has',
			value: 'output',
			description: 'The pages scraped so far; each item has the job’s state',
		},
	],
	default: 'fail',
	description: 'What to do with a job that fails or is cancelled',
};

/** An option: stops paying for what nobody waits for any more; its value is read by run/jobPlan.ts. */
export const cancelOnStop: INodeProperties = {
	displayName: 'Cancel on Stop',
	name: 'cancelOnStop',
	type: 'boolean',
	default: true,
	description:
		'Whether to cancel the jobs when you stop the execution or it times out. Get still returns the pages that are done. Stopping a wait in the background cancels nothing.',
};

/** The options that every start of such a job has, most of them for a node that waits. */
export const optionsOfPagesStart: INodeProperties[] = [
	...[waitOptions(onFailure, cancelOnStop), ...onlyChanged, failedPages].map(whenWaitedFor),
	onUnclearStart,
];
