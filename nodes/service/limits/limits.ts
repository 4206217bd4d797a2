import type { ServiceFailure } from '../http/failure';
import { Sleeps, endOfPiece } from '../http/time';
import type { Time } from '../http/time';
import type { RateLimitBucket } from '../http/transport';
import type { Owner } from './fairQueue';
import { LaneQueue } from './lane';
import type { Turn } from './lane';
import { BucketPause } from './pauses';

/** Requests that wait together: starts of jobs and sessions, or calls, of one bucket. Both share its pause. */
export interface Lane {
	of: 'starts' | 'calls';
	bucket: RateLimitBucket;
}

/** The owner that asks for a turn, and the time that it waits. */
export interface Ask {
	/** Each gets its fair share of turns. */
	owner: Owner;
	/** Aborted when no turn is wanted any more. */
	over: AbortSignal;
	/** Since when it waits, monotonic. */
	sinceMs: number;
	/** So long it waits while nothing moves for the credential, in milliseconds. */
	standstillMs: number;
	/** Told while a limit holds it up. */
	meter: { hold(holder: object): void; release(holder: object): void };
}

/** The result of one attempt. */
export type Attempt<T> =
	/** It was answered, and is over. */
	| { kind: 'done'; value: T }
	/** It was taken, and what it has started runs on. */
	| { kind: 'holds'; value: T }
	/** It was refused for the plan's limits: it keeps its place, and is tried again when they let it. */
	| { kind: 'refused'; failure: ServiceFailure }
	/** It failed, which says nothing of the limits: it is tried again at this monotonic time. */
	| { kind: 'again'; atMs: number; failure: ServiceFailure }
	/** It failed, which says nothing of the limits, and is over. */
	| { kind: 'lost'; value: T; failure?: ServiceFailure };

/**
 * The result of all attempts: a lease where it `holds`. Or why there was no turn, and the latest trouble that is known.
 */
export type Ran<T> = { value: T; lease?: Lease } | { noTurn: 'over' | 'standstill'; last: ServiceFailure | undefined };

/** A running job that takes a place of the plan. */
export interface Lease {
	/**
	 * To be called once, when it has ended, or is no longer watched and may run on. What waits for its place is sent a
	 * moment later, when whoever calls has decided whether it is still wanted.
	 */
	end(how: 'ended' | 'unwatched'): void;
}

/**
 * The limits of one credential, shared by all executions of this process: whose turn it is, and until when its buckets
 * are paused. What a plan allows is not known: it is learned from what the service takes and refuses (docs/LIMITS.md).
 */
export class Limits {
	private readonly lanes = new Map<string, LaneQueue>();

	private readonly pumping = new Set<LaneQueue>();

	private readonly pauses = new Map<RateLimitBucket, BucketPause>();

	private readonly sleeps: Sleeps;

	private movedMs = -Infinity;

	private watched = 0;

	constructor(private readonly time: Time) {
		this.sleeps = new Sleeps(time);
	}

	/**
	 * Makes attempts, each when it is its turn, until one is over. No turn comes where it is not wanted any more, or
	 * nothing has moved for the credential for as long as it waits; for a call, which waits behind slow ones without an
	 * end, only where the service refuses, too. Throws what an attempt throws.
	 */
	async run<T>(of: Lane, ask: Ask, attempt: () => Promise<Attempt<T>>): Promise<Ran<T>> {
		const { time } = this;
		const lane = this.lane(of);
		const { owner, meter, over } = ask;
		const turn: Turn = { owner, hasCome: false, go: () => undefined, heldUp: () => meter.hold(turn) };
		let own: ServiceFailure | undefined;
		for (;;) {
			const noTurn = await this.turnOf(turn, lane, ask, of.of === 'calls');
			meter.release(turn);
			if (noTurn) return { noTurn, last: own ?? lane.last };
			const result = await attempt().catch((error: unknown) => {
				lane.released(turn);
				this.pumpSoon(lane);
				throw error;
			});
			if (result.kind === 'done' || result.kind === 'holds') {
				const { kind, value } = result;
				lane.taken(turn, kind === 'holds');
				this.movedMs = time.now();
				const lease = kind === 'holds' ? this.lease(lane) : undefined;
				lane.pump(time.now());
				return { value, ...(lease && { lease }) };
			}
			if (result.kind === 'refused') {
				own = result.failure;
				lane.refused(turn, own);
				turn.heldUp();
				continue;
			}
			lane.released(turn, result.failure);
			this.pumpSoon(lane);
			if (result.kind === 'lost') return { value: result.value };
			own = result.failure;
			await this.sleeps.until(result.atMs, over);
		}
	}

