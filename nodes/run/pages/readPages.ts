import type { INodeExecutionData } from 'n8n-workflow';
import { withMore } from '../../operation/hint';
import type { ItemDraft, JobRecord } from '../../operation/operation';
import { namesItsSource, sourceUrlOf } from '../../operation/webPage';
import { failureOrThrow, shorten } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { uncounted } from '../../service/jobs/readEnd';
import { readWarnings } from '../../service/results/pageErrors';
import type { PageError } from '../../service/results/pageErrors';
import { nextStep } from '../errors/jobErrors';
import { itemsOf, pairedWith } from '../job/jobPlan';
import type { JobPlan } from '../job/jobPlan';
import { jobRemarks } from '../job/jobTotals';
import { itemOf, itemsOfDrafts } from '../output/outputItem';
import { noteFailures, notePartial, nothingText, pageErrorText } from '../output/pageNotes';
import { distributePages } from './distributePages';
import {
	PageSum,
	creditsOfAll,
	endOfReading,
	failedPageDrafts,
	failuresOf,
	isLaterPart,
	jobDraft,
	numberedDrafts,
	pageDraft,
	slicesOf,
	sumOfPages,
	wantedOf,
	withChecks,
	withEnd,
} from './pageSlices';
import { pagesFile } from './pagesFile';
import type { JobEnd, PagesOutcome, PagesReading, PagesWork } from './pagesWork';

/**
 * Reads the pages of one job and makes items of them, slice by slice. A job whose pages cannot be read
 * is a problem of its items and is not lost. Throws only when the execution was stopped.
 */
export async function readJobPages(
	work: PagesWork,
	plan: JobPlan,
	outcome: PagesOutcome,
	answer: JsonObject,
): Promise<PagesReading> {
	const { id, state, body = {}, kind } = outcome;
	const record: JobRecord = { id, state, body, sent: plan.sent };
	const end: JobEnd = { isDone: kind === 'done', hasEnded: kind !== 'unfinished', answer };
	return await readChoice(work, plan, record, end).catch((error: unknown) => {
		const { kind: cause, message, httpCode } = failureOrThrow(error);
		if (cause === 'aborted') throw error;
		work.changes.drop(plan);
		const { label } = work.operation.job;
		const title = `The pages of the ${label} could not be read`;
		const next = nextStep(plan.start !== undefined, work.collectWith, 'them');
		const text = `The ${label} ${id} is "${state}", but its pages could not be read: ${message} They are not lost: ${next}.`;
		const failures = itemsOf(plan).map((item) => {
			return { item, kind: cause, title, message: text, httpCode, jobId: id, state };
		});
		return { items: new Map(), failures };
	});
}

type OutputReader = (work: PagesWork, plan: JobPlan, record: JobRecord, end: JobEnd) => Promise<PagesReading>;

/** The ways of output that return one item for the job; all others return its pages. */
const READERS: Partial<Record<string, OutputReader>> = {
	status,
	job: wholeJob,
	file: fileOfPages,
};

async function readChoice(work: PagesWork, plan: JobPlan, record: JobRecord, end: JobEnd): Promise<PagesReading> {
	const { notes, operation } = work;
	const { id, state, body } = record;
	const read = READERS[plan.choice] ?? (plan.shared ? sharedPages : ownPages);
	const reading = await read(work, plan, record, end);
	if (!reading.isEmpty) notes.addRemarks(body);
	if (!end.isDone && plan.choice !== 'status') {
		notePartial(notes, operation.job.label, id, state, body);
	}
	return reading;
}

async function status(work: PagesWork, plan: JobPlan, record: JobRecord, end: JobEnd): Promise<PagesReading> {
	await failuresOf(work, record, end);
	const missing = end.isDone ? uncounted(record.body) : 0;
	work.notes.add('missingPages', { amount: missing });
	return await oneItem(work, plan, withEnd(jobDraft(work, record), { missing }));
}

