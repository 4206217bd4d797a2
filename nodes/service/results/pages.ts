import { createHash } from 'node:crypto';
import { isJsonObject } from '../http/answer';
import { ServiceFailure, failureOrThrow, shorten } from '../http/failure';
import { MAX_RETRIES, backoffMs, retry } from '../http/retry';
import type { JsonObject, ServiceRequest } from '../http/transport';
import { ABSENCE_MS, deniedPauseMs } from '../jobs/wait';
import type { ServiceClient } from '../limits/client';

/**
 * Most pages that are read of one job. Far above what the service crawls by default (10,000,
 * docs/service-notes.md#prices): it only ends what would never end by itself.
 */
const MAX_PAGES = 250_000;

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
class PagePaginator {
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
		return await callOfShownJob(client, { ...request, ...(!isPlain && { query }) }, (body) => this.problemOf(body));
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
	private moveOn(slice: Slice, { end, next }: { end: number; next: JsonObject | undefined }): boolean {
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

/** A query of the service has two values (docs/service-notes.md#parts-of-a-result); the rest is room for later ones. */
const MAX_QUERY_VALUES = 10;
const MAX_NEXT_LENGTH = 4000;

/** Pages of a slice when none are asked for (docs/service-notes.md#parts-of-a-result). */
const SLICE_PAGES = 100;

/** Longest piece of a bad link that is shown. */
const MAX_SHOWN = 100;

/** It stands at the top, beside the pages in `data`, or in both places (recording monitor-39). */
function nextOf({ next, data }: JsonObject): unknown {
	return next ?? (isJsonObject(data) ? data.next : undefined);
}

/**
 * The query behind a `next` link, to be put on our own base URL and the job's own path; undefined when
 * the link is the last one (missing or null) or asks for nothing.
 *
 * Nothing else of the link is used, so the key cannot be led anywhere: the slices come from where the job
 * is. Servers build the link from the Host header and say https even where they are http
 * (docs/service-notes.md#parts-of-a-result), proxies change ports and names: scheme, host, port and path are of
 * no matter. Throws a ServiceFailure for what is no link.
 */
function readNext(next: unknown, baseUrl: string): JsonObject | undefined {
	if (next === undefined || next === null) return undefined;
	const values = [...asUrl(next, baseUrl).searchParams];
	if (values.length > MAX_QUERY_VALUES) throw noLink(next, baseUrl);
	return values.length === 0 ? undefined : Object.fromEntries(values);
}

/** How many places are before the slice of this link; undefined where it does not say so. */
function skipIn({ skip }: JsonObject = {}): number | undefined {
	return typeof skip === 'string' && /^\d{1,9}$/.test(skip) ? Number(skip) : undefined;
}

/**
 * Asks for no more pages than are wanted, so that it can be told how far the slice reaches. A slice has
 * about a hundred by itself: asking for more of them gains nothing.
 */
function limited(query: JsonObject, left: number): JsonObject {
	const own = Number(query.limit) || SLICE_PAGES;
	return left < own ? { ...query, limit: left } : query;
}

/** The same for every way to ask for the slice that begins at the same place. */
function placeText(query: JsonObject): string {
	// The first slice is the one that skips nothing.
	const entries = Object.entries({ skip: '0', ...query }).filter(([name]) => name !== 'limit');
	return JSON.stringify(entries.map(([name, value]) => [name, String(value)]).sort());
}

function asUrl(next: unknown, baseUrl: string): URL {
	if (typeof next !== 'string' || next.length > MAX_NEXT_LENGTH) throw noLink(next, baseUrl);
	let url: URL;
	try {
		url = new URL(next, `${baseUrl}/`);
	} catch {
		throw noLink(next, baseUrl);
	}
	if (url.protocol !== 'http:' && url.protocol !== 'https:') throw noLink(next, baseUrl);
	return url;
}

function noLink(next: unknown, baseUrl: string): ServiceFailure {
	const shown = typeof next === 'string' ? next : JSON.stringify(next);
	return new ServiceFailure({
		kind: 'notJson',
		reached: 'maybe',
		message: `${baseUrl} gave an invalid address for the next pages: ${shorten(shown, MAX_SHOWN)}.`,
	});
}

/** Some pages of a job, and where each stands among all of them in the service's order, from 1. */
interface Slice {
	pages: JsonObject[];
	numbers: number[];
	/** The last place that was gone over, which may have no page, or one that was there before. */
	reached: number;
	/** Whether there is a page behind it; undefined where that was not checked. */
	hasMore?: boolean;
}

/** The places of one slice among all pages of a job. */
interface Places {
	/** How many are before it. */
	before: number;
	/** How many there are up to the next slice, as the link there says. */
	end: number;
	/** Most pages that are still wanted. */
	left: number;
}

/** Remembers which pages were seen, without keeping them. */
class PageDeduplicator {
	private readonly seen = new Set<string>();

	/** The number of the last page that was taken. */
	private last = 0;

	/** Pages at the first `skip` places are not wanted. */
	constructor(private readonly skip: number) {}

	/**
	 * Takes those that were not there before and are wanted. A slice that was checked to its end reaches
	 * up to the next one: servers leave pages out that are gone, and count their places all the same.
	 */
	add(data: unknown[], { before, end, left }: Places): Slice {
		const slice: Slice = { pages: [], numbers: [], reached: before };
		for (const [index, page] of data.entries()) {
			if (slice.pages.length >= left) {
				return { ...slice, hasMore: this.isNewIn(data.slice(index)) };
			}
			const place = before + index + 1;
			slice.reached = place;
			if (!isJsonObject(page)) continue;
			const identity = identityOf(page);
			if (this.seen.has(identity)) continue;
			this.seen.add(identity);
			if (place <= this.skip) continue;
			// Slices that overlap count some places again.
			this.last = Math.max(place, this.last + 1);
			slice.pages.push(page);
			slice.numbers.push(this.last);
		}
		slice.reached = Math.max(slice.reached, end);
		return slice;
	}

	/** Whether there is a page among them that was not there before. */
	isNewIn(data: unknown[]): boolean {
		return data.some((page) => isJsonObject(page) && !this.seen.has(identityOf(page)));
	}
}

/**
 * What tells a page from all others: each scrape has its own id, and the same id may come again
 * with another URL when a page is served from the cache. Without an id the whole page counts. As half a digest,
 * a byte a letter: of a large job there are a hundred thousand at a time.
 */
function identityOf(page: JsonObject): string {
	const { scrapeId, sourceURL, url } = isJsonObject(page.metadata) ? page.metadata : {};
	const hasId = typeof scrapeId === 'string' && scrapeId !== '';
	const told = JSON.stringify(hasId ? [scrapeId, sourceURL, url] : page);
	return createHash('sha256').update(told).digest().toString('latin1', 0, 16);
}

export type { Slice };

/**
 * The pages of a job, slice by slice: complete, in the service's order, none twice. No slice is asked
 * for that is not needed, none is kept. One without a page may follow others: it tells how far they reach.
 *
 * Ends when `next` is missing, a slice is empty (docs/service-notes.md#parts-of-a-result), or a slice brings
 * nothing new: servers may ignore `skip` and answer with the first slice again (recording crawl-08b). Pages
 * that are gone have their places, which the service counts but leaves out of its lists: an empty slice is gone
 * over where its link moves on to places that are counted, and where a part of a job ends before the last of
 * them, one more check tells whether there is a page. Each slice is tried again like every read. Throws a
 * ServiceFailure when one cannot be had, when `next` is no link, and when the execution is stopped.
 */
export async function* readSlices(parts: PagesParts): AsyncGenerator<Slice, void> {
	const { client, lastCheck, most = Infinity } = parts;
	if (most <= 0) return;
	// Nobody waits an hour to be told what is known at once.
	if (most > MAX_PAGES && Number(lastCheck?.completed) > MAX_PAGES) throw tooMany(client.baseUrl);
	const walk = new PagePaginator(parts);
	for (;;) {
		const { slice, gives, isLast } = await walk.step();
		const isFull = !walk.isWanted;
		if (isFull) slice.hasMore = await walk.hasMoreBehind(slice);
		if (gives) yield slice;
		if (isLast) return;
		if (isFull) break;
	}
	if (most > MAX_PAGES) throw tooMany(client.baseUrl);
}

function tooMany(baseUrl: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'tooLarge',
		reached: 'maybe',
		message: `${baseUrl} has more than ${MAX_PAGES} pages for one job, too many to be read at once: read them in parts, with Limit and From Page.`,
	});
}

