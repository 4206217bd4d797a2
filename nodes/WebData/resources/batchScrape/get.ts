import { batchScrapeJob } from '../../../service/jobs/jobKinds';
import { getPagesFields } from '../../fields/job/getPages';
import { USUAL_MAX_WAIT_SECONDS } from '../../fields/job/wait';
import type { GetJobOperation } from '../../operation/operation';
import { batchScrapeResult } from './result';

export const get: GetJobOperation = {
	kind: 'getJob',
	value: 'get',
	name: 'Get',
	action: 'Get pages of batch scrape',
	description:
		'Get the pages of a batch scrape by its job ID, such as one started with Do Not Wait',
	request: { method: 'GET', path: batchScrapeJob.statusPath, bucket: batchScrapeJob.statusBucket },
	job: batchScrapeJob,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: batchScrapeResult,
	fields: getPagesFields(),
};
