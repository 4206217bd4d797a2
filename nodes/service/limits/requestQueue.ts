import { AdaptiveRateLimiter } from './adaptiveRateLimiter';
import type { SentCall } from './adaptiveRateLimiter';
import { FairQueue } from './fairQueue';
import type { Owner, Place } from './fairQueue';
import type { BackoffRegistry } from './backoffRegistry';
import type { Progress } from './activityTracker';
import type { ServiceFailure } from '../http/failure';
import type { RateLimitBucket } from '../http/transport';

/** A call's place in the queue, from its first turn to its last. One that was refused comes back with it. */
export class Turn implements Place {
	/** There while it is its turn. */
	call: SentCall | undefined;

	/** Ends the sleep of whoever waits for it. */
	wake: () => void = () => undefined;

	constructor(readonly owner: Owner) {}

	/** Its turn has come. It sends at once, and the queue is told how the call ended. */
	go(call: SentCall): void {
		this.call = call;
		this.wake();
	}
}

/** What is refused after so long without any movement gives up, in milliseconds. */
export const MAX_REFUSED_MS = 10 * 60_000;

/**
 * Who may send the next call, for one credential and bucket, shared by all executions of the process: the
 * one that has had the fewest turns (FairQueue), as fast as the plan takes them (AdaptiveRateLimiter).
 */
export class RequestQueue {
	private readonly waiting = new FairQueue<Turn>();

	private readonly pace = new AdaptiveRateLimiter();

	private lastRefusal: { failure: ServiceFailure; atMs: number } | undefined;

	constructor(
		private readonly pauses: BackoffRegistry,
		private readonly bucket: RateLimitBucket,
		private readonly progress: Progress,
	) {}

	/** Queues a call; its turn may come before this returns. */
	enqueue(turn: Turn, nowMs: number): void {
		this.waiting.add(turn);
		this.pump(nowMs);
	}

	/** Takes a call back that has not had its turn. */
	withdraw(turn: Turn): void {
		this.waiting.remove(turn);
	}

	/** Lets as many calls go as are allowed now. Call it whenever time has passed. */
	pump(nowMs: number): void {
		while (!this.waiting.isEmpty && !this.isPaused(nowMs) && this.pace.maySend(nowMs)) {
			this.waiting.take()?.go(this.pace.sent(nowMs));
		}
	}

	/** The call got an answer, good or bad, that is no refusal for the limits. */
	answered(turn: Turn, call: SentCall, nowMs: number): void {
		this.waiting.used(turn);
		this.pace.answered(call);
		this.progress.moved(nowMs);
		this.lastRefusal = undefined;
		this.pump(nowMs);
	}

	/** The call was refused with 429. The caller has told the pause board, and queues again. */
	refused(turn: Turn, call: SentCall, nowMs: number, failure: ServiceFailure): void {
		this.waiting.giveBack(turn);
		const isNamed = failure.retryAfterMs !== undefined && failure.retryAfterMs > 0;
		const untilMs = isNamed ? this.pauses.untilMs(this.bucket) : undefined;
		this.pace.refused(call, nowMs, untilMs);
		this.lastRefusal = { failure, atMs: nowMs };
	}

	/** The call was not sent after all, or nobody knows what the service did with it. */
	lost(turn: Turn, call: SentCall, nowMs: number): void {
		this.waiting.giveBack(turn);
		this.pace.lost(call);
		this.pump(nowMs);
	}

	/**
	 * The words of the service when it still refuses after MAX_REFUSED_MS in which nothing has moved for the
	 * credential, for a call that waits since `sinceMs`; else undefined.
	 */
	exhausted(sinceMs: number, nowMs: number): ServiceFailure | undefined {
		const { failure, atMs = 0 } = this.lastRefusal ?? {};
		const inactiveMs = atMs - this.progress.lastActivityMs(sinceMs, nowMs);
		return inactiveMs >= MAX_REFUSED_MS ? failure : undefined;
	}

	/** True when a limit holds calls back, and not only the answers of those before. */
	isHeldBack(nowMs: number): boolean {
		return this.isPaused(nowMs) || this.pace.isTight(nowMs);
	}

	/** When to pump again if nothing happens before, monotonic; Infinity when only answers matter. */
	wakeMs(nowMs: number): number {
		if (this.isPaused(nowMs)) return this.pauses.untilMs(this.bucket);
		return this.pace.changesAtMs(nowMs);
	}

	/** True when nothing is in flight or waiting, so that this object may be dropped. */
	get idle(): boolean {
		return this.waiting.isEmpty && this.pace.isIdle;
	}

	private isPaused(nowMs: number): boolean {
		return nowMs < this.pauses.untilMs(this.bucket);
	}
}