async function wholeJob(work: PagesWork, plan: JobPlan, record: JobRecord, end: JobEnd): Promise<PagesReading> {
	const pages: JsonObject[] = [];
	const sum = sumOfPages(work, plan);
	for await (const slice of slicesOf(work, plan, record, end)) {
		sum.addSlice(slice);
		for (const page of (await wantedOf(work, plan, slice)).pages) pages.push(page);
	}
	const isEmpty = sum.pages === 0 && end.isDone && !work.result.mayBeEmpty;
	if (isEmpty && !isLaterPart(plan)) return await emptyJob(work, plan, record);
	const ending = await endOfReading(work, plan, record, end, sum);
	const { nextPage, failures } = ending;
	for (const page of await work.changes.absent(plan, record, end, sum, failures)) pages.push(page);
	const credits = creditsOfAll(plan, record, end, sum, nextPage);
	const draft = withEnd(jobDraft(work, record, { pages, pagesCost: credits, bound: plan.bound }), ending);
	const reading = await oneItem(work, plan, draft);
	return { ...reading, pages: sum.pages, credits };
}

async function fileOfPages(work: PagesWork, plan: JobPlan, record: JobRecord, end: JobEnd): Promise<PagesReading> {
	const reading = await pagesFile(work, plan, record, end);
	if (reading) return reading;
	if (end.isDone && !isLaterPart(plan)) return await emptyJob(work, plan, record);
	const ending = await endOfReading(work, plan, record, end, new PageSum(work.notes));
	return { ...(await oneItem(work, plan, withEnd(jobDraft(work, record), ending))), pages: 0 };
}

async function ownPages(work: PagesWork, plan: JobPlan, record: JobRecord, end: JobEnd): Promise<PagesReading> {
	const { item } = plan;
	const items: INodeExecutionData[] = [];
	const sum = sumOfPages(work, plan);
	const add = async (drafts: ItemDraft[]) => {
		const paired = drafts.map((draft) => ({ draft, item }));
		const made = await itemsOfDrafts(work, paired);
		for (const one of made.get(item) ?? []) items.push(one);
	};
	for await (const slice of slicesOf(work, plan, record, end)) {
		sum.addSlice(slice);
		await add(numberedDrafts(work, plan, record, await wantedOf(work, plan, slice)));
	}
	if (sum.pages === 0 && end.isDone && !isLaterPart(plan)) {
		return work.result.mayBeEmpty ? withoutPages(work, plan, record) : await emptyJob(work, plan, record);
	}
	const ending = await endOfReading(work, plan, record, end, sum);
	const { nextPage, failures } = ending;
	const absent = await work.changes.absent(plan, record, end, sum, failures);
	await add(absent.map((page) => pageDraft(work, plan, record, page)));
	await add(failedPageDrafts(work, plan, record, failures));
	const credits = creditsOfAll(plan, record, end, sum, nextPage);
	if (items.length === 0 && end.isDone && plan.changes && typeof nextPage !== 'number') {
		return { ...nothingChanged(work, plan, record), pages: sum.pages, credits };
	}
	const last = items.at(-1);
	// Without any item the workflow would end here, and nobody would learn that the job continues.
	if (!last) {
		const told = await oneItem(work, plan, withEnd(jobDraft(work, record), ending));
		return { ...told, pages: sum.pages, credits };
	}
	last.json = withEnd(last, ending).json;
	return { items: new Map([[item, items]]), failures: [], pages: sum.pages, credits };
}

async function sharedPages(work: PagesWork, plan: JobPlan, record: JobRecord, end: JobEnd): Promise<PagesReading> {
	const drafts: ItemDraft[] = [];
	const urls: string[] = [];
	const endedAt = new Set<number>();
	const sum = sumOfPages(work, plan);
	for await (const slice of slicesOf(work, plan, record, end)) {
		sum.addSlice(slice);
		const changes = work.changes.of(plan);
		const judged = changes ? await changes.judge(slice.pages) : slice.pages;
		const pages = await withChecks(work, plan, judged);
		for (const page of pages) {
			drafts.push(pageDraft(work, plan, record, page));
			if (!namesItsSource(page)) endedAt.add(urls.length);
			urls.push(sourceUrlOf(page));
		}
	}
	const reading = await distributePages(work, plan, record, { drafts, urls, endedAt, ...end });
	const credits = creditsOfAll(plan, record, end, sum, undefined);
	return { ...reading, pages: sum.pages, credits };
}

