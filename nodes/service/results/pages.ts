import { createHash } from 'node:crypto';
import type { ServiceClient } from '../client';
import { isJsonObject } from '../http/answer';
import { ServiceFailure, shorten } from '../http/failure';
import { PATIENCE } from '../http/retry';
import type { JsonObject, ServiceRequest } from '../http/transport';

/**
 * Most pages that are read of one job. Far above what the service crawls by default (10,000,
 * docs/reference/service-notes.md#prices): it only ends what would never end by itself.
 */
const MAX_PAGES = 250_000;

/**
 * The number of pages by which an ended job may exceed the count of the service: its count may lag, but what names new
 * pages for ever must end. And how much they may hold, by the pages that it counts.
 */
const SPARE_PAGES = 1000;
const SPARE_CHARACTERS = 256 * 1024 * 1024;
const CHARACTERS_A_PAGE = 1024 * 1024;

/** Most slices in a row that are gone over without a new page: ten thousand places, where nothing is wrong. */
const MAX_EMPTY_SLICES = 100;

export interface PagesParts {
	client: ServiceClient;
	/** Asks for the first slice of the results; the same path gives the others. */
	request: ServiceRequest;
	/** An answer to a status request of the ended job, which may hold all pages already. */
	lastCheck?: JsonObject | undefined;
	/** The path of the list of pages in an answer; `data` when left out. */
	at?: readonly string[] | undefined;
	/** Asked for with each slice. */
	asks?: JsonObject | undefined;
	/** Most pages that are wanted; all when left out. */
	most?: number | undefined;
	/** The number of pages, in the service's order, before the first that is wanted; 0 when left out. */
	skip?: number | undefined;
	/** The number of pages that the service counts of an ended job, those included that are gone; 0 when not known. */
	counted?: number | undefined;
	/** The same, where it says nothing of places; undefined when left out, where `counted` is taken. */
	told?: number | undefined;
	/**
	 * Called when the service has named a next slice and that one has no new page, where the count does not tell how
	 * many pages are missing then.
	 */
	onBrokenOff?: (() => void) | undefined;
	/** Called when the reading ends before the service does, with where: its pages go far beyond its own count. */
	onBeyondCount?: ((reached: number) => void) | undefined;
}

/** Some pages of a job, and where each stands among all of them in the service's order, from 1. */
export interface Slice {
	pages: JsonObject[];
	numbers: number[];
	/** The last place that was gone over, which may have no page, or one that was there before. */
	reached: number;
	/** Whether the service has named pages behind it. */
	hasMore: boolean;
}

/**
 * The pages of a job, slice by slice: complete, in the service's order, none twice. No slice is asked
 * for that is not needed, none is kept. One without a page may follow others: it tells how far they reach.
 *
 * Ends when `next` is missing, or a slice brings nothing new: servers may ignore `skip` and answer with the first
 * slice again (recording crawl-08b), or the pages go far beyond the service's own count. Deleted pages still count toward the offset, though the service leaves them out
 * of its lists: an empty slice is gone over where its link moves on to places that are counted. Each slice is tried
 * again like every read; a 404 counts only after a minute of them, since the machine that answers this time may not
 * have the job yet. Throws a ServiceFailure when a slice cannot be had, when `next` is no link, and when the
 * execution is stopped.
 */
