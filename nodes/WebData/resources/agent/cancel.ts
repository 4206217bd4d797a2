import { agentJob } from '../../../service/jobs/jobKinds';
import { fromList } from '../../fields/basic/fromList';
import { jobId } from '../../fields/job/jobId';
import { cancelledItem, endedItem } from '../../operation/cancelled';
import type { AskJobOperation } from '../../operation/operation';

export const cancel: AskJobOperation = {
	kind: 'askJob',
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel agent',
	description: 'Ask an agent to stop; the step it is doing may still be paid for',
	request: { method: 'DELETE', path: agentJob.statusPath, bucket: agentJob.statusBucket },
	job: agentJob,
	unit: 'cancelled job',
	toItems: cancelledItem,
	whenEnded: endedItem,
	fields: [fromList(jobId, 'agentGetMany')],
};
