import { backoffMs } from '../http/retry';
import type { RateLimitBucket } from '../http/transport';

/**
 * The plans count requests by the minute (docs/service-notes.md#requests-a-minute), from the first one on
 * (recording auth-30).
 */
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
export class BackoffRegistry {
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

	isAnyPaused(nowMs: number): boolean {
		return [...this.pauses.values()].some(({ untilMs }) => untilMs > nowMs);
	}

	/** Monotonic time at which the bucket is free again; 0 when it is not paused. */
	untilMs(bucket: RateLimitBucket): number {
		return this.pauses.get(bucket)?.untilMs ?? 0;
	}
}
