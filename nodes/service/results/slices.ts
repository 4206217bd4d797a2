import { isJsonObject } from '../http/answer';
import type { ServiceClient } from '../limits/client';
import { ServiceFailure } from '../http/failure';
import { identityOf, KnownPages, type Slice } from './knownPages';
import { readNext } from './nextLink';
import type { JsonObject, ServiceRequest } from '../http/transport';

export type { Slice };

/**
 * Most pages that are read of one job. Far above what the service crawls by default (10,000, CONTRACT
 * section 13): it only ends what would never end by itself.
 */
const MAX_PAGES = 250_000;

/** Pages of a slice when none are asked for (CONTRACT section 9). */
const SLICE_PAGES = 100;

export interface PagesParts {
	client: ServiceClient;
	/** Asks for the first slice of the results; the same path gives the others. */
	request: ServiceRequest;
	/** An answer to a status request of the ended job, which may hold all pages already. */
	lastLook?: JsonObject | undefined;
	/** Where an answer has the list of pages; `data` when left out. */
	at?: readonly string[] | undefined;
	/** Asked for with each slice. */
	asks?: JsonObject | undefined;
	/** Most pages that are wanted; all when left out. */
	most?: number | undefined;
	/** How many pages, in the service's order, come before the first that is wanted; 0 when left out. */
	skip?: number | undefined;
	/** Called when the service has named a next slice and that one is empty. */
	onBrokenOff?: (() => void) | undefined;
}

/**
 * The pages of a job, slice by slice: complete, in the service's order, none twice. No slice is asked
 * for that is not needed, none is kept.
 *
 * Ends when `next` is missing, a slice is empty (CONTRACT section 9), or a slice brings nothing new:
 * servers may ignore `skip` and answer with the first slice again (recording crawl-08b).
 * Each slice is tried again like every read. Throws a ServiceFailure when one cannot be had, when `next`
 * is no link, and when the execution is stopped.
 */
export async function* readSlices(parts: PagesParts): AsyncGenerator<Slice, void> {
	const { client, request, lastLook, at = ['data'], asks, most = Infinity, skip = 0 } = parts;
	if (most <= 0) return;
	// Nobody waits an hour to be told what is known at once.
	if (most > MAX_PAGES && Number(lastLook?.completed) > MAX_PAGES) throw tooMany(client.baseUrl);
	const known = new KnownPages();
	const asked = new Set<string>();
	// A slice has about a hundred pages by itself: asking for more of them gains nothing.
	let query: JsonObject = {
		...asks,
		...(skip > 0 && { skip }),
		...(most < SLICE_PAGES && { limit: most }),
	};
	const whole = lastLook && isWhole(lastLook, at) ? lastLook : undefined;
	let body = whole;
	let before = whole ? 0 : skip;
	for (let left = Math.min(most, MAX_PAGES); ;) {
		asked.add(queryText(query));
		const isPlain = Object.keys(query).length === 0;
		body ??= await client.call({ ...request, ...(!isPlain && { query }) });
		const data = readData(body, at, client.baseUrl);
		const isEmpty = !data.some(isJsonObject);
		if (isEmpty && asked.size > 1) parts.onBrokenOff?.();
		if (before > 0 && before === skip && startsAnew(data, lastLook, at)) before = 0;
		const slice = known.add(data, { before, skip, left });
		if (slice.pages.length > 0) yield slice;
		else if (isEmpty || before >= skip) return;
		left -= slice.pages.length;
		const next = readNext(nextOf(body), client.baseUrl);
		body = undefined;
		if (!next) return;
		before = skipIn(next) ?? before + data.length;
		query = { ...asks, ...next };
		if (asked.has(queryText(query))) return;
		if (left === 0) break;
	}
	if (most > MAX_PAGES) throw tooMany(client.baseUrl);
}

/** True for the answer of a server that does not read `skip`: it begins with the job's first page. */
function startsAnew(
	[first]: unknown[],
	lastLook: JsonObject | undefined,
	at: readonly string[],
): boolean {
	const pages = lastLook && valueAt(lastLook, at);
	const firstOfAll: unknown = Array.isArray(pages) ? pages[0] : undefined;
	if (!isJsonObject(first) || !isJsonObject(firstOfAll)) return false;
	return identityOf(first) === identityOf(firstOfAll);
}

/**
 * True when the last look at an ended job holds all of its pages. It asked for one page only, but not
 * every server reads that (recording crawl-08), and one page may be all there is.
 */
function isWhole(body: JsonObject, at: readonly string[]): boolean {
	const pages = valueAt(body, at);
	const next = nextOf(body);
	if (!Array.isArray(pages) || (next !== undefined && next !== null)) return false;
	const { completed } = body;
	return typeof completed === 'number' ? pages.length >= completed : pages.length > 1;
}

/** It stands at the top, beside the pages in `data`, or in both places (recording monitor-39). */
function nextOf({ next, data }: JsonObject): unknown {
	return next ?? (isJsonObject(data) ? data.next : undefined);
}

function valueAt(body: JsonObject, at: readonly string[]): unknown {
	return at.reduce<unknown>((one, name) => (isJsonObject(one) ? one[name] : undefined), body);
}

/** How many places are before the slice of this link; undefined where it does not say so. */
function skipIn({ skip }: JsonObject): number | undefined {
	return typeof skip === 'string' && /^\d{1,9}$/.test(skip) ? Number(skip) : undefined;
}

/**
 * What is in the places of one slice: what is no page stands for a page that is gone, and has its place.
 * Throws when there is something else than a list.
 */
function readData(body: JsonObject, at: readonly string[], baseUrl: string): unknown[] {
	const data = valueAt(body, at);
	if (data === undefined || data === null) return [];
	if (Array.isArray(data)) return data;
	throw new ServiceFailure({
		kind: 'notJson',
		reached: 'maybe',
		message: `${baseUrl} answered with something other than a list of pages.`,
	});
}

/** The same for every way to write the same query. */
function queryText(query: JsonObject | undefined): string {
	// The first slice is the one that skips nothing.
	const entries = Object.entries({ skip: '0', ...query });
	return JSON.stringify(entries.map(([name, value]) => [name, String(value)]).sort());
}

function tooMany(baseUrl: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'tooLarge',
		reached: 'maybe',
		message: `${baseUrl} has more than ${MAX_PAGES} pages for one job, too many to be read at once: read them in parts, with Limit and From Page.`,
	});
}
