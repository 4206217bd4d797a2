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
	description: 'Get the result of a research job by its job ID',
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
