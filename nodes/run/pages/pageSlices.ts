import { isProviderRouted } from '../../cost/prices';
import { askedFormats } from '../../operation/askedFormats';
import type { AskedFormats } from '../../operation/askedFormats';
import type { ItemDraft, JobPages, JobRecord } from '../../operation/operation';
import { checkedPage, withoutHiddenText } from '../../operation/valueCheck';
import type { CheckedPage } from '../../operation/valueCheck';
import { addCredits, creditsOfPage } from '../../operation/webPage';
import type { JsonObject } from '../../service/http/transport';
import { resultsRequest } from '../../service/jobs/jobKinds';
import { uncounted } from '../../service/jobs/readEnd';
import type { PageError } from '../../service/results/pageErrors';
import { paginate } from '../../service/results/pages';
import type { Slice } from '../../service/results/pages';
import { isGivenOut } from '../changes/pageChanges';
import type { JobPlan } from '../job/jobPlan';
import type { Notes } from '../output/notes';
import { noteDraft, noteFailures, notePage } from '../output/pageNotes';
import type { JobEnd, PagesWork } from './pagesWork';

/** The pages of a job that are asked for, slice by slice. */
export function slicesOf(
	{ client, notes }: PagesWork,
	{ kind, mostPages: most, firstPage, pagesQuery }: JobPlan,
	{ id, body }: JobRecord,
	{ isDone, hasEnded }: JobEnd,
): AsyncGenerator<Slice> {
	const request = resultsRequest(kind, id);
	const asks = { ...kind.pagesQuery, ...pagesQuery };
	// A check asks for the pages as they are.
	const lastCheck = isChosen(pagesQuery) ? undefined : body;
	const { completed } = body;
	// A cancelled job names a next slice for ever (recording crawl-22).
	const onBrokenOff = isDone ? () => notes.add('brokenOff', { name: `the ${kind.label} ${id}` }) : undefined;
	return paginate({
		client,
		request,
		at: kind.pagesAt,
		asks,
		lastCheck,
		most,
		skip: (firstPage ?? 1) - 1,
		// Pages that a running job counts may come later.
		counted: hasEnded && lastCheck && typeof completed === 'number' ? completed : undefined,
		told: hasEnded ? kind.pagesTold?.(body) : undefined,
		onBrokenOff,
		onBeyondCount: (reached) => notes.add('beyondCount', { name: `the ${kind.label} ${id} at page ${reached}` }),
	});
}

/** True where only some of a job's pages are asked for. */
function isChosen(pagesQuery: JobPlan['pagesQuery'] = {}): boolean {
	return Object.keys(pagesQuery).length > 0;
}

/** The pages that an ended job failed on, noted for the hint; undefined when that is not known. */
export async function failuresOf(
	{ errors, notes, operation: { job: kind } }: PagesWork,
	{ id }: JobRecord,
	{ hasEnded }: JobEnd,
): Promise<PageError[] | undefined> {
	if (!hasEnded || kind.errorsPath === undefined) return undefined;
	const failures = await errors.readOnce(id);
	noteFailures(notes, failures);
	return failures;
}

/** The end of the reading of a job, or of a part of it. */
export interface ReadingEnd {
	/** The position at which the next part begins (nextPageOf). */
	nextPage: number | null | undefined;
	/** Undefined where that is not known, or told with a later part. */
	failures: PageError[] | undefined;
	/** The number of pages that the service counts, or was given, that are neither there nor named as failed. */
	missing: number;
}

/**
 * To be called when a job, or a part of it, has been read: notes the pages that are missing, and those that
 * the job failed on. These are told once, with the last part: while the job runs there may be more.
 */
export async function endOfReading(
	work: PagesWork,
	plan: JobPlan,
	record: JobRecord,
	end: JobEnd,
	sum: PageSum,
): Promise<ReadingEnd> {
	const nextPage = nextPageOf(plan, record, end, sum);
	const isLast = typeof nextPage !== 'number';
	const failures = isLast ? await failuresOf(work, record, end) : undefined;
	if (isLast && sum.pages === 1 && !isLaterPart(plan)) {
		work.notes.say('fewPages', work.result.adviceOnFewPages?.(record.sent ?? {}));
	}
	const refused = refusedUrls(end.answer);
	for (const { url, message } of refused) {
		work.notes.add('refusedUrls', { name: isProviderRouted(url) ? `${url} (${message})` : url });
	}
	const missing = missingOf(plan, record, end, sum, { nextPage, failures: [...(failures ?? []), ...refused] });
	work.notes.add('missingPages', { amount: missing });
	return { nextPage, failures, missing };
}

