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
		const date = Date.parse(fromHeader);
		if (!Number.isNaN(date)) {
			const sent = Date.parse(readHeader(headers, 'date') ?? '');
			return clampPause(date - (Number.isNaN(sent) ? wallClockMs : sent));
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

function clampPause(ms: number): number {
	return Math.min(MAX_PAUSE_MS, Math.max(0, ms));
}

interface BucketPause {
	untilMs: number;
	refusalsInARow: number;
}

/**
 * The pauses of one credential, a bucket each. Shared by everything in the process that uses the
 * credential: one refusal is enough, the others need not run into it. Times are monotonic.
 */
export class PauseBoard {
	private readonly pauses = new Map<RateLimitBucket, BucketPause>();

	/** Notes a 429 and returns when the bucket may be used again. */
	refused(
		bucket: RateLimitBucket,
		nowMs: number,
		retryAfterMs: number | undefined,
		random: number,
	): number {
		const pause = this.pauses.get(bucket) ?? { untilMs: 0, refusalsInARow: 0 };
		// Answers to requests that were under way together are one refusal, not a row of them.
		if (nowMs >= pause.untilMs) pause.refusalsInARow += 1;
		const asked =
			retryAfterMs === undefined
				? backoffMs(pause.refusalsInARow, random)
				: retryAfterMs + random * Math.min(500, retryAfterMs / 4);
		pause.untilMs = Math.max(pause.untilMs, nowMs + asked);
		this.pauses.set(bucket, pause);
		return pause.untilMs;
	}

	/** An accepted request ends the row of refusals; a pause that others wait for stays. */
	accepted(bucket: RateLimitBucket): void {
		const pause = this.pauses.get(bucket);
		if (pause) pause.refusalsInARow = 0;
	}

	/** Monotonic time at which the bucket is free again; 0 when it is not paused. */
	untilMs(bucket: RateLimitBucket): number {
		return this.pauses.get(bucket)?.untilMs ?? 0;
	}
}
