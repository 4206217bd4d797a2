import { extractJob } from '../../../service/jobs/jobKinds';
import { getRecordFields } from '../../fields/job/getRecord';
import { USUAL_MAX_WAIT_SECONDS } from '../../fields/job/wait';
import type { GetJobOperation } from '../../operation/operation';
import { extractOutput, extractResult } from './result';

export const get: GetJobOperation = {
	kind: 'getJob',
	value: 'get',
	name: 'Get',
	action: 'Get extracted data (deprecated)',
	description: 'Get the result of an extract by its job ID',
	request: { method: 'GET', path: extractJob.statusPath, bucket: extractJob.statusBucket },
	job: extractJob,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: extractResult,
	fields: getRecordFields(extractOutput),
};
