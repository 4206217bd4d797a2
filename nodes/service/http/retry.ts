import type { ServiceFailure } from './failure';
import { REQUEST_TIMEOUT_MS, readHeader } from './transport';
import type { JsonObject, ServiceRequest } from './transport';

/** How many times in a row one request may be repeated (docs/service-notes.md#what-may-be-repeated). */
export const MAX_RETRIES = 5;

const MAX_BACKOFF_SECONDS = 30;

/** How long the service must deny a job without a break before it counts as gone, in milliseconds. */
export const ABSENCE_MS = 60_000;

/** How often and how long one request is tried. */
export interface Patience {
	/** Most repetitions after failures; refusals for the limits are not counted. */
	retries: number;
	/** Longest time for each try, in milliseconds. */
	timeoutMs: number;
	/** True where to do it twice does the same: it is repeated as a read is, whatever its method. */
	isRepeatable?: boolean;
	/** So long a 404 is asked again, in milliseconds: for what the service has, and may not show everywhere yet. */
	deniedMs?: number;
	/** Monotonic time up to which refusals for the limits are waited out, where that is not for minutes. */
	refusedUntilMs?: number;
}

/** The patience for each purpose, beside one another. */
export const PATIENCE = {
	usual: { retries: MAX_RETRIES, timeoutMs: REQUEST_TIMEOUT_MS },
	/** Something of a job that a status request has shown. */
	shown: { retries: MAX_RETRIES, timeoutMs: REQUEST_TIMEOUT_MS, deniedMs: ABSENCE_MS },
	/** An update or removal that may be done twice, while somebody waits for it. */
	repeatable: { retries: 3, timeoutMs: REQUEST_TIMEOUT_MS, isRepeatable: true },
	/** A result of an earlier try: where it is not to be had, what is paid for is sent again. */
	collect: { retries: 2, timeoutMs: 30_000 },
	/** A list that is read again soon, or can be done without. */
	lookUp: { retries: 2, timeoutMs: 10_000 },
	/** A check that the next poll repeats. */
	check: { retries: 0, timeoutMs: 10_000 },
} satisfies Record<string, Patience>;

/**
 * Pauses before the looks for what the service has and may show seconds later, in milliseconds: 15 s together.
 */
export const UNTIL_SHOWN_MS: readonly number[] = [0, 1000, 2000, 4000, 8000];

/**
 * May this request be sent again after this failure?
 * What a server does not have is never asked for again.
 * Reads: on 408, 429, 5xx, network errors and answers that are not JSON.
 * Everything that starts or changes something: only on 429 and when it provably never arrived,
 * because a start has no duplicate protection (docs/service-notes.md#no-duplicate-protection).
 */
export function mayRetry(method: ServiceRequest['method'], failure: ServiceFailure): boolean {
	if (failure.kind === 'aborted' || failure.kind === 'badInput' || failure.kind === 'blocked') {
		return false;
	}
	if (failure.isMissingOnServer || failure.kind === 'quotaExceeded') return false;
	if (failure.kind === 'rateLimited') return true;
	if (failure.kind === 'unreachable' || failure.kind === 'tls') return true;
	// A file whose end was never sent has not arrived, whatever the method.
	if (failure.kind === 'connection' && failure.reached === 'no') return true;
	if (method !== 'GET') return false;
	if (failure.httpCode === undefined) return failure.kind !== 'tooLarge';
	if (failure.kind === 'notJson') return true;
	return failure.httpCode >= 500 || failure.httpCode === 408;
}

/**
 * Pause before the next try, in milliseconds: 1, 2, 4 … s up to `mostSeconds` and up to a quarter more, so that
 * many clients do not come back together. `failures` counts from 1; `random` is in [0, 1).
 */
export function backoffMs(failures: number, random: number, mostSeconds = MAX_BACKOFF_SECONDS): number {
	const seconds = Math.min(mostSeconds, 2 ** Math.max(0, failures - 1));
	return seconds * 1000 * (1 + random / 4);
}

/** Longest pause between two requests for what is denied, in milliseconds. */
const MAX_DENIED_PAUSE_MS = 5000;

/** Milliseconds until something is asked for again that has been denied so many times in a row, from 1. */
export function deniedPauseMs(inRow: number, random: number): number {
	return Math.min(MAX_DENIED_PAUSE_MS, backoffMs(inRow, random));
}

/** When something is tried again, and how it waits for that. `T`: what a try comes to, its failures included. */
export interface RetryPolicy<T> {
	/** Milliseconds until the next try; undefined where this result is the last. Asked once after each try. */
	pauseMs(result: T): number | undefined;
	/** May end early, when the execution is stopped. Never rejects. */
	sleep(ms: number): Promise<void>;
	/** Asked after each sleep: true where it is too late for another try. */
	isOver?(): boolean;
}

/** Tries until the policy is content with the result. Throws what a try throws. */
export async function retry<T>(policy: RetryPolicy<T>, tryOnce: () => Promise<T>): Promise<T> {
	for (;;) {
		const result = await tryOnce();
		const ms = policy.pauseMs(result);
		if (ms === undefined) return result;
		if (ms > 0) await policy.sleep(ms);
		if (policy.isOver?.()) return result;
	}
}

/** Longest pause that is believed, in milliseconds. A server that asks for more is asked again by then. */
export const MAX_PAUSE_MS = 15 * 60_000;

/**
 * How long the service asks to wait, in milliseconds, or undefined when it does not say.
 * Reads Retry-After as seconds or as an HTTP date, else "retry after 12s" in the error text
 * (docs/service-notes.md#how-long-to-wait, recording auth-30). A date is measured against the answer's own Date
 * header where there is one, so that a wrong clock on either side does not matter.
 */
export function readRetryAfterMs(headers: JsonObject, errorText: string, wallClockMs: number): number | undefined {
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
