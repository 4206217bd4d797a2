import type { INodeExecutionData } from 'n8n-workflow';
import type { JobResult, RecordResult } from '../../operation/operation';
import type { ServiceClient } from '../../service/client';
import type { JsonObject } from '../../service/http/transport';
import type { JobOutcome } from '../../service/jobs/jobOutcome';
import { PageErrorReader } from '../../service/results/pageErrors';
import type { RunChanges } from '../changes/runChanges';
import type { RunContext } from '../connection/runContext';
import { isToolCall } from '../input/readFields';
import { pairedWith } from '../job/jobPlan';
import type { JobOperation, JobPlan } from '../job/jobPlan';
import { jobRemarks } from '../job/jobTotals';
import type { ItemFailure } from '../output/itemError';
import type { Notes } from '../output/notes';
import { itemOf, mapConcurrently } from '../output/outputItem';
import type { ItemWork, LinkedFiles } from '../output/outputItem';
import { notePartial, sampleText } from '../output/pageNotes';
import type { PagesOutcome, PagesReading } from './pagesWork';
import { readJobPages } from './readPages';

/** Most jobs whose pages are read at once: enough to hide the way there and back. */
const CONCURRENT_READS = 5;

/** The results of all jobs of a run. */
export interface JobsResults {
	/** Output by input item. */
	items: Map<number, INodeExecutionData[]>;
	failures: ItemFailure[];
	/** The counts of the pages of each job, where it has any. */
	counts: Map<JobPlan, Pick<PagesReading, 'pages' | 'credits' | 'isUnpaid'>>;
}

interface JobsWork {
	ctx: RunContext;
	client: ServiceClient;
	operation: JobOperation;
	/** `Crawl · Get` */
	collectWith: string | undefined;
	notes: Notes;
	changes: RunChanges;
	files: LinkedFiles;
}

/**
 * Turns the ends of jobs into items, reading pages where a job has any. `answerTo` tells what the
 * service said to a start. Throws a ServiceFailure only when the execution was stopped.
 */
export async function readJobs(
	work: JobsWork,
	outcomes: Map<JobPlan, JobOutcome>,
	answerTo: (plan: JobPlan) => JsonObject,
): Promise<JobsResults> {
	const reading: JobsResults = { items: new Map(), failures: [], counts: new Map() };
	const { ctx, operation, client, notes } = work;
	const { result } = operation;
	const asText = isToolCall(ctx);
	const errors = new PageErrorReader(client, operation.job);
	await mapConcurrently(CONCURRENT_READS, [...outcomes], async ([plan, outcome]) => {
		const answer = answerTo(plan);
		notes.addRemarks(answer);
		notes.say('remark', plan.sent && sampleText(plan.sent));
		if (outcome.kind === 'done') {
			for (const text of jobRemarks(operation, outcome.id, outcome.body)) notes.say('remark', text);
		}
		if (outcome.kind === 'started') {
			reading.items.set(plan.item, [startedItem(result, plan, outcome.id, answer)]);
		} else if ('toItems' in result) {
			if ('body' in outcome && outcome.body) notes.addRemarks(outcome.body);
			if (outcome.kind === 'unfinished') {
				notePartial(notes, operation.job.label, outcome.id, outcome.state);
			}
			reading.items.set(plan.item, await recordItems(work, result, plan, outcome, asText));
		} else if (hasPages(outcome)) {
			const pages = await readJobPages({ ...work, result, asText, errors }, plan, outcome, answer);
			for (const [item, items] of pages.items) reading.items.set(item, items);
			for (const failure of pages.failures) reading.failures.push(failure);
			reading.counts.set(plan, pages);
		}
	});
	return reading;
}

function hasPages(outcome: JobOutcome): outcome is PagesOutcome {
	return ['done', 'failed', 'unfinished'].includes(outcome.kind);
}

/** The output item of a job that is not waited for, paired with every item that shares it. */
function startedItem(result: JobResult, plan: JobPlan, id: string, answer: JsonObject): INodeExecutionData {
	return {
		json: result.toStartedItem(id, plan.sent ?? {}, answer),
		pairedItem: pairedWith(plan),
	};
}

/** The output items of one job that ended well, or that may be returned unfinished. */
async function recordItems(
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
