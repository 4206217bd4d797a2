import { executionStopped } from '../http/failure';
import type { ServiceFailure } from '../http/failure';
import { STANDSTILL_MS } from '../http/retry';
import { endOfPiece } from '../http/time';
import type { RateLimitBucket } from '../http/transport';
import { FairQueue } from './fairQueue';
import type { Place } from './fairQueue';
import type { BackoffRegistry, Progress } from './pauses';

/** A place in the queue. One that was refused comes back with it, to its old place. */
export interface Turn extends Place {
	/** Called when its turn has come: it is to be sent at once, and the gate to be told once how that ended. */
	go: () => void;
	/** Called when it has to wait because others were refused. */
	heldUp?: () => void;
	/** When its latest turn came, monotonic; given by the gate. */
	sentMs?: number;
}

/** The execution that waits for a turn. */
interface Waiter {
	readonly time: { now(): number };
	readonly throttled: { hold(holder: object): void; release(holder: object): void };
	sleepUntil(atMs: number, ...wakes: AbortSignal[]): Promise<void>;
}

/** How long somebody waits for a turn. */
interface TurnPatience {
	sinceMs: number;
	/** Longest wait in which nothing has moved, in milliseconds. */
	maxMs: number;
	/** Why no turn is waited for any more; undefined where one is. */
	givenUp: (nowMs: number) => ServiceFailure | undefined;
}

/** What may be in flight before anything is known: a tight plan refuses the rest. */
const FIRST_LIMIT = 10;

/**
 * Who may send next, for one credential and bucket, shared by all executions of the process: the one that has
 * had none for longest (FairQueue), when the plan has room. A call is in flight until it is answered, what it
 * starts (a job, a browser session) until that has ended.
 *
 * The service refuses with one text for two causes, too many a minute and too many at once
 * (docs/service-notes.md#one-text-for-two-limits), so what may be in flight is learned and not guessed:
 * - A refusal cuts it to 0.7, though not below what is in flight: that was taken. All refusals until something is
 *   taken again are one.
 * - After a refusal, one try is allowed at the end of each pause, until one is taken or the minute is over.
 * - What ends makes room that is worth a try in a pause, too; one that is taken is followed by another.
 * - It grows by one with each that is taken before the first refusal. Later it grows with each that ends, by
 *   1/limit after a refusal and faster the longer none comes.
 * - It grows only while all of it is used: a week of single calls proves nothing about a hundred at once.
 */
export class Gate {
	private limit = FIRST_LIMIT;

	/** True from the first refusal on. */
	private isLearned = false;

	/** What the limit was before the first refusal since which nothing was sent and taken, and when that was. */
	private before: { limit: number; atMs: number } | undefined;

	/** When the latest refusal was, monotonic. */
	private refusedAtMs = -1;

	/** How many were taken since. */
	private takenInARow = 0;

	/** One try beyond the limit or within the pause is allowed. */
	private mayProbe = false;

	private probedAtMs = -1;

	/** Something has ended while a try was under way, which may have been refused before there was room. */
	private endedSinceTry = false;

	/** What was taken and goes on: jobs, sessions. */
	private running = 0;

	/** What was sent and is not answered. */
	private trying = 0;

	private readonly waiting = new FairQueue<Turn>();

	private isPumping = false;

	/** Why the latest one failed, whoever sent it; undefined since one was taken. */
	lastFailure: ServiceFailure | undefined;

	constructor(
		private readonly pauses: BackoffRegistry,
		private readonly bucket: RateLimitBucket,
		private readonly progress: Progress,
	) {}

	/**
	 * Waits for the turn of one. Undefined when it has come: it is sent at once then, and the gate told how that
	 * ended. Else why there is none: what `patience` says, or the end by `over`.
	 */
	async enter(
		turn: Turn,
		waiter: Waiter,
		over: AbortSignal,
		patience: TurnPatience,
	): Promise<ServiceFailure | undefined> {
		const { time, throttled } = waiter;
		const came = new AbortController();
		turn.go = () => came.abort();
		turn.heldUp = () => throttled.hold(turn);
		const noTurn = async () => {
			while (!over.aborted) {
				const now = time.now();
				const failure = patience.givenUp(now);
				if (failure) return failure;
				const earliestMs = this.progress.lastActivityMs(patience.sinceMs, now) + patience.maxMs;
				const askAgainMs = Math.max(earliestMs, endOfPiece(now));
				await waiter.sleepUntil(askAgainMs, over, came.signal);
				if (came.signal.aborted) return over.aborted ? executionStopped('no') : undefined;
			}
			return executionStopped('no');
		};
		if (!over.aborted) this.enqueue(turn, time.now());
		if (this.holdsUp) turn.heldUp();
		if (!came.signal.aborted) void this.keepPumping(waiter);
		const failure = came.signal.aborted ? undefined : await noTurn();
		throttled.release(turn);
		if (!failure) return undefined;
		if (came.signal.aborted) this.released(turn);
		else this.withdraw(turn);
		return failure;
	}

	/** Lets those that wait go as time passes. */
	private async keepPumping(waiter: Waiter): Promise<void> {
		if (this.isPumping) return;
		this.isPumping = true;
		while (!this.waiting.isEmpty) {
			const now = waiter.time.now();
			await waiter.sleepUntil(Math.min(this.wakeMs(now), endOfPiece(now)));
			this.pump(waiter.time.now());
		}
		this.isPumping = false;
	}

	/** Queues one; its turn may come before this returns. */
	enqueue(turn: Turn, nowMs: number): void {
		this.waiting.add(turn);
		this.pump(nowMs);
	}

