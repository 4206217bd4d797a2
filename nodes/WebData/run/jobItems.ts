import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import type { JobOutcome } from '../../service/outcome';
import type { JsonObject } from '../../service/transport';
import { atOnce } from './atOnce';
import type { ItemProblem } from './itemError';
import type { JobOperation, JobPlan } from './jobPlan';
import { recordItems, startedItem } from './outcomeItems';
import { isToolCall } from './parameters';
import { readPages } from './readPages';

/** Most jobs whose pages are read at once: enough to hide the way there and back. */
const READ_AT_ONCE = 5;

/** What the ends of all jobs of a run came to. */
export interface JobReading {
	/** Output by input item. */
	items: Map<number, INodeExecutionData[]>;
	problems: ItemProblem[];
	missingPages: number;
}

export interface JobsWork {
	ctx: IExecuteFunctions;
	client: ServiceClient;
	operation: JobOperation;
	/** `Crawl · Get` */
	collectWith: string;
}

/**
 * Turns the ends of jobs into items, reading pages where a job has any. `answers` holds what the service
 * said to the starts. Throws a ServiceFailure only when the execution was stopped.
 */
export async function readJobs(
	work: JobsWork,
	outcomes: Map<JobPlan, JobOutcome>,
	answers: Map<JobPlan, JsonObject>,
): Promise<JobReading> {
	const reading: JobReading = { items: new Map(), problems: [], missingPages: 0 };
	const { ctx, operation } = work;
	const { result } = operation;
	const asText = isToolCall(ctx);
	await atOnce(READ_AT_ONCE, [...outcomes], async ([plan, outcome]) => {
		const answer = answers.get(plan) ?? {};
		if (outcome.kind === 'started') {
			reading.items.set(plan.item, [startedItem(result, plan, outcome.id, answer)]);
		} else if ('toItems' in result) {
			reading.items.set(plan.item, await recordItems(ctx, result, plan, outcome, asText));
		} else if (hasPages(outcome)) {
			const pages = await readPages({ ...work, result, asText }, plan, outcome, answer);
			for (const [item, items] of pages.items) reading.items.set(item, items);
			reading.problems.push(...pages.problems);
			reading.missingPages += pages.missing;
		}
	});
	return reading;
}

function hasPages(
	outcome: JobOutcome,
): outcome is Extract<JobOutcome, { kind: 'done' | 'failed' | 'unfinished' }> {
	return ['done', 'failed', 'unfinished'].includes(outcome.kind);
}
