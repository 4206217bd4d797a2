import { isJsonObject } from '../http/answer';
import type { ServiceClient } from '../limits/client';
import { ServiceFailure } from '../http/failure';
import { identityOf, KnownPages, type Slice } from './knownPages';
import { limited, nextOf, placeText, readNext, skipIn } from './nextLink';
import type { JsonObject, ServiceRequest } from '../http/transport';

export type { Slice };

/**
 * Most pages that are read of one job. Far above what the service crawls by default (10,000, CONTRACT
 * section 13): it only ends what would never end by itself.
 */
const MAX_PAGES = 250_000;

/** Most slices in a row that are gone over without a page: ten thousand places, where nothing is wrong. */
const MOST_EMPTY_SLICES = 100;

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
	/** How many pages the service counts of an ended job, those included that are gone; 0 when not known. */
	counted?: number | undefined;
	/** Called when the service has named a next slice and that one is empty. */
	onBrokenOff?: (() => void) | undefined;
}

/**
 * The pages of a job, slice by slice: complete, in the service's order, none twice. No slice is asked
 * for that is not needed, none is kept. One without a page may follow others: it tells how far they reach.
 *
 * Ends when `next` is missing, a slice is empty (CONTRACT section 9), or a slice brings nothing new:
 * servers may ignore `skip` and answer with the first slice again (recording crawl-08b). Pages that are gone
 * have their places, which the service counts but leaves out of its lists: an empty slice is gone over where
 * its link moves on to places that are counted, and where a part of a job ends before the last of them, one
 * more look tells whether there is a page.
 * Each slice is tried again like every read. Throws a ServiceFailure when one cannot be had, when `next`
 * is no link, and when the execution is stopped.
 */
export async function* readSlices(parts: PagesParts): AsyncGenerator<Slice, void> {
	const { client, request, lastLook, at = ['data'], asks, counted = 0 } = parts;
	const { most = Infinity, skip = 0 } = parts;
	if (most <= 0) return;
	// Nobody waits an hour to be told what is known at once.
	if (most > MAX_PAGES && Number(lastLook?.completed) > MAX_PAGES) throw tooMany(client.baseUrl);
	const isPart = most < Infinity || skip > 0;
	const known = new KnownPages(skip);
	const asked = new Set<string>();
	let left = Math.min(most, MAX_PAGES);
	let query = limited({ ...asks, ...(skip > 0 && { skip }) }, left);
	const whole = lastLook && isWhole(lastLook, at) ? lastLook : undefined;
	let body = whole;
	let before = whole ? 0 : skip;
	let asksForRest = false;
	for (let given = 0, emptyOnes = 0; ;) {
		asked.add(placeText(query));
		const isPlain = Object.keys(query).length === 0;
		body ??= await client.call({ ...request, ...(!isPlain && { query }) });
		const data = readData(body, at, client.baseUrl);
		if (before === skip && startsAnew(data, lastLook, at)) before = 0;
		const next = readNext(nextOf(body), client.baseUrl);
		body = undefined;
		const end = skipIn(next) ?? before + data.length;
		const slice = known.add(data, { before, end, left });
		const isEmpty = !data.some(isJsonObject);
		given += slice.pages.length;
		emptyOnes = isEmpty ? emptyOnes + 1 : 0;
		if (slice.pages.length > 0) {
			yield slice;
		} else if (asksForRest) {
			yield { ...slice, reached: counted };
			return;
		} else if (isEmpty) {
			const movesOn = end > before && end < counted && emptyOnes < MOST_EMPTY_SLICES;
			if (!movesOn && asked.size > 1) parts.onBrokenOff?.();
			if (!movesOn) return;
			if (given > 0) yield slice;
		} else if (before >= skip) {
			return;
		}
		left -= slice.pages.length;
		asksForRest = !next && isPart && given > 0 && left > 0 && slice.reached < counted;
		if (!next && !asksForRest) return;
		before = next ? end : slice.reached;
		query = limited({ ...asks, ...(next ?? { skip: before }) }, left);
		if (asked.has(placeText(query))) return;
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
	throw new ServiceFailure({
		kind: 'notJson',
		reached: 'maybe',
		message: `${baseUrl} answered with something other than a list of pages.`,
	});
}

function tooMany(baseUrl: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'tooLarge',
		reached: 'maybe',
		message: `${baseUrl} has more than ${MAX_PAGES} pages for one job, too many to be read at once: read them in parts, with Limit and From Page.`,
	});
}
