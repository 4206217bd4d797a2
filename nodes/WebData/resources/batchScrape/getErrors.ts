import { batchScrapeJob } from '../../../service/jobs/jobKinds';
import { jobId } from '../../fields/job/jobId';
import type { AskJobOperation } from '../../operation/operation';
import { pageErrorItems } from '../../operation/pagesResult';

export const getErrors: AskJobOperation = {
	kind: 'askJob',
	value: 'getErrors',
	name: 'Get Errors',
	action: 'Get failed pages of batch scrape',
	description: 'List the pages that a batch scrape failed on, with the reason, one item each',
	request: {
		method: 'GET',
		path: '/v2/batch/scrape/{jobId}/errors',
		bucket: batchScrapeJob.statusBucket,
	},
	// Servers of August 2025 have it there only (recording batch-07b).
	olderPath: '/v1/batch/scrape/{jobId}/errors',
	job: batchScrapeJob,
	unit: 'failed page',
	toItems: pageErrorItems,
	fields: [jobId],
};
