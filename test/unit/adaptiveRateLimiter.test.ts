import { AdaptiveRateLimiter } from '../../nodes/service/limits/adaptiveRateLimiter';
import type { SentCall } from '../../nodes/service/limits/adaptiveRateLimiter';

const MINUTE_MS = 60_500;

/** A pace, and the calls that are on their way. */
class Calls {
	readonly pace = new AdaptiveRateLimiter();

	nowMs = 1000;

	readonly inFlight: SentCall[] = [];

	/** Sends as many as may be sent, and returns how many that were. */
	send(most = 1000): number {
		let sent = 0;
		for (; sent < most && this.pace.maySend(this.nowMs); sent++) {
			this.inFlight.push(this.pace.sent(this.nowMs));
		}
		return sent;
	}

	answer(count: number): void {
		for (const call of this.inFlight.splice(0, count)) this.pace.answered(call);
	}

	refuse(count: number, untilMs?: number): void {
		for (const call of this.inFlight.splice(-count, count)) {
			this.pace.refused(call, this.nowMs, untilMs);
		}
	}

	/** A minute of 10 was met, and is proven to be the cause; the next minute has begun with one call. */
	static afterProof(): Calls {
		const calls = new Calls();
		calls.send();
		calls.answer(10);
		calls.send();
		calls.refuse(20);
		calls.nowMs += MINUTE_MS;
		calls.send();
		calls.answer(1);
		return calls;
	}
}

it('begins with ten, and lets one more be in flight with each answer', () => {
	const calls = new Calls();
	expect(calls.send()).toBe(10);
	calls.answer(1);
	expect(calls.send()).toBe(2);
	calls.answer(11);
	expect(calls.send()).toBe(22);
	expect(calls.pace.isTight(calls.nowMs)).toBe(false);
});

it('tries one at a time in the minute of a refusal whose cause is not known', () => {
	const calls = new Calls();
	calls.send();
	calls.answer(10);
	expect(calls.send()).toBe(20);
	calls.refuse(20);
	for (let turn = 0; turn < 5; turn++) {
		calls.nowMs += 2000;
		expect(calls.send()).toBe(1);
		expect(calls.pace.isTight(calls.nowMs)).toBe(true);
		calls.refuse(1);
	}
});

it('sends a whole minute’s worth at once, and one more, when the minute is proven', () => {
	const calls = Calls.afterProof();
	expect(calls.send()).toBe(10);
	calls.refuse(1);
	calls.answer(9);
	calls.nowMs += 50_000;
	expect(calls.send()).toBe(0);
	expect(calls.pace.isTight(calls.nowMs)).toBe(true);
	calls.nowMs = calls.pace.changesAtMs(calls.nowMs);
	expect(calls.send()).toBe(11);
});

it('begins the next minute when the wait is over that the service names', () => {
	const calls = Calls.afterProof();
	calls.send();
	calls.refuse(1, calls.nowMs + 7000);
	calls.nowMs += 6999;
	expect(calls.send()).toBe(0);
	calls.nowMs += 1;
	expect(calls.send()).toBeGreaterThan(0);
});

it('tries twice as many with each round that goes through beyond what it knew', () => {
	const calls = Calls.afterProof();
	calls.send();
	calls.answer(10);
	expect(calls.send()).toBe(2);
	calls.answer(2);
	expect(calls.send()).toBe(4);
	calls.answer(4);
	expect(calls.send()).toBe(8);
});

it('knows in the next minute what a minute without a refusal has taken', () => {
	const calls = Calls.afterProof();
	calls.send();
	calls.answer(10);
	calls.send();
	calls.answer(2);
	calls.nowMs += MINUTE_MS;
	expect(calls.send()).toBe(14);
});

it('takes a refusal before the known minute is used up for another cause, and tries on', () => {
	const calls = Calls.afterProof();
	expect(calls.send(4)).toBe(4);
	calls.refuse(2);
	// Two are in flight, so no more than two may be.
	expect(calls.send()).toBe(0);
	calls.answer(1);
	expect(calls.send()).toBe(1);
});

it('takes nothing for proven that goes through again before the minute is over', () => {
	const calls = Calls.afterProof();
	calls.send(3);
	calls.refuse(1);
	calls.answer(2);
	calls.nowMs += 5000;
	expect(calls.send()).toBe(1);
	calls.answer(1);
	// Were the minute still taken for the cause, this refusal would end the sending until it is over.
	expect(calls.send()).toBeGreaterThan(0);
	calls.refuse(1);
	calls.answer(calls.inFlight.length);
	expect(calls.send()).toBeGreaterThan(0);
});

it('gives the place of a call back of which nobody knows what became', () => {
	const calls = new Calls();
	calls.send();
	expect(calls.pace.isIdle).toBe(false);
	for (const call of calls.inFlight.splice(0)) calls.pace.lost(call);
	expect(calls.pace.isIdle).toBe(true);
	expect(calls.send()).toBe(10);
});

it('learns nothing from the refusal of a call that was sent in an earlier minute', () => {
	const calls = Calls.afterProof();
	calls.send(3);
	calls.nowMs += MINUTE_MS;
	expect(calls.send(1)).toBe(1);
	const late = calls.inFlight.shift();
	if (late) calls.pace.refused(late, calls.nowMs, undefined);
	expect(calls.send()).toBe(10);
});

it('changes with time only while a minute is open', () => {
	const calls = new Calls();
	expect(calls.pace.changesAtMs(calls.nowMs)).toBe(Infinity);
	calls.send(1);
	expect(calls.pace.changesAtMs(calls.nowMs)).toBe(calls.nowMs + MINUTE_MS);
	expect(calls.pace.changesAtMs(calls.nowMs + MINUTE_MS)).toBe(Infinity);
});
