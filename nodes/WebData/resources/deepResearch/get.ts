import { deepResearchJob } from '../../../service/jobs/jobKinds';
import { getRecordFields } from '../../fields/job/getRecord';
import type { GetJobOperation } from '../../operation/operation';
import { researchOutput, researchResult } from './output';

/** The longest research job (600 s) and its write-up (docs/service-notes.md#deep-research). */
const DEFAULT_MAX_WAIT_SECONDS = 720;

export const get: GetJobOperation = {
	kind: 'getJob',
	value: 'get',
	name: 'Get',
	action: 'Get deep research (legacy)',
	description: 'Collect a research job that was started elsewhere or left over from a timeout',
	request: {
		method: 'GET',
		path: deepResearchJob.statusPath,
		bucket: deepResearchJob.statusBucket,
	},
	job: deepResearchJob,
	defaultMaxWaitSeconds: () => DEFAULT_MAX_WAIT_SECONDS,
	result: researchResult,
	fields: getRecordFields(researchOutput),
};
