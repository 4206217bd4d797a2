import { randomDurationsMs, simulate } from './simulation.ts';

vi.setConfig({ testTimeout: 300_000 });

const SHORT_JOBS = randomDurationsMs(200, [2, 6]);

it.each([
	['told nothing of the plan', { concurrency: 10 }, 200],
	['told nothing, Retry-After', { concurrency: 10, retryAfter: true }, 200],
	['with the default of 10 at once', { concurrency: 10 }, 10],
])('200 jobs of 2 to 6 s on 10 at once take at most 1.2 x the oracle: %s', async (_name, plan, concurrency) => {
	const { service, ratio } = await simulate({ durationsMs: SHORT_JOBS, plan, concurrency });
	expect(service.jobs.size).toBe(200);
	expect(ratio).toBeLessThanOrEqual(1.2);
});

it.each([
	['3 at once', { concurrency: 3 }],
	['3 at once, Retry-After', { concurrency: 3, retryAfter: true }],
	['Hobby', { concurrency: 5, startsPerMinute: 20 }],
	['Hobby, Retry-After', { concurrency: 5, startsPerMinute: 20, retryAfter: true }],
	['Free', { concurrency: 2, startsPerMinute: 2 }],
])('ten executions on one credential share %s: quick, and none starved', async (_name, plan) => {
	const durationsMs = randomDurationsMs(100, [30, 300]);
	const result = await simulate({ durationsMs, plan, concurrency: 10, executions: 10 });
	const ends = [...result.executionsEndMs].sort((left, right) => left - right);
	expect(result.outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(100);
	expect(result.service.jobs.size).toBe(100);
	expect(result.ratio).toBeLessThanOrEqual(1.15);
	// Twice the median of ten.
	expect(Math.max(...ends)).toBeLessThanOrEqual((ends[4] ?? 0) + (ends[5] ?? 0));
});

it('four processes that know nothing of each other share 10 at once: all results, quickly', async () => {
	const durationsMs = randomDurationsMs(80, [20, 40]);
	const parts = { durationsMs, plan: { concurrency: 10 }, concurrency: 20, executions: 4 };
	const result = await simulate({ ...parts, processes: 4 });
	expect(result.outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(80);
	expect(result.service.jobs.size).toBe(80);
	expect(result.ratio).toBeLessThanOrEqual(1.1);
});
