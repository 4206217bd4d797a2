/** A counted minute of the service, and what this process knows of it. */
interface Minute {
	/** What went through, as far as was known when it began. */
	readonly known: number;
	/** True when the minute before ended with refusals. */
	readonly afterRefusals: boolean;
	endsMs: number;
	inFlight: number;
	accepted: number;
	refusedAtMs?: number;
}

/** One call that was sent; the pace is told once how it ended. */
export interface SentCall {
	readonly sentMs: number;
	readonly minute: Minute;
}

/** Calls that go out before anything is known: a tight plan refuses the rest. */
const FIRST_AT_ONCE = 10;

/** The service's minute begins when its first request arrives, a little after it was sent (auth-30). */
const MINUTE_MS = 60_500;

/**
 * How many calls of one credential and bucket may go out now.
 *
 * The service refuses with one text for two causes, too many a minute and too many at once
 * (docs/service-notes.md#one-text-for-two-limits). Both limits are learned from refusals:
 * - what had gone through in the minute is taken for what the minute takes, and one more is tried in each;
 * - what is in flight is taken for what may be in flight, unless the minute explains the refusal.
 * When calls go through again after the minute, and not before, the minute is proven to be the cause: from
 * then on nothing is sent after a refusal before the minute is over, and the whole minute's worth at once
 * when it begins. Until then the pauses of the board allow one try each.
 * Before the first refusal, one more may be in flight with each call that is answered. What may be in flight
 * grows only while it is used: a week of single calls proves nothing about a hundred at once.
 */
export class AdaptiveRateLimiter {
	private minute: Minute | undefined;

	/** What goes through in a minute, as far as is known. */
	private perMinute = Infinity;

	/** How many more than that are tried in this minute. */
	private ahead = 1;

	private isProven = false;

	private inFlight = 0;

	/** Most that were in flight together in this minute. */
	private mostInFlight = 0;

	private atOnce = FIRST_AT_ONCE;

	/** What `atOnce` was before the refusals whose cause is not known yet. */
	private atOnceBefore = FIRST_AT_ONCE;

	get isIdle(): boolean {
		return this.inFlight === 0;
	}

	/** True when a limit has been met that holds calls back now. */
	isTight(nowMs: number): boolean {
		return this.perMinute < Infinity && !this.maySend(nowMs);
	}

	maySend(nowMs: number): boolean {
		if (this.inFlight >= Math.floor(this.atOnce)) return false;
		const minute = this.current(nowMs);
		if (!minute) return true;
		if (this.isProven && minute.refusedAtMs !== undefined) return false;
		const { accepted, inFlight } = minute;
		return accepted + inFlight < Math.max(this.perMinute, accepted) + this.ahead;
	}

	/** When time alone may let something go, monotonic; Infinity when only answers can. */
	changesAtMs(nowMs: number): number {
		return this.current(nowMs)?.endsMs ?? Infinity;
	}

	/** Counts a call that is sent now. */
	sent(nowMs: number): SentCall {
		const minute = this.current(nowMs) ?? this.begin(nowMs);
		minute.inFlight += 1;
		this.inFlight += 1;
		this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
		return { sentMs: nowMs, minute };
	}

	/** The call got an answer that is no refusal. */
	answered(call: SentCall): void {
		this.leave(call);
		this.growAtOnce();
		let { minute } = call;
		if (minute !== this.minute) return;
		if (call.sentMs > (minute.refusedAtMs ?? Infinity)) {
			// Let through again before the minute is over: the service counts another one, or something else.
			this.isProven = false;
			minute = this.begin(call.sentMs);
		} else if (minute.afterRefusals && minute.accepted === 0) {
			this.isProven = true;
			this.atOnce = Math.max(this.atOnce, this.atOnceBefore);
		}
		minute.accepted += 1;
		if (minute.accepted > minute.known) this.ahead += 1;
	}

	private growAtOnce(): void {
		const { mostInFlight, perMinute } = this;
		if (perMinute < Infinity && mostInFlight >= Math.floor(this.atOnce)) {
			this.atOnce += 1 / this.atOnce;
		} else if (perMinute === Infinity && 2 * mostInFlight > this.atOnce) {
			this.atOnce += 1;
		}
	}

	/** The call was refused with 429; `untilMs` when the service said how long to wait. */
	refused(call: SentCall, nowMs: number, untilMs: number | undefined): void {
		this.leave(call);
		const { minute } = call;
		if (minute !== this.minute) return;
		const through = minute.accepted + minute.inFlight;
		if (!this.isProven || through < minute.known) {
			this.atOnceBefore = Math.max(this.atOnceBefore, this.atOnce);
			this.isProven = false;
			this.atOnce = Math.max(1, this.inFlight);
		}
		this.perMinute = through;
		this.ahead = 1;
		minute.refusedAtMs = nowMs;
		if (untilMs !== undefined) minute.endsMs = untilMs;
	}

	/** The call ended in a way that tells nothing about limits. */
	lost(call: SentCall): void {
		this.leave(call);
	}

	private leave({ minute }: SentCall): void {
		this.inFlight -= 1;
		minute.inFlight -= 1;
	}

	private current(nowMs: number): Minute | undefined {
		return this.minute && nowMs < this.minute.endsMs ? this.minute : undefined;
	}

	private begin(nowMs: number): Minute {
		const { minute: before } = this;
		const afterRefusals = before?.refusedAtMs !== undefined;
		// A minute without a refusal takes at least what went through in it.
		if (before && !afterRefusals) this.perMinute = Math.max(this.perMinute, before.accepted);
		this.ahead = 1;
		this.mostInFlight = this.inFlight;
		this.minute = {
			known: this.perMinute,
			afterRefusals,
			endsMs: nowMs + MINUTE_MS,
			inFlight: 0,
			accepted: 0,
		};
		return this.minute;
	}
}
