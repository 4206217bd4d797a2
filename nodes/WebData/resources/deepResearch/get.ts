import { deepResearchJob } from '../../../service/jobs/jobKinds';
import { jobId } from '../../fields/job/jobId';
import { optionList } from '../../fields/basic/optionList';
import { waitForCompletion, waitOptions, whenWaitedFor } from '../../fields/job/wait';
import type { GetJobOperation } from '../../operation/operation';
import { researchOutput, researchResult } from './output';

/** The longest research job (600 s) and its write-up (CONTRACT section 8). */
const DEFAULT_MAX_WAIT_SECONDS = 720;

export const get: GetJobOperation = {
	kind: 'getJob',
	value: 'get',
	name: 'Get',
	action: 'Get deep research',
	description: 'Collect a research job that was started elsewhere or left over from a timeout',
	request: {
		method: 'GET',
		path: deepResearchJob.statusPath,
		bucket: deepResearchJob.statusBucket,
	},
	job: deepResearchJob,
	defaultMaxWaitSeconds: () => DEFAULT_MAX_WAIT_SECONDS,
	result: researchResult,
	fields: [
		jobId,
		{ ...waitForCompletion, default: false },
		researchOutput,
		// Without waiting it would be an empty list.
		whenWaitedFor(optionList(waitOptions())),
	],
};
