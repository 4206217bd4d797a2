import { crawlJob } from '../../../service/jobs';
import { jobId } from '../../fields/jobId';
import type { AskJobOperation } from '../operation';
import { pageErrorItems } from '../pages';

export const getErrors: AskJobOperation = {
	kind: 'askJob',
	value: 'getErrors',
	name: 'Get Errors',
	action: 'Get errors of a crawl',
	description: 'List the pages that a crawl has no result for, and why, one item each',
	request: { method: 'GET', path: '/v2/crawl/{jobId}/errors', bucket: crawlJob.statusBucket },
	job: crawlJob,
	toItems: pageErrorItems,
	fields: [jobId(crawlJob.label)],
};
