import { getRecordFields } from '../../../fields/job/wait';
import { getJob } from '../../../operation/jobOperations';
import type { Resource } from '../../../operation/operation';
import { deepResearchJob } from '../../../service/jobs/jobKinds';
import { deepResearchOutput, researchResult } from './output';
import { startDeepResearch } from './start';

/** The longest research job (600 s) and its write-up (docs/reference/service-notes.md#deep-research). */
const DEFAULT_MAX_WAIT_SECONDS = 720;

export const get = getJob(
	deepResearchJob,
	{
		action: 'Get deep research (legacy)',
		description: 'Get the result of a research job by its job ID',
	},
	{
		result: researchResult,
		fields: getRecordFields(deepResearchOutput),
		maxWaitSeconds: DEFAULT_MAX_WAIT_SECONDS,
	},
);

export const deepResearch: Resource = {
	value: 'deepResearch',
	name: 'Deep Research',
	description: 'Legacy (v1, alpha): for new workflows use the node Web Research',
	operations: [startDeepResearch, get],
};
