import { POLICIES, nextAttempt, noTries } from '../http/retry';
import type { RateLimitBucket } from '../http/transport';

/**
 * The plans count requests by the minute (docs/service-notes.md#requests-a-minute), which begins when the first
 * one arrives (recording auth-30), a little after it was sent.
 */
const MINUTE_MS = 60_500;

/** What was refused, as far as the decision on a pause needs to know. */
const REFUSAL = { kind: 'rateLimited', reached: 'no' } as const;

interface BucketPause {
	untilMs: number;
	refusalsInARow: number;
	/** When the first of them was. */
	refusedSinceMs: number;
	/** When the service's minute ends, as far as this process can know. */
	minuteEndMs: number;
	/** The same after a refusal, until something is taken. */
	doubtfulUntilMs: number;
}

/**
 * The pauses of one credential, a bucket each. Shared by everything in the process that uses the
 * credential: one refusal is enough, the others need not run into it. Times are monotonic.
 */
export class BackoffRegistry {
	private readonly pauses = new Map<RateLimitBucket, BucketPause>();

	/** To be called before each request. */
	sent(bucket: RateLimitBucket, nowMs: number): void {
		const pause = this.pauseOf(bucket);
		if (nowMs >= pause.minuteEndMs) pause.minuteEndMs = nowMs + MINUTE_MS;
	}

	/**
	 * Notes a 429: the bucket may be used again after the wait that was named, and when that was too short
	 * before, or none was named, after a backoff that grows with the refusals in a row. The backoff ends with the
	 * counted minute, because a limit a minute is gone then.
	 */
	refused(bucket: RateLimitBucket, nowMs: number, retryAfterMs: number | undefined, random: number): void {
		const pause = this.pauseOf(bucket);
		const namedMs = retryAfterMs ?? 0;
		let pauseMs = namedMs + random * Math.min(500, namedMs / 4);
		// Answers within a pause are one refusal, not a row of them.
		if (nowMs >= pause.untilMs) {
			if (pause.refusalsInARow === 0) pause.refusedSinceMs = nowMs;
			pause.refusalsInARow += 1;
			const minuteLeftMs = Math.max(0, pause.minuteEndMs - nowMs) + random * 500;
			const tries = { ...noTries(nowMs), refusals: pause.refusalsInARow };
			const next = nextAttempt(REFUSAL, tries, POLICIES.pause, { ms: nowMs, random });
			const backoffMs = typeof next === 'string' ? 0 : next.atMs - nowMs;
			pauseMs = Math.max(pauseMs, Math.min(backoffMs, minuteLeftMs));
		}
		pause.untilMs = Math.max(pause.untilMs, nowMs + pauseMs);
		if (namedMs > 0) pause.minuteEndMs = pause.untilMs;
		pause.doubtfulUntilMs = pause.minuteEndMs;
	}

	/** A request that was sent at `sentMs` was taken. That ends the row of refusals; a pause that others wait for stays. */
	accepted(bucket: RateLimitBucket, sentMs: number): void {
		const pause = this.pauseOf(bucket);
		if (pause.refusalsInARow === 0 || sentMs <= pause.refusedSinceMs) return;
		pause.refusalsInARow = 0;
		pause.doubtfulUntilMs = 0;
		// Before the minute is over: the service counts another one, or something else.
		if (sentMs < pause.minuteEndMs) pause.minuteEndMs = sentMs + MINUTE_MS;
	}

	private pauseOf(bucket: RateLimitBucket): BucketPause {
		const known = this.pauses.get(bucket);
		const pause = known ?? {
			untilMs: 0,
			refusalsInARow: 0,
			refusedSinceMs: 0,
			minuteEndMs: 0,
			doubtfulUntilMs: 0,
		};
		if (!known) this.pauses.set(bucket, pause);
		return pause;
	}

	isAnyPaused(nowMs: number): boolean {
		return [...this.pauses.values()].some(({ untilMs }) => untilMs > nowMs);
	}

	/** Monotonic time at which the bucket is free again; 0 when it is not paused. */
	untilMs(bucket: RateLimitBucket): number {
		return this.pauses.get(bucket)?.untilMs ?? 0;
	}

	/** Until when more may be refused after a refusal: to the end of the minute; 0 when something was taken since. */
	doubtfulUntilMs(bucket: RateLimitBucket): number {
		return this.pauses.get(bucket)?.doubtfulUntilMs ?? 0;
	}
}

/**
 * Whether anything moves for one credential, whichever execution it belongs to. What waits for its turn
 * gives up only after nothing has moved for long. Times are monotonic milliseconds.
 */
export class Progress {
	private lastMs = -Infinity;

	private watched = 0;

	/** A start was accepted, a job has ended, a call was answered. */
	moved(nowMs: number): void {
		this.lastMs = nowMs;
	}

	/** A running job is watched from now on: it ends one day, so waiting for its place is no standstill. */
	watchBegan(): void {
		this.watched += 1;
	}

	/** To be called once for each watch that began, however it ends. */
	watchEnded(nowMs: number): void {
		this.watched -= 1;
		this.moved(nowMs);
	}

	/** Since when nothing has moved for somebody who waits since `sinceMs`. */
	lastActivityMs(sinceMs: number, nowMs: number): number {
		return this.watched > 0 ? nowMs : Math.max(sinceMs, this.lastMs);
	}
}
