import { batchScrapeJob } from '../../../service/jobs/jobKinds';
import { jobId } from '../../fields/job/jobId';
import type { AskJobOperation } from '../../operation/operation';
import { cancelledItem, endedItem } from '../../operation/cancelled';

export const cancel: AskJobOperation = {
	kind: 'askJob',
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel batch scrape',
	description: 'Stop a running batch scrape; Get still returns the pages that are done',
	request: {
		method: 'DELETE',
		path: batchScrapeJob.statusPath,
		bucket: batchScrapeJob.statusBucket,
	},
	job: batchScrapeJob,
	unit: 'cancelled job',
	toItems: cancelledItem,
	whenEnded: endedItem,
	fields: [jobId],
};
