import { agentJob } from '../../../service/jobs/jobKinds';
import { fromList } from '../../fields/basic/fromList';
import { getRecordFields } from '../../fields/job/getRecord';
import { jobId } from '../../fields/job/jobId';
import { USUAL_MAX_WAIT_SECONDS } from '../../fields/job/wait';
import type { GetJobOperation } from '../../operation/operation';
import { agentOutput, agentResult } from './result';

export const get: GetJobOperation = {
	kind: 'getJob',
	value: 'get',
	name: 'Get',
	action: 'Get result of agent',
	description: 'Get the result of an agent by its job ID',
	request: { method: 'GET', path: agentJob.statusPath, bucket: agentJob.statusBucket },
	job: agentJob,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: agentResult,
	fields: getRecordFields(agentOutput, fromList(jobId, 'agentGetMany')),
};
