import { llmsTxtJob } from '../../../service/jobs/jobKinds';
import { optionList } from '../../fields/basic/optionList';
import { jobId } from '../../fields/job/jobId';
import { waitForCompletion, waitOptions, whenWaitedFor } from '../../fields/job/wait';
import type { GetJobOperation } from '../../operation/operation';
import { llmsTxtOutput, llmsTxtResult } from './result';
import { LLMS_TXT_MAX_WAIT_SECONDS } from './start';

export const get: GetJobOperation = {
	kind: 'getJob',
	value: 'get',
	name: 'Get',
	action: 'Get llms.txt',
	description: 'Collect a llms.txt file whose job was started elsewhere',
	request: { method: 'GET', path: llmsTxtJob.statusPath, bucket: llmsTxtJob.statusBucket },
	job: llmsTxtJob,
	defaultMaxWaitSeconds: () => LLMS_TXT_MAX_WAIT_SECONDS,
	result: llmsTxtResult,
	fields: [
		jobId,
		{ ...waitForCompletion, default: false },
		llmsTxtOutput,
		whenWaitedFor(optionList(waitOptions())),
	],
};
