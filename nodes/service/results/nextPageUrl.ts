import { isJsonObject } from '../http/answer';
import { ServiceFailure } from '../http/failure';
import { shorten } from '../http/shortText';
import type { JsonObject } from '../http/transport';

/** A query of the service has two values (docs/service-notes.md#parts-of-a-result); the rest is room for later ones. */
const MAX_QUERY_VALUES = 10;
const MAX_NEXT_LENGTH = 4000;

/** Pages of a slice when none are asked for (docs/service-notes.md#parts-of-a-result). */
const SLICE_PAGES = 100;

/** Longest piece of a bad link that is shown. */
const MAX_SHOWN = 100;

/** It stands at the top, beside the pages in `data`, or in both places (recording monitor-39). */
export function nextOf({ next, data }: JsonObject): unknown {
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
export function readNext(next: unknown, baseUrl: string): JsonObject | undefined {
	if (next === undefined || next === null) return undefined;
	const values = [...asUrl(next, baseUrl).searchParams];
	if (values.length > MAX_QUERY_VALUES) throw noLink(next, baseUrl);
	return values.length === 0 ? undefined : Object.fromEntries(values);
}

/** How many places are before the slice of this link; undefined where it does not say so. */
export function skipIn({ skip }: JsonObject = {}): number | undefined {
	return typeof skip === 'string' && /^\d{1,9}$/.test(skip) ? Number(skip) : undefined;
}

/**
 * Asks for no more pages than are wanted, so that it can be told how far the slice reaches. A slice has
 * about a hundred by itself: asking for more of them gains nothing.
 */
export function limited(query: JsonObject, left: number): JsonObject {
	const own = Number(query.limit) || SLICE_PAGES;
	return left < own ? { ...query, limit: left } : query;
}

/** The same for every way to ask for the slice that begins at the same place. */
export function placeText(query: JsonObject): string {
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
		message: `${baseUrl} names something that is no address as the place of the next pages: ${shorten(shown, MAX_SHOWN)}.`,
	});
}
