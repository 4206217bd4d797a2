import { agentJob } from '../../../service/jobs/jobKinds';
import { optionList } from '../../fields/basic/optionList';
import { jobId } from '../../fields/job/jobId';
import { waitForCompletion, waitOptions, whenWaitedFor } from '../../fields/job/wait';
import type { GetJobOperation } from '../../operation/operation';
import { agentOutput, agentResult } from './result';
import { AGENT_MAX_WAIT_SECONDS } from './start';

export const get: GetJobOperation = {
	kind: 'getJob',
	value: 'get',
	name: 'Get',
	action: 'Get agent job',
	description: 'Collect what an agent found that was started elsewhere',
	request: { method: 'GET', path: agentJob.statusPath, bucket: agentJob.statusBucket },
	job: agentJob,
	defaultMaxWaitSeconds: () => AGENT_MAX_WAIT_SECONDS,
	result: agentResult,
	fields: [
		jobId,
		{ ...waitForCompletion, default: false },
		agentOutput,
		whenWaitedFor(optionList(waitOptions())),
	],
};
