import type { ServiceFailure } from '../http/failure';
import { FairQueue } from './fairQueue';
import type { QueueEntry } from './fairQueue';
import type { BucketPause } from './pauses';

/** One that waits in a lane. What was refused comes back with it, to its old place. */
export interface Turn extends QueueEntry {
	/** Its turn has come, which `go` tells: it is to be sent at once, and the lane to be told once how that ended. */
	hasCome: boolean;
	go: () => void;
	/** Called when it has to wait because others were refused. */
	heldUp: () => void;
}

/** The number of requests that may be in flight before anything is known: a tight plan refuses the rest. */
const FIRST_LIMIT = 10;

/**
 * Who may send next in one lane: the one that has had no turn for longest (FairQueue), when the plan has room. A call
 * is in flight until it is answered, what it starts (a job, a browser session) until that has ended. Decides only, and
 * is told all that happens; times are monotonic milliseconds.
 *
 * The service refuses with one text for two causes, too many a minute and too many at once
 * (docs/reference/service-notes.md#one-text-for-two-limits), so what may be in flight is learned and not guessed; see docs/LIMITS.md.
 */
export class LaneQueue {
	private readonly waiting = new FairQueue<Turn>();

	private limit = FIRST_LIMIT;

	/** True from the first refusal on. */
	private isLearned = false;

	/** How many were taken since the latest refusal. */
	private takenInARow = 0;

	/** One try beyond the limit or within the pause is allowed. */
	private mayProbe = false;

	private probedAtMs = -1;

	/** The number of requests that were taken and go on: jobs, sessions. */
	private running = 0;

	/** The number of requests that were sent and are not answered. */
	private trying = 0;

	/** The reason why the latest one failed, whoever sent it; undefined since one was taken. */
	last: ServiceFailure | undefined;

	/** `pause`: of its bucket. */
	constructor(private readonly pause: BucketPause) {}

	get isEmpty(): boolean {
		return this.waiting.isEmpty;
	}

	/** True when nothing is in flight or waiting. */
	get isIdle(): boolean {
		return this.inFlight === 0 && this.isEmpty;
	}

	/** True while a request waits for room. Waiting behind a request that is in flight is not throttling. */
	get isHeldUp(): boolean {
		return this.last?.kind === 'rateLimited' && !this.isEmpty;
	}

	add(turn: Turn): void {
		this.waiting.add(turn);
	}

	/** Takes one back that has not had its turn. */
	remove(turn: Turn): void {
		this.waiting.remove(turn);
	}

	/** Lets as many go as are allowed now. */
	pump(nowMs: number): void {
		while (!this.isEmpty && this.mayTry(nowMs)) {
			const turn = this.waiting.take();
			if (!turn) return;
			this.mayProbe = false;
			this.probedAtMs = nowMs;
			this.trying += 1;
			turn.hasCome = true;
			turn.go();
		}
	}

	private mayTry(nowMs: number): boolean {
		const { untilMs, doubtfulUntilMs } = this.pause;
		if (this.mayProbe && this.trying === 0) return true;
		if (nowMs < untilMs) return false;
		if (nowMs >= doubtfulUntilMs && this.inFlight < Math.floor(this.limit)) return true;
		// Each pause that ends allows one try, at the limit, too.
		return this.isLearned && this.trying === 0 && this.probedAtMs < untilMs;
	}

	/** It was taken; what it has started goes on, or it is over with its answer, good or bad. */
	taken(turn: Turn, goesOn: boolean): void {
		if (!this.isLearned && this.isUsedUp) this.limit += 1;
		if (this.isLearned && this.isUsedUp && !goesOn) this.limit += (1 + this.takenInARow / 15) / this.limit;
		this.trying -= 1;
		this.takenInARow += 1;
		this.waiting.used(turn);
		this.last = undefined;
		if (!goesOn) return;
		this.running += 1;
		// One that is taken is followed by another.
		this.mayProbe = this.isLearned;
	}

	/** It was refused, and its bucket paused. */
	refused(turn: Turn, failure: ServiceFailure): void {
		this.trying -= 1;
		this.waiting.giveBack(turn);
		this.last = failure;
		this.isLearned = true;
		this.mayProbe = false;
		this.limit = Math.max(1, this.inFlight, this.limit * 0.7);
		this.takenInARow = 0;
		for (const other of this.waiting.all) other.heldUp();
	}

	/** It was not sent after all, or nobody knows what the service did with it: that tells nothing of the limit. */
	released(turn: Turn, failure?: ServiceFailure): void {
		this.trying -= 1;
		this.waiting.giveBack(turn);
		if (failure) this.last = failure;
	}

	/** A job that runs already takes a place, so that the limit counts it. */
	occupied(): void {
		this.running += 1;
	}

	/**
	 * A request that was taken has ended, so that the service has room; or is no longer watched, which frees none that
	 * is known of.
	 */
	runEnded(hasEnded: boolean): void {
		this.running -= 1;
		if (hasEnded) this.mayProbe = this.isLearned;
	}

	/** The time to pump again if nothing happens before; Infinity when only answers and ends matter. */
	wakeMs(nowMs: number): number {
		return Math.min(...[this.pause.untilMs, this.pause.doubtfulUntilMs].filter((endMs) => endMs > nowMs));
	}

	/** True while there is work for all of the limit, or for more: it grows only then. */
	private get isUsedUp(): boolean {
		return !this.isEmpty || this.inFlight >= Math.floor(this.limit);
	}

	private get inFlight(): number {
		return this.running + this.trying;
	}
}
