import { crawlJob } from '../../../service/jobs/jobKinds';
import { fromList } from '../../fields/basic/fromList';
import { jobId } from '../../fields/job/jobId';
import type { AskJobOperation } from '../../operation/operation';
import { cancelledItem, endedItem } from '../../operation/cancelled';

export const cancel: AskJobOperation = {
	kind: 'askJob',
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel crawl',
	description: 'Stop a running crawl; Get still returns the pages that are done',
	request: { method: 'DELETE', path: crawlJob.statusPath, bucket: crawlJob.statusBucket },
	job: crawlJob,
	unit: 'cancelled job',
	toItems: cancelledItem,
	whenEnded: endedItem,
	fields: [fromList(jobId, 'crawlGetActive')],
};