	/** A job that runs already, whoever has started it, takes a place, too. */
	occupy(of: Lane): Lease {
		const lane = this.lane(of);
		lane.occupied();
		return this.lease(lane);
	}

	/** A job without a lane is watched, as of Get: it ends one day, so that is no standstill. Call what is returned once. */
	watch(): () => void {
		this.watched += 1;
		return () => {
			this.watched -= 1;
			this.movedMs = this.time.now();
		};
	}

	/** To be called when a request is sent. Call what is returned when it was taken, or refused for the plan's limits. */
	sending(bucket: RateLimitBucket): (refusal?: ServiceFailure) => void {
		const pause = this.pause(bucket);
		const { time } = this;
		const sentMs = time.now();
		pause.sent(sentMs);
		return (refusal) => {
			if (refusal) return pause.refused(time.now(), refusal.retryAfterMs, time.random());
			pause.accepted(sentMs);
			this.movedMs = time.now();
		};
	}

	/** The monotonic time at which what takes no turn, such as a check, may be sent. */
	freeAtMs(bucket: RateLimitBucket): number {
		return this.pauses.get(bucket)?.untilMs ?? 0;
	}

	/** The time of the latest activity, for somebody who waits since `sinceMs`. What is watched moves. */
	lastActivityMs(sinceMs: number): number {
		return this.watched > 0 ? this.time.now() : Math.max(sinceMs, this.movedMs);
	}

	/** True when nothing is in flight, waiting or paused, so that this object may be dropped. */
	get isIdle(): boolean {
		const now = this.time.now();
		const isPaused = [...this.pauses.values()].some(({ untilMs }) => untilMs > now);
		return !isPaused && [...this.lanes.values()].every(({ isIdle }) => isIdle);
	}

	/** Waits for a turn; undefined when it has come. */
	private async turnOf(
		turn: Turn,
		lane: LaneQueue,
		ask: Ask,
		isCall: boolean,
	): Promise<'over' | 'standstill' | undefined> {
		const { over, sinceMs, standstillMs } = ask;
		const { time } = this;
		const isStandstill = () => {
			const isRefused = !isCall || lane.last?.kind === 'rateLimited';
			return isRefused && time.now() >= this.lastActivityMs(sinceMs) + standstillMs;
		};
		if (over.aborted) return 'over';
		if (isStandstill()) return 'standstill';
		turn.hasCome = false;
		turn.go = () => undefined;
		lane.add(turn);
		lane.pump(time.now());
		if (turn.hasCome) return undefined;
		// Made for those that wait only: with the error that it makes by itself it costs more than all else here.
		const came = new AbortController();
		turn.go = () => came.abort('come');
		if (lane.isHeldUp) turn.heldUp();
		void this.keepPumping(lane);
		let why: 'over' | 'standstill' | undefined;
		while (!came.signal.aborted && why === undefined) {
			const endMs = this.lastActivityMs(sinceMs) + standstillMs;
			await this.sleeps.until(Math.max(endMs, endOfPiece(time.now())), over, came.signal);
			if (over.aborted) why = 'over';
			else if (!came.signal.aborted && isStandstill()) why = 'standstill';
		}
		if (why === undefined) return undefined;
		if (!came.signal.aborted) lane.remove(turn);
		else {
			lane.released(turn);
			this.pumpSoon(lane);
		}
		return why;
	}

	/** Lets those that wait go as time passes. */
	private async keepPumping(lane: LaneQueue): Promise<void> {
		if (this.pumping.has(lane)) return;
		this.pumping.add(lane);
		while (!lane.isEmpty) {
			const now = this.time.now();
			await this.sleeps.until(Math.min(lane.wakeMs(now), endOfPiece(now)));
			lane.pump(this.time.now());
		}
		this.pumping.delete(lane);
	}

	private pumpSoon(lane: LaneQueue): void {
		if (!lane.isEmpty) void this.sleeps.until(this.time.now() + 1).then(() => lane.pump(this.time.now()));
	}

	private lease(lane: LaneQueue): Lease {
		const unwatch = this.watch();
		return {
			end: (how) => {
				unwatch();
				lane.runEnded(how === 'ended');
				this.pumpSoon(lane);
			},
		};
	}

	private lane({ of, bucket }: Lane): LaneQueue {
		const name = `${of} ${bucket}`;
		const lane = this.lanes.get(name) ?? new LaneQueue(this.pause(bucket));
		this.lanes.set(name, lane);
		return lane;
	}

	private pause(bucket: RateLimitBucket): BucketPause {
		const pause = this.pauses.get(bucket) ?? new BucketPause();
		this.pauses.set(bucket, pause);
		return pause;
	}
}
