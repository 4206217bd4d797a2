import type { INodeProperties } from 'n8n-workflow';

import { jobId } from './jobId';
import { returnAllOrLimit } from '../basic/list';
import { optionList } from '../basic/optionList';
import { onlyChanged } from './onlyChanged';
import { failedPages, filesOfPages, onFailure, pagesOutput } from './pages';
import { waitForCompletion, waitOptions, whenWaitedFor } from './wait';

/** All by default: nobody expects that a crawl of 2,000 pages comes out as 50. */
export const pageCount = returnAllOrLimit.map((field) => ({
	...field,
	...(field.name === 'returnAll' && { default: true }),
	displayOptions: {
		show: { ...field.displayOptions?.show, output: ['pages', 'fullPages', 'job', 'file'] },
	},
}));

/** With a limit: a long result can be read in parts, each from where the one before has ended. */
const fromPage: INodeProperties = {
	displayName: 'From Page',
	name: 'fromPage',
	type: 'number',
	// Left empty it would mean the first page: a loop that does not stop at null would never end.
	typeOptions: { minValue: 1, numberPrecision: 0, isNeeded: true },
	default: 1,
	displayOptions: { show: { returnAll: [false], output: ['pages', 'fullPages', 'job', 'file'] } },
	description:
		'First page to return, counted from 1. The last item holds nextPage, where the next part begins; it is null after the last page. Use it in a loop after the job has ended; while it runs, there is always a next part.',
};

/** The fields of Get for a job that gathers pages. */
export const getPagesFields = (id = jobId): INodeProperties[] => [
	id,
	waitForCompletion,
	pagesOutput,
	...pageCount,
	fromPage,
	optionList(...onlyChanged, failedPages, filesOfPages, onFailure, whenWaitedFor(waitOptions())),
];
