import { FairQueue } from './fairQueue';
import type { Place } from './fairQueue';
import type { BackoffRegistry } from './backoffRegistry';
import type { Progress } from './activityTracker';
import type { ServiceFailure } from '../http/failure';
import type { RateLimitBucket } from '../http/transport';

/** A place in the queue. A start that was refused comes back with its old ticket, to its old place. */
export interface Ticket extends Place {
	/** Called when its turn has come; it sends its start at once. */
	go: () => void;
}

/**
 * Who may start the next job, for one credential and bucket, shared by all executions of the process:
 * the one that has had the fewest turns (FairQueue), when the plan has room.
 *
 * The service refuses a start with one text for two causes, too many a minute and too many at once
 * (docs/service-notes.md#one-text-for-two-limits), so the limit is learned and not guessed:
 * - a refusal sets it to what is in flight, at least 1;
 * - the next start is tried when a job ends, or when the pause is over, even at the limit;
 * - one that is accepted lifts the limit to what is then in flight, and the next follows at once;
 * - besides, it grows by 1/limit with each job that ends.
 * Before the first refusal it starts at 10 and grows by one with each acceptance, so that a hundred
 * jobs of ten executions do not all run into the same wall in the same second.
 * It grows only while all of it is used: a week of single jobs proves nothing about a hundred at once.
 */
export class StartLimiter {
	private limit = 10;

	private refusedOnce = false;

	/** One try beyond the limit or within the pause is allowed. */
	private mayProbe = false;

	private probedAtMs = -1;

	/** A job has ended while a start was under way, which may have been refused before there was room. */
	private endedSinceTry = false;

	private running = 0;

	private trying = 0;

	private readonly waiting = new FairQueue<Ticket>();

	/** Why the latest start failed, whoever sent it; undefined since one was accepted. */
	lastFailure: ServiceFailure | undefined;

	constructor(
		private readonly pauses: BackoffRegistry,
		private readonly bucket: RateLimitBucket,
		private readonly progress: Progress,
	) {}

	/** Queues a start; its ticket may be called before this returns. */
	enqueue(ticket: Ticket, nowMs: number): void {
		this.waiting.add(ticket);
		this.pump(nowMs);
	}

	/** Takes a start back that has not had its turn. */
	withdraw(ticket: Ticket): void {
		this.waiting.remove(ticket);
	}

	/** Lets as many starts go as are allowed now. Call it whenever time has passed. */
	pump(nowMs: number): void {
		while (!this.waiting.isEmpty && this.mayTry(nowMs)) {
			this.mayProbe = false;
			this.endedSinceTry = false;
			this.trying += 1;
			this.waiting.take()?.go();
		}
	}

	private mayTry(nowMs: number): boolean {
		const pauseEndMs = this.pauses.untilMs(this.bucket);
		const inFlight = this.running + this.trying;
		if (this.mayProbe && this.trying === 0) return true;
		if (nowMs < pauseEndMs) return false;
		if (inFlight < Math.floor(this.limit)) return true;
		// Each pause that ends allows one try at the limit.
		if (this.refusedOnce && this.trying === 0 && this.probedAtMs < pauseEndMs) {
			this.probedAtMs = nowMs;
			return true;
		}
		return false;
	}

	/** The start was accepted and its job runs. */
	accepted(ticket: Ticket, nowMs: number): void {
		this.trying -= 1;
		this.waiting.used(ticket);
		this.running += 1;
		this.lastFailure = undefined;
		this.progress.moved(nowMs);
		if (!this.refusedOnce) this.limit += this.isUsedUp ? 1 : 0;
		else {
			this.limit = Math.max(this.limit, this.running);
			this.mayProbe = true;
		}
		this.pump(nowMs);
	}

	/** The start was refused with 429. The caller has told the pause board, and queues again. */
	refused(ticket: Ticket): void {
		this.trying -= 1;
		this.waiting.giveBack(ticket);
		this.refusedOnce = true;
		this.mayProbe = this.endedSinceTry;
		this.limit = Math.max(1, this.running);
	}

	/**
	 * The start ended without a job: refused for another reason, or unknown. Nothing is sent for it before
	 * the next pump, since this end may stop the run that waits.
	 */
	notStarted(ticket: Ticket): void {
		this.trying -= 1;
		this.waiting.giveBack(ticket);
		// It told nothing about the limit, so another may try in its place.
		this.mayProbe ||= this.refusedOnce;
	}

	/** A job that was already running joins, so that the limit counts it. Where none is known, it leaves room. */
	joined(): void {
		this.running += 1;
		if (!this.refusedOnce) this.limit = Math.max(this.limit, this.running + 1);
	}

	/** A job ended, so the service has room again, for which the next pump sends a start. */
	ended(nowMs: number): void {
		if (this.isUsedUp) this.limit += 1 / this.limit;
		this.running -= 1;
		this.progress.moved(nowMs);
		this.mayProbe = this.refusedOnce;
		this.endedSinceTry = true;
	}

	/** A job is no longer watched, though it may still run: it frees no room that is known of. */
	left(): void {
		this.running -= 1;
	}

	/** True while there is work for all of the limit, or for more. */
	private get isUsedUp(): boolean {
		return !this.waiting.isEmpty || this.running + this.trying >= Math.floor(this.limit);
	}

	/**
	 * True while a start waits for room: the end of a job, or of a pause. One that waits only because the one
	 * before it is on its way is not held up, whatever was refused earlier.
	 */
	get holdsUp(): boolean {
		return this.lastFailure?.kind === 'rateLimited' && !this.waiting.isEmpty;
	}

	/** True when nothing is in flight or waiting, so that this object may be dropped. */
	get idle(): boolean {
		return this.running === 0 && this.trying === 0 && this.waiting.isEmpty;
	}
}
