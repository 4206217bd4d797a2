import type { INodeProperties } from 'n8n-workflow';

import { jobId } from './jobId';
import { returnAllOrLimit } from '../basic/list';
import { optionList } from '../basic/optionList';
import { failedPages, filesOfPages, onFailure, pagesOutput } from './pages';
import { waitForCompletion, waitOptions, whenWaitedFor } from './wait';

/** All by default: nobody expects that a crawl of 2,000 pages comes out as 50. */
export const pageCount = returnAllOrLimit.map((field) => ({
	...field,
	...(field.name === 'returnAll' && { default: true }),
	displayOptions: {
		show: { ...field.displayOptions?.show, output: ['pages', 'fullPages', 'job'] },
	},
}));

/** The fields of Get for a job that gathers pages. */
export const getPagesFields = (id = jobId): INodeProperties[] => [
	id,
	{ ...waitForCompletion, default: false },
	pagesOutput,
	...pageCount,
	optionList(failedPages, filesOfPages, onFailure, whenWaitedFor(waitOptions())),
];
