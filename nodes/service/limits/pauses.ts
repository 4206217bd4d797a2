import { POLICIES, namedPauseMs, nextAttempt, noTries } from '../http/retry';

/**
 * The plans count requests by the minute (docs/reference/service-notes.md#requests-a-minute), which begins when the first
 * one arrives (recording auth-30), a little after it was sent.
 */
const MINUTE_MS = 60_500;

const REFUSAL = { kind: 'rateLimited', mayHaveExecuted: false } as const;

/**
 * The pause of one bucket of one credential, shared by everything in the process that uses it: one refusal is enough,
 * the others need not run into it. Times are monotonic milliseconds.
 */
export class BucketPause {
	/** The time when the bucket is free again; 0 when it is not paused. */
	untilMs = 0;

	private refusalsInARow = 0;

	/** The time of the first of them. */
	private refusedSinceMs = 0;

	/** The time when the service's minute ends, as far as this process can know. */
	private minuteEndMs = 0;

	/** Until when more may be refused after a refusal: to the end of the minute; 0 when something was taken since. */
	get doubtfulUntilMs(): number {
		return this.refusalsInARow > 0 ? this.minuteEndMs : 0;
	}

	/** To be called before each request. */
	sent(nowMs: number): void {
		if (nowMs >= this.minuteEndMs) this.minuteEndMs = nowMs + MINUTE_MS;
	}

	/**
	 * Notes a 429: the bucket may be used again after the wait that was named, and after one that grows with the refusals
	 * in a row. That ends with the counted minute, because a limit a minute is gone then.
	 */
	refused(nowMs: number, retryAfterMs: number | undefined, random: number): void {
		const namedEndMs = retryAfterMs === undefined ? nowMs : nowMs + namedPauseMs(retryAfterMs, random);
		if (this.refusalsInARow === 0) this.refusedSinceMs = nowMs;
		this.refusalsInARow += 1;
		const tries = { ...noTries(nowMs), refusals: this.refusalsInARow };
		const next = nextAttempt(REFUSAL, tries, POLICIES.pause, { ms: nowMs, random });
		const growingEndMs = typeof next === 'string' ? nowMs : Math.min(next.atMs, Math.max(nowMs, this.minuteEndMs));
		this.untilMs = Math.max(this.untilMs, namedEndMs, growingEndMs);
	}

	/** A request that was sent at `sentMs` was taken. That ends the row of refusals; a pause that others wait for stays. */
	accepted(sentMs: number): void {
		if (this.refusalsInARow === 0 || sentMs <= this.refusedSinceMs) return;
		this.refusalsInARow = 0;
		// Before the minute is over: the service counts another one, or something else.
		if (sentMs < this.minuteEndMs) this.minuteEndMs = sentMs + MINUTE_MS;
	}
}
