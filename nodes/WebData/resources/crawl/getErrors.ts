import { crawlJob } from '../../../service/jobs/jobKinds';
import { fromList } from '../../fields/basic/fromList';
import { jobId } from '../../fields/job/jobId';
import type { AskJobOperation } from '../../operation/operation';
import { pageErrorItems } from '../../operation/pagesResult';

export const getErrors: AskJobOperation = {
	kind: 'askJob',
	value: 'getErrors',
	name: 'Get Errors',
	action: 'Get failed pages of crawl',
	description: 'List the pages that a crawl failed on, with the reason, one item each',
	request: { method: 'GET', path: '/v2/crawl/{jobId}/errors', bucket: crawlJob.statusBucket },
	job: crawlJob,
	unit: 'failed page',
	toItems: pageErrorItems,
	fields: [fromList(jobId, 'crawlGetActive')],
};
