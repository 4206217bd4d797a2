import { crawlJob } from '../../../service/jobs/jobKinds';
import { fromList } from '../../fields/basic/fromList';
import { getPagesFields } from '../../fields/job/getPages';
import { jobId } from '../../fields/job/jobId';
import { USUAL_MAX_WAIT_SECONDS } from '../../fields/job/wait';
import type { GetJobOperation } from '../../operation/operation';
import { crawlResult } from './result';

export const get: GetJobOperation = {
	kind: 'getJob',
	value: 'get',
	name: 'Get',
	action: 'Get pages of crawl',
	description: 'Get the pages of a crawl by its job ID, such as one started with Do Not Wait',
	request: { method: 'GET', path: crawlJob.statusPath, bucket: crawlJob.statusBucket },
	job: crawlJob,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: crawlResult,
	fields: getPagesFields(fromList(jobId, 'crawlGetActive')),
};