/**
 * Pages that should be there but are neither there nor named as failed: of those the service counts, or
 * of the URLs it was given.
 */
function missingOf(
	plan: JobPlan,
	record: JobRecord,
	end: JobEnd,
	sum: PageSum,
	{ nextPage, failures = [] }: Pick<ReadingEnd, 'nextPage' | 'failures'>,
): number {
	if (isChosen(plan.pagesQuery)) return 0;
	const counted = end.isDone ? uncounted(record.body) : 0;
	if (nextPage !== undefined) return missingOfPart(plan, record, sum, nextPage) + (nextPage === null ? counted : 0);
	if (plan.mostPages !== undefined) return 0;
	const { body, sent } = record;
	const read = sum.pages;
	const given = Array.isArray(sent?.urls) ? new Set(sent.urls).size : 0;
	const done = typeof body.completed === 'number' ? body.completed : 0;
	return Math.max(0, given - failures.length - read, done + counted - read);
}

/** The pages of a slice as items; where a job is read in parts, each says which of its pages it is. */
export function numberedDrafts(
	work: PagesWork,
	plan: JobPlan,
	record: JobRecord,
	{ pages, numbers }: Slice,
): ItemDraft[] {
	const drafts = pages.map((page) => pageDraft(work, plan, record, page));
	if (plan.firstPage === undefined) return drafts;
	return drafts.map((draft, index) => ({
		...draft,
		json: { ...draft.json, pageNumber: numbers[index] },
	}));
}

/** True where a job is read from a later page on. */
export function isLaterPart({ firstPage = 1 }: JobPlan): boolean {
	return firstPage > 1;
}

/**
 * The position of the part after this one, counted from 1; null after the last page of an ended job, and undefined
 * where the job is not read in parts. A job that still runs may have more pages later. One that has ended is gone
 * through up to the last page that it has, and up to the last that the service counts, also where a reading breaks off
 * before; where there is no page at all, there are none behind it.
 */
function nextPageOf(
	{ firstPage }: JobPlan,
	{ body: { completed } }: JobRecord,
	{ hasEnded }: JobEnd,
	{ pages, reached, hasMore }: PageSum,
): number | null | undefined {
	if (firstPage === undefined) return undefined;
	const next = (reached ?? firstPage - 1) + 1;
	if (!hasEnded) return next;
	if (pages === 0) return null;
	const isCounted = typeof completed === 'number' && next <= completed;
	return isCounted || hasMore ? next : null;
}

/**
 * How many of the places that a part went over have no page; with the last part, those behind it up to
 * the last page that the service counts.
 */
function missingOfPart(
	{ firstPage = 1 }: JobPlan,
	{ body: { completed } }: JobRecord,
	{ pages, reached }: PageSum,
	nextPage: number | null,
): number {
	const before = firstPage - 1;
	const counted = nextPage === null && typeof completed === 'number' ? completed : 0;
	return Math.max(0, Math.max(counted, reached ?? before) - before - pages);
}

/**
 * The costs of a job by what its pages say; undefined where this reading had not all of them: a part of the pages
 * tells the price of that part only.
 */
export function creditsOfAll(
	plan: JobPlan,
	{ body: { completed } }: JobRecord,
	{ hasEnded }: JobEnd,
	{ pages, credits }: PageSum,
	nextPage: number | null | undefined,
): number | undefined {
	const isCut = typeof nextPage === 'number' || pages >= (plan.mostPages ?? Infinity);
	const isPart = isChosen(plan.pagesQuery) || isLaterPart(plan) || (isCut && nextPage !== null);
	const isLacking = typeof completed === 'number' && pages < completed;
	return hasEnded && !isPart && !isLacking ? credits : undefined;
}

/** The item, with the beginning of the next part and the number of missing pages in it, where there are any. */
export function withEnd<T extends Pick<ItemDraft, 'json'>>(
	item: T,
	{ nextPage, missing }: Partial<Pick<ReadingEnd, 'nextPage' | 'missing'>>,
): T {
	const told = { ...(nextPage !== undefined && { nextPage }), ...(missing && { missingPages: missing }) };
	return { ...item, json: { ...item.json, ...told } };
}

