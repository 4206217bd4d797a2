import { readHeader } from './transport';
import type { JsonObject } from './transport';

/** Longest pause that is believed, in milliseconds. A server that asks for more is asked again by then. */
export const MAX_PAUSE_MS = 15 * 60_000;

/**
 * How long the service asks to wait, in milliseconds, or undefined when it does not say.
 * Reads Retry-After as seconds or as an HTTP date, else "retry after 12s" in the error text
 * (docs/service-notes.md#how-long-to-wait, recording auth-30). A date is measured against the answer's own Date
 * header where there is one, so that a wrong clock on either side does not matter.
 */
export function readRetryAfterMs(
	headers: JsonObject,
	errorText: string,
	wallClockMs: number,
): number | undefined {
	const fromHeader = readHeader(headers, 'retry-after');
	if (/^\s*\d+(\.\d+)?\s*$/.test(fromHeader)) return clampPause(Number(fromHeader) * 1000);
	const date = parseDate(fromHeader);
	if (date !== undefined) {
		return clampPause(date - (parseDate(readHeader(headers, 'date')) ?? wallClockMs));
	}
	const fromText = /retry after (\d+(?:\.\d+)?)\s*s/i.exec(errorText);
	return fromText ? clampPause(Number(fromText[1]) * 1000) : undefined;
}

/** Date.parse makes a date of "-5" and of "foo 5": only what names a time of day is one. */
function parseDate(text: string): number | undefined {
	if (!/\d:\d\d:\d\d/.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : date;
}

function clampPause(ms: number): number {
	return Math.min(MAX_PAUSE_MS, Math.max(0, ms));
}
