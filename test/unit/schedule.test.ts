import fc from 'fast-check';

import { pollDelayMs } from '../../nodes/service/jobs/wait';

/** Checks a job until it has ended. */
function watch(jobMs: number, interval: number | null): { looks: number; seenMs: number } {
	let seenMs = 0;
	let looks = 0;
	while (seenMs < jobMs || looks === 0) {
		seenMs += pollDelayMs(seenMs, interval);
		looks += 1;
	}
	return { looks, seenMs };
}

const jobMs = fc.integer({ min: 1000, max: 3_600_000 });

it('waits 5% of the age, at least a second and at most 12', () => {
	expect([0, 10_000, 20_000, 100_000, 300_000, 3_600_000].map((age) => pollDelayMs(age, null))).toEqual([
		1000, 1000, 1000, 5000, 12_000, 12_000,
	]);
});

it('sees a result at most 5% of the job’s length, or a second, after it is there', () => {
	fc.assert(
		fc.property(jobMs, (length) => {
			const lagMs = watch(length, null).seenMs - length;
			expect(lagMs).toBeLessThanOrEqual(Math.min(12_000, Math.max(1000, length * 0.05)));
		}),
	);
});

it('costs about 75 checks for a job of 5 minutes', () => {
	const { looks } = watch(300_000, null);
	expect(looks).toBeGreaterThanOrEqual(70);
	expect(looks).toBeLessThanOrEqual(80);
});

it('keeps a fixed interval whatever the age, but never below a second', () => {
	fc.assert(
		fc.property(fc.nat(), fc.integer({ min: 0, max: 3_600_000 }), (ageMs, interval) => {
			expect(pollDelayMs(ageMs, interval)).toBe(Math.max(1000, interval));
		}),
	);
	expect(watch(60_000, 10_000)).toEqual({ looks: 6, seenMs: 60_000 });
});
