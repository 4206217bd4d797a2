import fc from 'fast-check';

import { manyCalls, oracleCallsMs } from './manyCalls.ts';

const singles = (count: number) => Array<number>(count).fill(1);

it.each([
	['with Retry-After', true, [500, 3000]],
	['without', false, [500, 3000]],
	['without, slow pages', false, [10_000, 30_000]],
	['without, quick pages', false, [50, 200]],
] as const)(
	'gets 150 executions of one scrape each through 10 a minute, %s',
	async (_name, retryAfter, [least, most]) => {
		for (const seed of [1, 2]) {
			const lengthMs: [number, number] = [least, most];
			const result = await manyCalls({
				executions: singles(150),
				perMinute: 10,
				retryAfter,
				lengthMs,
				seed,
			});
			expect(result.failures).toEqual([]);
			expect(result.answered).toEqual(singles(150));
			expect(result.tookMs / oracleCallsMs(150, 10)).toBeLessThanOrEqual(1.1);
			expect(result.requests).toBeLessThanOrEqual(300);
			expect(result.limits.isIdle(Infinity)).toBe(true);
		}
	},
);

it('learns what another process leaves of the minute', async () => {
	const result = await manyCalls({ executions: singles(60), perMinute: 10, foreign: 4 });
	expect(result.answered).toEqual(singles(60));
	expect(result.tookMs / oracleCallsMs(60, 6)).toBeLessThanOrEqual(1.25);
	expect(result.requests).toBeLessThanOrEqual(180);
});

it.each([
	['2 at once', { atOnce: 2 }, 90_000],
	['2 at once, Retry-After', { atOnce: 2, retryAfter: true }, 200_000],
	['5 at once and 20 a minute', { atOnce: 5, perMinute: 20 }, 240_000],
])('gets all through a plan of %s', async (_name, plan, mostMs) => {
	const result = await manyCalls({ executions: singles(60), ...plan });
	expect(result.tookMs).toBeLessThanOrEqual(mostMs);
	expect(result.failures).toEqual([]);
	expect(result.answered).toEqual(singles(60));
	expect(result.requests).toBeLessThanOrEqual(180);
});

it('soon sends all at once where there is no limit', async () => {
	const result = await manyCalls({ executions: singles(1000), lengthMs: [1000, 1000] });
	expect(result.requests).toBe(1000);
	expect(result.tookMs).toBeLessThanOrEqual(9000);
});

it('notices when the minute has more room than before', async () => {
	const result = await manyCalls({
		executions: singles(60),
		perMinute: 10,
		foreign: 9,
		foreignUntilMs: 300_000,
	});
	expect(result.answered).toEqual(singles(60));
	expect(result.tookMs).toBeLessThanOrEqual(300_000 + 1.25 * oracleCallsMs(60, 10));
});

it('gives a single call of one execution the next turn, beside 100 of another', async () => {
	const result = await manyCalls({
		executions: [100, 1],
		perMinute: 10,
		beginsMs: (execution) => execution * 150_000,
	});
	expect(result.answered).toEqual([100, 1]);
	// The minute that is open when it joins is used up; the next one begins with it.
	expect((result.endsMs[1] ?? 0) - 150_000).toBeLessThan(65_000);
});

it('gives each of ten executions its turns, none twice as late as the others', async () => {
	const result = await manyCalls({ executions: Array<number>(10).fill(10), perMinute: 10 });
	const ends = result.endsMs.toSorted((one, other) => one - other);
	expect(ends.at(-1)).toBeLessThan(2 * (ends[4] ?? 0));
	// The first has a head start: nobody else is there when it sends its first ten.
	expect(ends[1]).toBeGreaterThan(0.7 * (ends.at(-1) ?? 0));
});

const execution = fc.record({
	calls: fc.integer({ min: 1, max: 12 }),
	beginsMs: fc.nat(90_000),
	stopsMs: fc.option(fc.nat(200_000), { nil: undefined }),
});

it('leaves no place taken and no call without an end, whatever is refused, broken or stopped', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(execution, { minLength: 1, maxLength: 6 }),
			fc.constantFrom(1, 3, 10, 1000),
			fc.constantFrom(1, 2, 1000),
			fc.boolean(),
			fc.array(fc.constantFrom(undefined, 500, 402, 'broken' as const), { maxLength: 30 }),
			fc.nat(1000),
			async (all, perMinute, atOnce, retryAfter, troubles, seed) => {
				const result = await manyCalls({
					executions: all.map(({ calls }) => calls),
					perMinute,
					atOnce,
					retryAfter,
					beginsMs: (index) => all[index]?.beginsMs ?? 0,
					stopsMs: (index) => all[index]?.stopsMs,
					trouble: (request) => troubles[request],
					seed,
				});
				expect(result.limits.isIdle(Infinity)).toBe(true);
				const wanted = all.reduce((sum, { calls }) => sum + calls, 0);
				const answered = result.answered.reduce((sum, count) => sum + count, 0);
				if (all.every(({ stopsMs }) => stopsMs === undefined)) {
					expect(answered + result.failures.length).toBe(wanted);
				}
				expect(answered + result.failures.length).toBeLessThanOrEqual(wanted);
			},
		),
		{ numRuns: 60 },
	);
}, 60_000);