/** Says that a job that has ended has none of the requested pages; an AI agent sees no hints. */
function withoutPages(
	{ notes, asText, operation }: PagesWork,
	{ item, kind, pagesQuery }: JobPlan,
	{ id, body }: JobRecord,
): PagesReading {
	const chosen = Object.values(pagesQuery ?? {}).map((value) => ` that are ${String(value)}`);
	const what = `pages of the ${kind.label} ${id}${chosen.join('')}`;
	notes.add('nothingFound', { name: what });
	const message = [nothingText(what, body), ...jobRemarks(operation, id, body)].join(' ');
	const told = [{ json: { message }, pairedItem: { item } }];
	return { items: new Map([[item, asText ? told : []]]), failures: [], pages: 0 };
}

/** Said where no page is new or changed; the hints say the same, which an AI agent does not see. */
function nothingChanged({ asText }: PagesWork, { item, kind }: JobPlan, { id }: JobRecord): PagesReading {
	const message = `No page of the ${kind.label} ${id} is new, changed or gone.`;
	const told = [{ json: { message }, pairedItem: { item } }];
	return { items: new Map([[item, asText ? told : []]]), failures: [] };
}

/** One item for the job, paired with every item that shares it. */
async function oneItem(work: PagesWork, plan: JobPlan, draft: ItemDraft): Promise<PagesReading> {
	const item = { ...(await itemOf(work, draft, plan.item)), pairedItem: pairedWith(plan) };
	return { items: new Map([[plan.item, [item]]]), failures: [] };
}

/**
 * The outcome of a job that ended well without a page: its failed pages where they are wanted as items, else an error
 * of its item that tells why, since nothing would say nothing. Throws only when the execution was stopped.
 */
async function emptyJob(work: PagesWork, plan: JobPlan, record: JobRecord): Promise<PagesReading> {
	const { errors: reader, notes, operation } = work;
	const { item } = plan;
	const { id, state } = record;
	const read = await reader.read(id).catch((error: unknown) => {
		const failure = failureOrThrow(error);
		if (failure.kind === 'aborted') throw failure;
		return undefined;
	});
	const errors = read ?? [];
	const drafts = failedPageDrafts(work, plan, record, errors);
	if (drafts.length > 0) {
		noteFailures(notes, errors);
		const items = await itemsOfDrafts(
			work,
			drafts.map((draft) => ({ draft, item })),
		);
		return { items, failures: [], pages: 0 };
	}
	const advice = work.result.adviceOnFewPages?.(record.sent ?? {});
	const unexplained = errors.length === 0 ? work.result.titleOfNoPage?.(record.sent ?? {}) : undefined;
	const title = unexplained ?? `The ${operation.job.label} found no page`;
	const message = [unexplained && `${unexplained}.`, emptyText(operation.job.label, record, errors), advice]
		.filter((text) => text !== undefined)
		.join(' ');
	const failures = itemsOf(plan).map((failed) => {
		return { item: failed, kind: 'job' as const, title, message, jobId: id, state, hasEnded: true };
	});
	const isUnpaid = countedIn(record) === 0;
	return { items: new Map(), failures, pages: 0, isEmpty: true, isUnpaid };
}

/** Most failed pages that an error names. */
const MAX_REASONS = 3;

/** The reason why a job has no page: what failed, and what the service remarks. */
function emptyText(label: string, record: JobRecord, errors: PageError[]): string {
	const { id, sent, body } = record;
	const of = typeof sent?.url === 'string' ? ` of ${shorten(sent.url, 200)}` : '';
	const reasons = errors.slice(0, MAX_REASONS).map(pageErrorText);
	const why = reasons.length === 0 ? '' : `: ${withMore(reasons, errors.length - MAX_REASONS, '; ')}`;
	const [warning] = readWarnings(body);
	const remark = warning === undefined ? '' : ` The service says: ${warning.replace(/\.$/, '')}.`;
	const counted = countedIn(record);
	const although = counted > 0 ? `, although the service counts ${counted}` : '';
	return `The ${label} ${id}${of} ended without a page${although}${why}.${remark}`;
}

/** The number of pages that the service counts, done or not. */
function countedIn({ body }: JobRecord): number {
	return (typeof body.completed === 'number' ? body.completed : 0) + uncounted(body);
}
