import { llmsTxtJob } from '../../../service/jobs/jobKinds';
import { getRecordFields } from '../../fields/job/getRecord';
import { USUAL_MAX_WAIT_SECONDS } from '../../fields/job/wait';
import type { GetJobOperation } from '../../operation/operation';
import { llmsTxtOutput, llmsTxtResult } from './result';

export const get: GetJobOperation = {
	kind: 'getJob',
	value: 'get',
	name: 'Get',
	action: 'Get llms.txt (legacy)',
	description: 'Get the files of a job by its job ID',
	request: { method: 'GET', path: llmsTxtJob.statusPath, bucket: llmsTxtJob.statusBucket },
	job: llmsTxtJob,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: llmsTxtResult,
	fields: getRecordFields(llmsTxtOutput),
};
