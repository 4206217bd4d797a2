import { crawlJob } from '../../../service/jobs';
import { jobId } from '../../fields/jobId';
import type { AskJobOperation } from '../operation';
import { cancelledItem } from '../pages';

export const cancel: AskJobOperation = {
	kind: 'askJob',
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel a crawl',
	description: 'Stop a running crawl; the pages it has can still be collected with Get',
	request: { method: 'DELETE', path: crawlJob.statusPath, bucket: crawlJob.statusBucket },
	job: crawlJob,
	toItems: cancelledItem,
	fields: [jobId(crawlJob.label)],
};