	/** Takes one back that has not had its turn. */
	withdraw(turn: Turn): void {
		this.waiting.remove(turn);
	}

	/** Lets as many go as are allowed now. Call it whenever time has passed. */
	pump(nowMs: number): void {
		while (!this.waiting.isEmpty && this.mayTry(nowMs)) {
			this.mayProbe = false;
			this.endedSinceTry = false;
			this.probedAtMs = nowMs;
			this.trying += 1;
			const turn = this.waiting.take();
			if (turn) turn.sentMs = nowMs;
			turn?.go();
		}
	}

	private mayTry(nowMs: number): boolean {
		const pauseEndMs = this.pauses.untilMs(this.bucket);
		if (this.mayProbe && this.trying === 0) return true;
		if (nowMs < pauseEndMs) return false;
		const isDoubtful = nowMs < this.pauses.doubtfulUntilMs(this.bucket);
		if (!isDoubtful && this.inFlight < Math.floor(this.limit)) return true;
		// Each pause that ends allows one try, at the limit, too.
		return this.isLearned && this.trying === 0 && this.probedAtMs < pauseEndMs;
	}

	private get inFlight(): number {
		return this.running + this.trying;
	}

	/** It was taken, and what it started goes on. */
	accepted(turn: Turn, nowMs: number): void {
		this.taken(turn, nowMs);
		this.running += 1;
		if (this.isLearned) {
			this.limit = Math.max(this.limit, this.running);
			this.mayProbe = true;
		}
		this.pump(nowMs);
	}

	/** It was taken, and is over with its answer, good or bad. */
	answered(turn: Turn, nowMs: number): void {
		if (this.isLearned) this.grow();
		this.taken(turn, nowMs);
		this.pump(nowMs);
	}

	private taken(turn: Turn, nowMs: number): void {
		if (!this.isLearned && this.isUsedUp) this.limit += 1;
		this.trying -= 1;
		this.takenInARow += 1;
		this.waiting.used(turn);
		this.lastFailure = undefined;
		this.progress.moved(nowMs);
		if ((turn.sentMs ?? nowMs) > (this.before?.atMs ?? 0)) this.before = undefined;
	}

	/** The longer nothing was refused, the faster: a plan may have been raised. */
	private grow(): void {
		if (this.isUsedUp) this.limit += (1 + this.takenInARow / 15) / this.limit;
	}

	/** It was refused with 429. The caller has told the pause board, and queues again. */
	refused(turn: Turn, nowMs: number, failure: ServiceFailure): void {
		this.trying -= 1;
		this.waiting.giveBack(turn);
		this.lastFailure = failure;
		this.isLearned = true;
		this.mayProbe = this.endedSinceTry;
		this.before ??= { limit: this.limit, atMs: nowMs };
		this.limit = Math.max(1, this.inFlight, this.before.limit * 0.7);
		this.refusedAtMs = nowMs;
		this.takenInARow = 0;
		for (const other of this.waiting.all) other.heldUp?.();
	}

	/**
	 * It was not sent after all, or nobody knows what the service did with it, or it failed for another reason.
	 * Nothing is sent for it before the next pump, since this end may stop the run that waits.
	 */
	released(turn: Turn): void {
		this.trying -= 1;
		this.waiting.giveBack(turn);
		// It told nothing about the limit, so another may try in its place.
		this.mayProbe ||= this.isLearned;
	}

	/** A job that was already running joins, so that the limit counts it. Where none is known, it leaves room. */
	joined(): void {
		this.running += 1;
		if (!this.isLearned) this.limit = Math.max(this.limit, this.running + 1);
	}

	/** What was accepted has ended, so the service has room again, for which the next pump sends one. */
	ended(nowMs: number): void {
		this.grow();
		this.running -= 1;
		this.progress.moved(nowMs);
		this.mayProbe = this.isLearned;
		this.endedSinceTry = true;
	}

	/** What was accepted is no longer watched, though it may still run: it frees no room that is known of. */
	left(): void {
		this.running -= 1;
	}

	/** True while there is work for all of the limit, or for more. */
	private get isUsedUp(): boolean {
		return !this.waiting.isEmpty || this.inFlight >= Math.floor(this.limit);
	}

	/**
	 * The words of the service when it still refuses after STANDSTILL_MS in which nothing has moved for the
	 * credential, for a call that waits since `sinceMs`; else undefined.
	 */
	exhausted(sinceMs: number, nowMs: number): ServiceFailure | undefined {
		const inactiveMs = this.refusedAtMs - this.progress.lastActivityMs(sinceMs, nowMs);
		return inactiveMs >= STANDSTILL_MS ? this.lastFailure : undefined;
	}

	/**
	 * True while one waits for room. One that waits only because the one before it is on its way is not held up,
	 * whatever was refused earlier.
	 */
	get holdsUp(): boolean {
		return this.lastFailure?.kind === 'rateLimited' && !this.waiting.isEmpty;
	}

	/** When to pump again if nothing happens before, monotonic; Infinity when only answers and ends matter. */
	wakeMs(nowMs: number): number {
		const { pauses, bucket } = this;
		const ends = [pauses.untilMs(bucket), pauses.doubtfulUntilMs(bucket)];
		return Math.min(...ends.filter((endMs) => endMs > nowMs));
	}

	/** True when nothing is in flight or waiting, so that this object may be dropped. */
	get idle(): boolean {
		return this.inFlight === 0 && this.waiting.isEmpty;
	}
}
