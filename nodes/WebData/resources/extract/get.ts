import { extractJob } from '../../../service/jobs/jobKinds';
import { optionList } from '../../fields/basic/optionList';
import { jobId } from '../../fields/job/jobId';
import { waitForCompletion, waitOptions, whenWaitedFor } from '../../fields/job/wait';
import type { GetJobOperation } from '../../operation/operation';
import { extractOutput, extractResult } from './result';
import { EXTRACT_MAX_WAIT_SECONDS } from './start';

export const get: GetJobOperation = {
	kind: 'getJob',
	value: 'get',
	name: 'Get',
	action: 'Get extract job',
	description: 'Collect data whose job was started elsewhere',
	request: { method: 'GET', path: extractJob.statusPath, bucket: extractJob.statusBucket },
	job: extractJob,
	defaultMaxWaitSeconds: () => EXTRACT_MAX_WAIT_SECONDS,
	result: extractResult,
	fields: [
		jobId,
		{ ...waitForCompletion, default: false },
		extractOutput,
		whenWaitedFor(optionList(waitOptions())),
	],
};