/** The number of pages that were read of a job, and the sum of their costs. */
export class PageSum {
	pages = 0;

	/** Undefined without a page, and as soon as one does not say it. */
	credits: number | undefined;

	/** The last place among all pages of the job that was checked, from 1; undefined before the first. */
	reached: number | undefined;

	/** Whether the service has named pages behind those that were wanted. */
	hasMore = false;

	/** `asked` is what was asked for of the pages, where that is known. */
	constructor(
		private readonly notes: Notes,
		private readonly asked?: AskedFormats,
	) {}

	addSlice({ pages, reached, hasMore }: Slice): void {
		for (const page of pages) this.add(page);
		this.reached = reached;
		this.hasMore = hasMore;
	}

	private add(page: JsonObject): void {
		const sum = this.pages === 0 ? 0 : this.credits;
		this.pages += 1;
		this.credits = addCredits(sum, creditsOfPage(page));
		notePage(this.notes, page, this.asked);
	}
}

/** Counts the pages of a job, and what they lack of what was asked for. */
export function sumOfPages({ notes }: { notes: Notes }, { sent, storedFiles, check }: JobPlan): PageSum {
	return new PageSum(notes, askedFormats(sent, storedFiles, check));
}

/** A page of a job as an item, and what it lacks noted. */
export function pageDraft(
	{ result, asText, notes }: PagesWork,
	{ storedFiles: stored, choice, bound }: JobPlan,
	record: JobRecord,
	page: JsonObject,
): ItemDraft {
	const draft = result.toPageItem(page, record, { stored, detail: detailOf(choice), asText, bound });
	noteDraft(notes, draft);
	return draft;
}

/** Pages that are checked before others in the process have their turn. */
const PAGES_BETWEEN_PAUSES = 10;

/**
 * Pages with what is known of the values of their JSON, where these are to be looked up on them; that is noted. To be
 * called after they were compared with those of the last run: those that are not put out are left as they are.
 */
export async function withChecks(
	{ client, notes }: PagesWork,
	{ check, choice }: JobPlan,
	pages: JsonObject[],
): Promise<JsonObject[]> {
	if (!check) return pages;
	const all: JsonObject[] = [];
	for (const page of pages) {
		const { page: own, checked }: CheckedPage = isGivenOut(page)
			? checkedPage(page, check, detailOf(choice))
			: { page: withoutHiddenText(page, check) };
		if (checked) notes.values.add(checked);
		all.push(own);
		if (all.length % PAGES_BETWEEN_PAUSES === 0) await client.time.sleep(0);
	}
	return all;
}

/** The slice with the pages that are put out. */
export async function wantedOf(work: PagesWork, plan: JobPlan, slice: Slice): Promise<Slice> {
	const wanted = await work.changes.wanted(plan, slice);
	return { ...wanted, pages: await withChecks(work, plan, wanted.pages) };
}

const detailOf = (choice: string) => (choice === 'fullPages' ? 'fullDocument' : 'simplified');

/** Pages that a job failed on as items, where they are wanted. */
export function failedPageDrafts(
	{ result }: PagesWork,
	{ failedPages, choice }: JobPlan,
	record: JobRecord,
	errors: PageError[] | undefined,
): ItemDraft[] {
	const arePages = choice === 'pages' || choice === 'fullPages';
	if (!failedPages || !arePages || !errors) return [];
	return errors.map((error) => result.toFailedPageItem(error, record));
}

/** The job as an item; without its pages the state alone. */
export function jobDraft({ result, asText }: PagesWork, record: JobRecord, read: JobPages = {}): ItemDraft {
	return result.toJobItem(record, read, asText);
}

/** URLs that the service left out when the job was started. */
export function refusedUrls({ invalidURLs }: JsonObject): PageError[] {
	const urls = Array.isArray(invalidURLs) ? invalidURLs : [];
	return urls
		.filter((url): url is string => typeof url === 'string')
		.map((url) => ({
			url,
			cause: 'failed',
			code: '',
			message: isProviderRouted(url)
				? 'The service does not accept this URL. Its data provider may want its terms accepted first: Page · Scrape of this URL says where.'
				: 'The service does not accept this URL.',
			timestamp: null,
			id: null,
		}));
}
