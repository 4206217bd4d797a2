import { backoffMs } from './retry';
import type { JsonObject, RateLimitBucket } from './transport';

/** Longest pause that is believed, in milliseconds. A server that asks for more is asked again by then. */
export const MAX_PAUSE_MS = 15 * 60_000;

/**
 * How long the service asks to wait, in milliseconds, or undefined when it does not say.
 * Reads Retry-After as seconds or as an HTTP date, else "retry after 12s" in the error text
 * (CONTRACT section 4, recording auth-30). A date is measured against the answer's own Date header
 * where there is one, so that a wrong clock on either side does not matter.
 */
export function readRetryAfterMs(
	headers: JsonObject,
	errorText: string,
	wallClockMs: number,
): number | undefined {
	const fromHeader = readHeader(headers, 'retry-after');
	if (fromHeader !== undefined) {
		if (/^\s*\d+(\.\d+)?\s*$/.test(fromHeader)) return clampPause(Number(fromHeader) * 1000);
		const date = parseDate(fromHeader);
		if (date !== undefined) {
			return clampPause(date - (parseDate(readHeader(headers, 'date')) ?? wallClockMs));
		}
	}
	const fromText = /retry after (\d+(?:\.\d+)?)\s*s/i.exec(errorText);
	return fromText ? clampPause(Number(fromText[1]) * 1000) : undefined;
}

function readHeader(headers: JsonObject, name: string): string | undefined {
	for (const [key, value] of Object.entries(headers)) {
		if (key.toLowerCase() !== name) continue;
		if (typeof value === 'string') return value;
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}

/** Date.parse makes a date of "-5" and of "foo 5": only what names a time of day is one. */
function parseDate(text: string | undefined): number | undefined {
	if (text === undefined || !/\d:\d\d:\d\d/.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : date;
}

function clampPause(ms: number): number {
	return Math.min(MAX_PAUSE_MS, Math.max(0, ms));
}

/** The plans count requests by the minute (CONTRACT section 5), from the first one on (recording auth-30). */
const COUNTED_MS = 60_000;

interface BucketPause {
	untilMs: number;
	refusalsInARow: number;
	/** When the minute began in which the service counts now, as far as this process can know. */
	countedSinceMs: number;
}

/**
 * The pauses of one credential, a bucket each. Shared by everything in the process that uses the
 * credential: one refusal is enough, the others need not run into it. Times are monotonic.
 */
export class PauseBoard {
	private readonly pauses = new Map<RateLimitBucket, BucketPause>();

	/**
	 * Notes a 429 and returns when the bucket may be used again: after the wait that was named, and when
	 * that was too short before, or none was named, after a backoff that grows with the refusals in a row.
	 * The backoff ends with the counted minute, because a limit a minute is gone then.
	 */
	refused(
		bucket: RateLimitBucket,
		nowMs: number,
		retryAfterMs: number | undefined,
		random: number,
	): number {
		const pause = this.counted(bucket, nowMs);
		const namedMs = retryAfterMs ?? 0;
		const askedMs = namedMs + random * Math.min(500, namedMs / 4);
		let pauseMs = askedMs;
		// Answers within a pause are one refusal, not a row of them.
		if (nowMs >= pause.untilMs) {
			pause.refusalsInARow += 1;
			const minuteLeftMs = pause.countedSinceMs + COUNTED_MS - nowMs + random * 500;
			const backedOffMs = backoffMs(pause.refusalsInARow, random);
			pauseMs = Math.max(askedMs, Math.min(backedOffMs, minuteLeftMs));
		}
		pause.untilMs = Math.max(pause.untilMs, nowMs + pauseMs);
		return pause.untilMs;
	}

	/** An accepted request ends the row of refusals; a pause that others wait for stays. */
	accepted(bucket: RateLimitBucket, nowMs: number): void {
		this.counted(bucket, nowMs).refusalsInARow = 0;
	}

	private counted(bucket: RateLimitBucket, nowMs: number): BucketPause {
		const known = this.pauses.get(bucket);
		const pause = known ?? { untilMs: 0, refusalsInARow: 0, countedSinceMs: nowMs };
		if (!known) this.pauses.set(bucket, pause);
		if (nowMs >= pause.countedSinceMs + COUNTED_MS) pause.countedSinceMs = nowMs;
		return pause;
	}

	/** Monotonic time at which the bucket is free again; 0 when it is not paused. */
	untilMs(bucket: RateLimitBucket): number {
		return this.pauses.get(bucket)?.untilMs ?? 0;
	}
}
