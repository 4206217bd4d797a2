import fc from 'fast-check';

import {
	afterCall,
	afterCheck,
	firstCheckTimes,
	nextCheckMs,
} from '../../nodes/WebData/run/suspension/checks/checkTimes';
import type { CheckTimes } from '../../nodes/WebData/run/suspension/checks/checkTimes';

const HOURS_MS = 24 * 3_600_000;
const suspended = firstCheckTimes('suspension', { nowMs: 0, untilMs: HOURS_MS }, 0);

/** The seconds at which checks that take no time are made; `seen`: each sees a job run. */
function checkSeconds(times: CheckTimes, seen: boolean, count: number): number[] {
	const seconds: number[] = [];
	let left = times;
	while (seconds.length < count) {
		const nowMs = nextCheckMs(left);
		if (nowMs === undefined) break;
		seconds.push(nowMs / 1000);
		left = afterCheck(left, { nowMs, wasSeen: seen }, 0);
	}
	return seconds;
}

it('checks a suspended execution 2 s later, then after 2 min and ever longer pauses of at most 15 min', () => {
	expect(checkSeconds(suspended, true, 9)).toEqual([
		2, 120, 300, 570, 975, 1582.5, 2482.5, 3382.5, 4282.5,
	]);
});

it('checks it closely until a job was seen, since n8n may not have stored it', () => {
	expect(checkSeconds(suspended, false, 7)).toEqual([2, 4, 8, 16, 30, 120, 300]);
});

it('checks 1, 2, 4, 8, 16 and 30 s after a call, whatever the checks see', () => {
	const called = afterCall(afterCheck(suspended, { nowMs: 2000, wasSeen: true }, 0), 40_000);
	for (const seen of [true, false]) {
		expect(checkSeconds(called, seen, 7)).toEqual([41, 42, 44, 48, 56, 70, 120]);
	}
	const first = firstCheckTimes('call', { nowMs: 0, untilMs: HOURS_MS }, 0);
	expect(checkSeconds(first, true, 7)).toEqual([1, 2, 4, 8, 16, 30, 120]);
});

it('ends when Max Wait has passed', () => {
	const times = firstCheckTimes('suspension', { nowMs: 0, untilMs: 570_000 }, 0);
	expect(checkSeconds(times, true, 9)).toEqual([2, 120, 300]);
});

const step = fc.record({
	call: fc.boolean(),
	wasSeen: fc.boolean(),
	lateMs: fc.integer({ min: 0, max: 2_000_000 }),
	random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

it('whatever comes: each check is later than the one before, within 15 min, and before Max Wait passes', () => {
	fc.assert(
		fc.property(
			fc.constantFrom('call' as const, 'suspension' as const),
			fc.integer({ min: 1, max: HOURS_MS }),
			fc.array(step, { maxLength: 40 }),
			(cause, untilMs, steps) => {
				let nowMs = 0;
				let times = firstCheckTimes(cause, { nowMs, untilMs }, 0.5);
				for (const { call, wasSeen, lateMs, random } of steps) {
					const dueMs = nextCheckMs(times);
					if (dueMs === undefined) return;
					expect(dueMs).toBeGreaterThan(nowMs);
					expect(dueMs).toBeLessThanOrEqual(nowMs + 900_000);
					expect(dueMs).toBeLessThan(untilMs);
					if (call) {
						nowMs += Math.min(lateMs, (dueMs - nowMs) / 2);
						times = afterCall(times, nowMs);
						expect(nextCheckMs(times) ?? Infinity).toBeLessThanOrEqual(nowMs + 1000);
					} else {
						nowMs = dueMs + lateMs;
						times = afterCheck(times, { nowMs, wasSeen }, random);
					}
				}
			},
		),
	);
});

it('spreads the checks of executions that were suspended in one moment over a tenth of each pause', () => {
	fc.assert(
		fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
			let times = firstCheckTimes('suspension', { nowMs: 0, untilMs: HOURS_MS }, random);
			let nowMs = 2000;
			for (const pauseMs of [118_000, 180_000, 270_000, 405_000, 607_500, 900_000, 900_000]) {
				times = afterCheck(times, { nowMs, wasSeen: true }, random);
				const afterMs = (nextCheckMs(times) ?? 0) - nowMs;
				expect(afterMs).toBeGreaterThan(0.89 * pauseMs);
				expect(afterMs).toBeLessThanOrEqual(pauseMs);
				nowMs += afterMs;
			}
		}),
	);
});
