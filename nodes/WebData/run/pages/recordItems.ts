import type { INodeExecutionData } from 'n8n-workflow';

import type { JobOutcome } from '../../../service/jobs/jobTask';
import type { JsonObject } from '../../../service/http/transport';
import type { JobResult, RecordResult } from '../../operation/operation';
import { itemOf } from '../output/outputItem';
import type { ItemWork } from '../output/outputItem';
import { type JobPlan, pairedWith } from '../jobs/jobPlan';

/** The output item of a job that is not waited for, paired with every item that shares it. */
export function startedItem(
	result: JobResult,
	plan: JobPlan,
	id: string,
	answer: JsonObject,
): INodeExecutionData {
	return {
		json: result.toStartedItem(id, plan.sent ?? {}, answer),
		pairedItem: pairedWith(plan),
	};
}

/** The output items of one job that ended well, or that may be returned unfinished. */
export async function recordItems(
	work: ItemWork,
	result: RecordResult,
	{ item, sent, choice }: JobPlan,
	outcome: JobOutcome,
	asText: boolean,
): Promise<INodeExecutionData[]> {
	if (outcome.kind !== 'done' && outcome.kind !== 'unfinished') return [];
	const { id, state, body = {} } = outcome;
	const drafts = result.toItems({ id, state, body, sent }, choice, asText);
	return await Promise.all(drafts.map(async (draft) => await itemOf(work, draft, item)));
}
