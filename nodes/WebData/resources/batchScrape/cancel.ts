import { batchScrapeJob } from '../../../service/jobs';
import { jobId } from '../../fields/jobId';
import type { AskJobOperation } from '../operation';
import { cancelledItem } from '../pages';

export const cancel: AskJobOperation = {
	kind: 'askJob',
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel a batch scrape',
	description: 'Stop a running batch scrape; the pages it has can still be collected with Get',
	request: {
		method: 'DELETE',
		path: batchScrapeJob.statusPath,
		bucket: batchScrapeJob.statusBucket,
	},
	job: batchScrapeJob,
	toItems: cancelledItem,
	fields: [jobId(batchScrapeJob.label)],
};