export async function* paginate(parts: PagesParts): AsyncGenerator<Slice, void> {
	const { client, request, lastCheck, at = ['data'], asks, most = Infinity, skip = 0, counted = 0 } = parts;
	const { baseUrl } = client;
	if (most <= 0) return;
	// Nobody waits an hour to be told what is known at once.
	if (most > MAX_PAGES && Number(lastCheck?.completed) > MAX_PAGES) throw tooMany(baseUrl);
	let left = Math.min(most, MAX_PAGES);
	const known = new PageDeduplicator(skip);
	const asked = new Set<string>();
	let query = limited({ ...asks, ...(skip > 0 && { skip }) }, left);
	let before = skip;
	let emptyOnes = 0;
	let body = lastCheck && isWhole(lastCheck, at) ? lastCheck : undefined;
	let characters = 0;
	for (;;) {
		asked.add(placeText(query));
		const hasQuery = Object.keys(query).length > 0;
		if (!body) {
			const received = await client.receive({ ...request, ...(hasQuery && { query }) }, PATIENCE.shown);
			body = received.body;
			characters += received.length;
		}
		const data = readData(body, at, baseUrl, before < counted);
		const next = readNext(nextOf(body), baseUrl);
		const nextSkip = skipIn(next);
		if (skip > 0 && before === skip && lastCheck) {
			const isInPlace = skip + data.length === (nextSkip ?? body.completed);
			if (startsAnew(valueAt(lastCheck, at), data, isInPlace)) before = 0;
		}
		// If no next part is named, all positions that are counted were gone over.
		const end = nextSkip ?? Math.max(before + data.length, next ? 0 : counted);
		const slice = known.add(data, { before, end, left });
		slice.hasMore ||= next !== undefined;
		left -= slice.pages.length;
		emptyOnes = slice.pages.length > 0 ? 0 : emptyOnes + 1;
		const movesOn = end > before && end < counted && emptyOnes < MAX_EMPTY_SLICES;
		if (emptyOnes > 0 && !movesOn) {
			if (asked.size > 1 && before > counted) parts.onBrokenOff?.();
			return;
		}
		yield slice;
		if (left <= 0) break;
		if (!next) return;
		if (parts.counted !== undefined || parts.told !== undefined) {
			const told = Math.max(counted, parts.told ?? 0, Number(body.completed) || 0);
			const mostCharacters = SPARE_CHARACTERS + told * CHARACTERS_A_PAGE;
			if (slice.reached > told + Math.max(told, SPARE_PAGES) || characters > mostCharacters) {
				parts.onBeyondCount?.(slice.reached);
				return;
			}
		}
		before = end;
		query = limited({ ...asks, ...next }, left);
		if (asked.has(placeText(query))) return;
		body = undefined;
	}
	if (most > MAX_PAGES) throw tooMany(baseUrl);
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

/**
 * True for the answer of a server that does not read `skip` (recording crawl-08b): it begins as the last check does,
 * which is at the job's first page. A page that is there twice may begin a part, too: then its slice ends where the
 * link, or the job, says.
 */
function startsAnew(first: unknown, data: unknown[], isInPlace: boolean): boolean {
	if (!Array.isArray(first) || first.length === 0 || (first.length === 1 && isInPlace)) return false;
	return first.every((page, index) => isSamePage(page, data[index]));
}

function isSamePage(one: unknown, other: unknown): boolean {
	if (!isJsonObject(one) || !isJsonObject(other)) return !isJsonObject(one) && !isJsonObject(other);
	return identityOf(one) === identityOf(other);
}

function valueAt(body: JsonObject, at: readonly string[]): unknown {
	return at.reduce<unknown>((one, name) => (isJsonObject(one) ? one[name] : undefined), body);
}

/**
 * The content of the positions of one part: what is no page stands for a page that is gone, and has its place. A list
 * that is missing is the end of the pages, but not where more of them `areCounted`. Throws a ServiceFailure.
 */
function readData(body: JsonObject, at: readonly string[], baseUrl: string, areCounted: boolean): unknown[] {
	const data = valueAt(body, at);
	if (Array.isArray(data)) return data;
	const isMissing = data === undefined || data === null;
	if (isMissing && !areCounted) return [];
	throw new ServiceFailure({
		kind: 'notJson',
		mayHaveExecuted: true,
		message: `${baseUrl} answered ${isMissing ? 'without a' : 'with something other than a'} list of pages.`,
	});
}

/** A query of the service has two values (docs/reference/service-notes.md#parts-of-a-result); the rest is room for later ones. */
const MAX_QUERY_VALUES = 10;
const MAX_NEXT_LENGTH = 4000;

/** Pages of a slice when none are asked for (docs/reference/service-notes.md#parts-of-a-result). */
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
 * (docs/reference/service-notes.md#parts-of-a-result), proxies change ports and names: scheme, host, port and path are of
 * no matter. Throws a ServiceFailure for what is no link.
 */
function readNext(next: unknown, baseUrl: string): JsonObject | undefined {
	if (next === undefined || next === null) return undefined;
	const values = [...asUrl(next, baseUrl).searchParams];
	if (values.length > MAX_QUERY_VALUES) throw noLink(next, baseUrl);
	return values.length === 0 ? undefined : Object.fromEntries(values);
}

/** The number of positions before the part of this link; undefined where it does not say so. */
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
		mayHaveExecuted: true,
		message: `${baseUrl} gave an invalid address for the next pages: ${shorten(shown, MAX_SHOWN)}.`,
	});
}

/** The places of one slice among all pages of a job. */
interface Places {
	/** The number of positions before it. */
	before: number;
	/** The number of positions up to the next part, as the link there says. */
	end: number;
	/** Most pages that are still wanted. */
	left: number;
}

/** Takes the pages of slices that were not there before, and remembers them without keeping them. */
class PageDeduplicator {
	private readonly seen = new Set<string>();

	/** The number of the last page that was taken. */
	private last = 0;

	/** Pages at the first `skip` places are not wanted. */
	constructor(private readonly skip: number) {}

	/**
	 * Those that are new and wanted. A slice that was checked to its end reaches up to the next one: servers leave
	 * pages out that are gone, and count their places all the same.
	 */
	add(data: unknown[], { before, end, left }: Places): Slice {
		const slice: Slice = { pages: [], numbers: [], reached: before, hasMore: false };
		for (const [index, page] of data.entries()) {
			if (slice.pages.length >= left) return { ...slice, hasMore: true };
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
}

/**
 * The identity that tells a page from all others: each scrape has its own id, and the same id may come again with
 * another URL when a page is served from the cache. Without an id the whole page counts. As half a digest, a byte a
 * letter: of a large job there are a hundred thousand at a time.
 */
function identityOf(page: JsonObject): string {
	const { scrapeId, sourceURL, url } = isJsonObject(page.metadata) ? page.metadata : {};
	const hasId = typeof scrapeId === 'string' && scrapeId !== '';
	const told = JSON.stringify(hasId ? [scrapeId, sourceURL, url] : page);
	return createHash('sha256').update(told).digest().toString('latin1', 0, 16);
}

function tooMany(baseUrl: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'tooLarge',
		mayHaveExecuted: true,
		message: `${baseUrl} has more than ${MAX_PAGES} pages for one job, too many to be read at once: read them in parts, with Limit and From Page.`,
	});
}
