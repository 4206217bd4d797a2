import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../../service/limits/client';
import type { JobOutcome } from '../../../service/jobs/jobTask';
import type { JsonObject } from '../../../service/http/transport';
import { mapConcurrently } from '../output/mapConcurrently';
import type { ItemFailure } from '../output/itemError';
import { recordItems, startedItem } from './recordItems';
import { isToolCall } from '../input/parameters';
import { readPages } from './readPages';
import type { JobOperation, JobPlan } from '../jobs/jobPlan';

/** Most jobs whose pages are read at once: enough to hide the way there and back. */
const CONCURRENT_READS = 5;

/** What the ends of all jobs of a run came to. */
export interface JobReading {
	/** Output by input item. */
	items: Map<number, INodeExecutionData[]>;
	failures: ItemFailure[];
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
	const reading: JobReading = { items: new Map(), failures: [], missingPages: 0 };
	const { ctx, operation } = work;
	const { result } = operation;
	const asText = isToolCall(ctx);
	await mapConcurrently(CONCURRENT_READS, [...outcomes], async ([plan, outcome]) => {
		const answer = answers.get(plan) ?? {};
		if (outcome.kind === 'started') {
			reading.items.set(plan.item, [startedItem(result, plan, outcome.id, answer)]);
		} else if ('toItems' in result) {
			reading.items.set(plan.item, await recordItems(ctx, result, plan, outcome, asText));
		} else if (hasPages(outcome)) {
			const pages = await readPages({ ...work, result, asText }, plan, outcome, answer);
			for (const [item, items] of pages.items) reading.items.set(item, items);
			reading.failures.push(...pages.failures);
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
