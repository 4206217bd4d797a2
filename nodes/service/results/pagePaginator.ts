import { isJsonObject } from '../http/answer';
import { failureOrThrow, ServiceFailure } from '../http/failure';
import type { JsonObject, ServiceRequest } from '../http/transport';
import type { ServiceClient } from '../limits/client';
import { callOfShownJob } from './shownJob';
import { identityOf, PageDeduplicator, type Slice } from './pageDeduplicator';
import { limited, nextOf, placeText, readNext, skipIn } from './nextPageUrl';

/**
 * Most pages that are read of one job. Far above what the service crawls by default (10,000,
 * docs/service-notes.md#prices): it only ends what would never end by itself.
 */
export const MAX_PAGES = 250_000;

/** Most slices in a row that are gone over without a new page: ten thousand places, where nothing is wrong. */
const MAX_EMPTY_SLICES = 100;

export interface PagesParts {
	client: ServiceClient;
	/** Asks for the first slice of the results; the same path gives the others. */
	request: ServiceRequest;
	/** An answer to a status request of the ended job, which may hold all pages already. */
	lastCheck?: JsonObject | undefined;
	/** Where an answer has the list of pages; `data` when left out. */
	at?: readonly string[] | undefined;
	/** Asked for with each slice. */
	asks?: JsonObject | undefined;
	/** Most pages that are wanted; all when left out. */
	most?: number | undefined;
	/** How many pages, in the service's order, come before the first that is wanted; 0 when left out. */
	skip?: number | undefined;
	/** How many pages the service counts of an ended job, those included that are gone; 0 when not known. */
	counted?: number | undefined;
	/** Look behind the last page that is wanted where nothing else tells whether there is another. */
	looksBehind?: boolean | undefined;
	/**
	 * Called when the service has named a next slice and that one is empty, where the count does not tell how
	 * many pages are missing then.
	 */
	onBrokenOff?: (() => void) | undefined;
}

/** One slice that was checked, and what follows from it. */
interface Step {
	slice: Slice;
	/** False for one that says nothing. */
	gives: boolean;
	/** True where none is to be asked for after it. */
	isLast: boolean;
}

/** Goes from slice to slice of one job: what is given, what is gone over, where it ends. */
export class PagePaginator {
	private readonly at: readonly string[];

	private readonly skip: number;

	private readonly counted: number;

	private readonly isPart: boolean;

	private readonly known: PageDeduplicator;

	private readonly asked = new Set<string>();

	/** Most pages that are still wanted. */
	private left: number;

	private query: JsonObject;

	/** The answer that is there without asking. */
	private whole: JsonObject | undefined;

	/** How many places come before the next slice. */
	private before: number;

	/** True for the one more check behind the end of a part. */
	private asksForRest = false;

	private given = 0;

	/** Slices in a row without a new page. */
	private emptyOnes = 0;

	constructor(private readonly parts: PagesParts) {
		const { lastCheck, at = ['data'], asks, counted = 0, most = Infinity, skip = 0 } = parts;
		this.at = at;
		this.skip = skip;
		this.counted = counted;
		this.isPart = most < Infinity || skip > 0;
		this.known = new PageDeduplicator(skip);
		this.left = Math.min(most, MAX_PAGES);
		this.query = limited({ ...asks, ...(skip > 0 && { skip }) }, this.left);
		this.whole = lastCheck && isWhole(lastCheck, at) ? lastCheck : undefined;
		this.before = this.whole ? 0 : skip;
	}

	/** Whether any more pages are wanted. */
	get isWanted(): boolean {
		return this.left > 0;
	}

	/** Checks the next slice. Throws a ServiceFailure. */
	async step(): Promise<Step> {
		const { at, known, left } = this;
		const { client } = this.parts;
		const body = await this.ask();
		const data = readData(body, at, client.baseUrl);
		const next = readNext(nextOf(body), client.baseUrl);
		const nextSkip = skipIn(next);
		if (this.startsAnew(data, nextSkip ?? body.completed)) this.before = 0;
		const end = nextSkip ?? this.before + data.length;
		const slice = known.add(data, { before: this.before, end, left });
		const step = this.judge(slice, { end, isEmpty: !data.some(isJsonObject) });
		return { ...step, isLast: step.isLast || !this.moveOn(slice, { end, next }) };
	}

	/**
	 * Whether there are pages behind those that were wanted. The count tells that there are, but not that
	 * there are none: it may be too low, and a link may stay for ever (recording crawl-22). One page behind
	 * them proves it. Where it cannot be had there may be some: whoever asks for them is told.
	 */
	async hasMoreBehind({ reached, hasMore }: Slice): Promise<boolean | undefined> {
		const { at, counted, known } = this;
		const { client, request, asks, looksBehind } = this.parts;
		if (!looksBehind || hasMore === true || reached < counted) return hasMore;
		const query = { ...asks, skip: reached, limit: 1 };
		try {
			const body = await client.call({ ...request, query });
			return known.isNewIn(readData(body, at, client.baseUrl));
		} catch (error) {
			const failure = failureOrThrow(error);
			if (failure.kind === 'aborted') throw failure;
			return true;
		}
	}

