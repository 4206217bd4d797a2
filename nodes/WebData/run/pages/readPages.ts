import type { INodeExecutionData } from 'n8n-workflow';

import { asFailure } from '../../../service/http/failure';
import { resultsRequest } from '../../../service/jobs/jobKinds';
import { readSlices } from '../../../service/results/slices';
import type { JsonObject } from '../../../service/http/transport';
import type { ItemDraft, JobRecord } from '../../operation/operation';
import { sourceUrlOf } from '../../operation/webPage';
import { itemOf, itemsOfDrafts } from '../output/outputItem';
import { jobDraft, pageDraft } from './pageDrafts';
import { distributePages } from './distributePages';
import { type JobPlan, itemsOf, pairedWith } from '../jobs/jobPlan';
import type { PagesWork, PagesOutcome, PagesReading, JobEnd } from './pagesWork';

/**
 * Reads the pages of one job and makes items of them, slice by slice. A job whose pages cannot be read
 * is a problem of its items and is not lost. Throws only when the execution was stopped.
 */
export async function readPages(
	work: PagesWork,
	plan: JobPlan,
	outcome: PagesOutcome,
	answer: JsonObject,
): Promise<PagesReading> {
	const { id, state, body = {} } = outcome;
	const record: JobRecord = { id, state, body, sent: plan.sent };
	const isDone = outcome.kind === 'done';
	return await readChoice(work, plan, record, { isDone, answer }).catch((error: unknown) => {
		const { kind, message, httpCode } = asFailure(error);
		if (kind === 'aborted') throw error;
		const text = `The ${work.operation.job.label} ${id} is "${state}", but its pages could not be read: ${message} They are not lost: collect them with ${work.collectWith} and this ID.`;
		const failures = itemsOf(plan).map((item) => {
			return { item, kind, message: text, httpCode, jobId: id, state };
		});
		return { items: new Map(), failures, missing: 0 };
	});
}

async function readChoice(
	work: PagesWork,
	plan: JobPlan,
	record: JobRecord,
	{ isDone, answer }: JobEnd,
): Promise<PagesReading> {
	if (plan.choice === 'status') return await oneItem(work, plan, jobDraft(work, record), 0);
	if (plan.choice === 'job') return await wholeJob(work, plan, record);
	if (plan.joined) return await sharedPages(work, plan, record, { isDone, answer });
	return await ownPages(work, plan, record, isDone);
}

function slicesOf(
	{ client, operation }: PagesWork,
	{ mostPages: most }: JobPlan,
	{ id, body: lastLook }: JobRecord,
): AsyncGenerator<JsonObject[]> {
	return readSlices({ client, request: resultsRequest(operation.job, id), lastLook, most });
}

async function wholeJob(work: PagesWork, plan: JobPlan, record: JobRecord): Promise<PagesReading> {
	const pages: JsonObject[] = [];
	for await (const slice of slicesOf(work, plan, record)) {
		for (const page of slice) pages.push(page);
	}
	const missing = missingOf(plan, record, pages.length);
	return await oneItem(work, plan, jobDraft(work, record, pages), missing);
}

async function ownPages(
	work: PagesWork,
	plan: JobPlan,
	record: JobRecord,
	isDone: boolean,
): Promise<PagesReading> {
	const { item } = plan;
	const items: INodeExecutionData[] = [];
	for await (const slice of slicesOf(work, plan, record)) {
		const drafts = slice.map((page) => pageDraft(work, plan, record, page));
		const made = await itemsOfDrafts(
			work,
			drafts.map((draft) => ({ draft, item })),
		);
		for (const one of made.get(item) ?? []) items.push(one);
	}
	if (items.length === 0 && !isDone) {
		// Without any item the workflow would end here, and nobody would learn that the job goes on.
		return await oneItem(work, plan, jobDraft(work, record), 0);
	}
	const missing = missingOf(plan, record, items.length);
	return { items: new Map([[item, items]]), failures: [], missing };
}

async function sharedPages(
	work: PagesWork,
	plan: JobPlan,
	record: JobRecord,
	end: JobEnd,
): Promise<PagesReading> {
	const drafts: ItemDraft[] = [];
	const urls: string[] = [];
	for await (const slice of slicesOf(work, plan, record)) {
		for (const page of slice) {
			drafts.push(pageDraft(work, plan, record, page));
			urls.push(sourceUrlOf(page));
		}
	}
	return await distributePages(work, plan, record, { drafts, urls, ...end });
}

/** One item for the job, paired with every item that shares it. */
async function oneItem(
	{ ctx }: PagesWork,
	plan: JobPlan,
	draft: ItemDraft,
	missing: number,
): Promise<PagesReading> {
	const item = { ...(await itemOf(ctx, draft, plan.item)), pairedItem: pairedWith(plan) };
	return { items: new Map([[plan.item, [item]]]), failures: [], missing };
}

/** Pages that should be there but are not: of those the service counts, or of the URLs it was given. */
function missingOf(plan: JobPlan, { body, sent }: JobRecord, count: number): number {
	if (plan.mostPages !== undefined) return 0;
	const given = Array.isArray(sent?.urls) ? new Set(sent.urls).size : 0;
	const counted = typeof body.completed === 'number' ? body.completed : 0;
	return Math.max(0, Math.max(given, counted) - count);
}
