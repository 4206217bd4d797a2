import type { ServiceFailure } from '../http/failure';
import { backoffMs } from '../http/retry';
import type { RateLimitBucket } from '../http/transport';
import { AdaptiveRateLimiter } from './adaptiveRateLimiter';
import type { SentCall } from './adaptiveRateLimiter';
import { FairQueue } from './fairQueue';
import type { Owner, Place } from './fairQueue';
import { StartRegister } from './startRegister';

/** Ids of answers that are kept: those of some minutes, in which one of them may be lost. */
const MAX_KNOWN_CALLS = 10_000;

/** What all executions of this process share for one credential: pauses, and whose turn it is. */
export class SharedLimits {
	readonly pauses = new BackoffRegistry();

	readonly progress = new Progress();

	readonly register = new StartRegister();

	/** The same of calls whose answers are kept: these are many, and must not push out the ids of jobs. */
	readonly callRegister = new StartRegister(MAX_KNOWN_CALLS);

	private readonly startQueues = new Map<RateLimitBucket, StartLimiter>();

	private readonly callQueues = new Map<RateLimitBucket, RequestQueue>();

	starts(bucket: RateLimitBucket): StartLimiter {
		const { pauses, progress } = this;
		const queue = this.startQueues.get(bucket) ?? new StartLimiter(pauses, bucket, progress);
		this.startQueues.set(bucket, queue);
		return queue;
	}

	calls(bucket: RateLimitBucket): RequestQueue {
		const { pauses, progress } = this;
		const queue = this.callQueues.get(bucket) ?? new RequestQueue(pauses, bucket, progress);
		this.callQueues.set(bucket, queue);
		return queue;
	}

	/** True while something belongs to an execution that another one may find in the service's lists. */
	isOwning(nowMs: number): boolean {
		return this.register.isInUse(nowMs) || this.callRegister.isInUse(nowMs);
	}

	/** True when nothing is in flight, waiting or paused, so that this object may be dropped. */
	isIdle(nowMs: number): boolean {
		if (this.pauses.isAnyPaused(nowMs)) return false;
		const queues = [...this.startQueues.values(), ...this.callQueues.values()];
		return queues.every((queue) => queue.idle);
	}
}

/**
 * More credentials than this are not kept when they are idle and own nothing; what is lost is a learned limit,
 * never a pause, nor whose a job is.
 */
const MAX_KEPT = 500;

/** More than this are not kept when they are idle, whatever they own: the longest unused go first. */
const MAX_OWNING = 5000;

/** The one that was used latest comes last. */
const byCredential = new Map<string, SharedLimits>();

/** The limits of one credential. `credentialHash` must not be the key itself; `nowMs` is monotonic. */
export function sharedLimits(credentialHash: string, nowMs: number): SharedLimits {
	const known = byCredential.get(credentialHash);
	if (!known) makeRoom(nowMs);
	const limits = known ?? new SharedLimits();
	byCredential.delete(credentialHash);
	byCredential.set(credentialHash, limits);
	return limits;
}

function makeRoom(nowMs: number): void {
	if (byCredential.size < MAX_KEPT) return;
	for (const [hash, limits] of byCredential) {
		const isSurplus = byCredential.size >= MAX_OWNING || !limits.isOwning(nowMs);
		if (isSurplus && limits.isIdle(nowMs)) byCredential.delete(hash);
	}
}

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
class BackoffRegistry {
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

/**
 * Whether anything moves for one credential, whichever execution it belongs to. What waits for its turn
 * gives up only after nothing has moved for long. Times are monotonic milliseconds.
 */
class Progress {
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