	private async ask(): Promise<JsonObject> {
		const { query, whole } = this;
		const { client, request } = this.parts;
		this.asked.add(placeText(query));
		this.whole = undefined;
		const isPlain = Object.keys(query).length === 0;
		if (whole) return whole;
		return await callOfShownJob(client, { ...request, ...(!isPlain && { query }) }, (body) =>
			this.problemOf(body),
		);
	}

	/** A list that is missing is the end of the pages, but not where the service counts some that are to come. */
	private problemOf(body: JsonObject): ServiceFailure | undefined {
		const data = valueAt(body, this.at);
		if (Array.isArray(data)) return undefined;
		const isMissing = data === undefined || data === null;
		if (isMissing && this.before >= this.counted) return undefined;
		return noList(this.parts.client.baseUrl, isMissing);
	}

	/** `end`: of its places. `isEmpty`: it has no page, not even one that was there before. */
	private judge(slice: Slice, { end, isEmpty }: { end: number; isEmpty: boolean }): Step {
		const pages = slice.pages.length;
		if (pages > 0) {
			this.given += pages;
			this.left -= pages;
			this.emptyOnes = 0;
			return { slice, gives: true, isLast: false };
		}
		if (this.asksForRest) {
			return { slice: { ...slice, reached: this.counted }, gives: true, isLast: true };
		}
		if (!isEmpty && this.before < this.skip) return { slice, gives: false, isLast: false };
		this.emptyOnes += 1;
		const isCounted = end > this.before && end < this.counted;
		const movesOn = isCounted && this.emptyOnes < MAX_EMPTY_SLICES;
		const isTold = this.asked.size > 1 && this.before > this.counted;
		if (isEmpty && !movesOn && isTold) this.parts.onBrokenOff?.();
		return { slice, gives: isEmpty && movesOn && this.given > 0, isLast: !movesOn };
	}

	/**
	 * True for the answer of a server that does not read `skip`: it begins as the job does. Of one that does,
	 * a page that is there twice may begin a part; its slice ends where the link, or the job, says.
	 */
	private startsAnew(data: unknown[], upTo: unknown): boolean {
		const { at, before, skip } = this;
		const { lastCheck } = this.parts;
		// Where nothing is skipped it makes no difference, and digests of a whole slice cost something.
		if (skip === 0 || before !== skip) return false;
		const first = lastCheck && valueAt(lastCheck, at);
		if (!Array.isArray(first) || first.length === 0) return false;
		const isInPlace = first.length === 1 && skip + data.length === upTo;
		return !isInPlace && identitiesIn(first) === identitiesIn(data.slice(0, first.length));
	}

	/** Makes ready for the next slice; false where there is none, or it was asked for before. */
	private moveOn(
		slice: Slice,
		{ end, next }: { end: number; next: JsonObject | undefined },
	): boolean {
		const { asks } = this.parts;
		const isCutOff = this.isPart && this.given > 0 && slice.reached < this.counted;
		this.asksForRest = !next && isCutOff && this.isWanted;
		if (!next && !this.asksForRest) return false;
		this.before = next ? end : slice.reached;
		this.query = limited({ ...asks, ...(next ?? { skip: this.before }) }, this.left);
		return !this.asked.has(placeText(this.query));
	}
}

/** What is at the places of a slice, to be compared. */
function identitiesIn(data: unknown[]): string {
	return JSON.stringify(data.map((page) => isJsonObject(page) && identityOf(page)));
}

/**
 * True when the last check of an ended job holds all of its pages. It asked for one page only, but not
 * every server reads that (recording crawl-08), and one page may be all there is.
 */
function isWhole(body: JsonObject, at: readonly string[]): boolean {
	const pages = valueAt(body, at);
	if (!Array.isArray(pages) || nextOf(body)) return false;
	const { completed } = body;
	return typeof completed === 'number' ? pages.length >= completed : pages.length > 1;
}

function valueAt(body: JsonObject, at: readonly string[]): unknown {
	return at.reduce<unknown>((one, name) => (isJsonObject(one) ? one[name] : undefined), body);
}

/**
 * What is in the places of one slice: what is no page stands for a page that is gone, and has its place.
 * Throws when there is something else than a list.
 */
function readData(body: JsonObject, at: readonly string[], baseUrl: string): unknown[] {
	const data = valueAt(body, at);
	if (data === undefined || data === null) return [];
	if (Array.isArray(data)) return data;
	throw noList(baseUrl, false);
}

function noList(baseUrl: string, isMissing: boolean): ServiceFailure {
	return new ServiceFailure({
		kind: 'notJson',
		reached: 'maybe',
		message: `${baseUrl} answered ${isMissing ? 'without a' : 'with something other than a'} list of pages.`,
	});
}
