import { randomDurationsMs, simulate } from './simulation.ts';
import type { SimulatedPlan } from './simulatedService.ts';

// All of it takes half a minute of computing; `npm run bench` has more plans.
vi.setConfig({ testTimeout: 300_000 });

const plans: Array<[jobs: number, name: string, plan: SimulatedPlan]> = [
	[200, '10 at once, no Retry-After', { concurrency: 10 }],
	[200, '50 at once, no Retry-After', { concurrency: 50 }],
	[200, '10 starts a minute, no Retry-After', { startsPerMinute: 10 }],
	[80, '2 at once, no Retry-After', { concurrency: 2 }],
	[80, '2 at once, Retry-After', { concurrency: 2, retryAfter: true }],
	[80, '10 at once, Retry-After', { concurrency: 10, retryAfter: true }],
	[80, '50 at once, Retry-After', { concurrency: 50, retryAfter: true }],
	[80, '10 starts a minute, Retry-After', { startsPerMinute: 10, retryAfter: true }],
	[80, 'Free, no Retry-After', { concurrency: 2, startsPerMinute: 2 }],
	[80, 'Free, Retry-After', { concurrency: 2, startsPerMinute: 2, retryAfter: true }],
];

it.each(plans)('%i jobs of 30 to 600 s take at most 1.06 x the oracle: %s', async (jobs, _name, plan) => {
	const durationsMs = randomDurationsMs(jobs, [30, 600]);
	const { outcomes, service, ratio } = await simulate({ durationsMs, plan, concurrency: 200 });
	expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(jobs);
	expect(service.jobs.size).toBe(jobs);
	expect(service.mostAtOnce).toBeLessThanOrEqual(plan.concurrency ?? jobs);
	expect(ratio).toBeLessThanOrEqual(1.06);
});