/**
 * Asks for something of a job that a status request has shown. The machine that answers this time may not
 * have it yet, so a 404 counts only after a minute of them. `problemOf` tells what is wrong with an answer that
 * cannot be used: it is asked for again like one that is not JSON. Throws a ServiceFailure.
 */
async function callOfShownJob(
	client: ServiceClient,
	request: ServiceRequest,
	problemOf?: (answer: JsonObject) => ServiceFailure | undefined,
): Promise<JsonObject> {
	const { time } = client;
	const endMs = time.now() + ABSENCE_MS;
	let denials = 0;
	let unusable = 0;
	let problem: ServiceFailure | undefined;
	const pauseMs = (answer: JsonObject | ServiceFailure) => {
		if (problem) {
			unusable += 1;
			return unusable <= MAX_RETRIES ? backoffMs(unusable, time.random()) : undefined;
		}
		denials += 1;
		const isDenied = answer instanceof ServiceFailure && answer.notFound;
		return isDenied && time.now() < endMs ? deniedPauseMs(denials, time.random()) : undefined;
	};
	const answer = await retry<JsonObject | ServiceFailure>(
		{ pauseMs, sleep: async (ms) => await client.pause(ms) },
		async () => {
			const given = await client.call(request).catch(failureOrThrow);
			problem = given instanceof ServiceFailure ? undefined : problemOf?.(given);
			return problem ?? given;
		},
	);
	if (answer instanceof ServiceFailure) throw answer;
	return answer;
}
