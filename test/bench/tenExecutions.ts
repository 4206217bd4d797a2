import { randomDurationsMs, simulate } from '../unit/simulation.ts';
import type { SimulatedPlan } from '../unit/simulatedService.ts';
import { row } from './row.ts';
import { median } from './statistics.ts';
import type { Measure } from './benchmark.ts';
import type { Row } from './row.ts';

const JOBS = 100;

const PLANS: Array<[string, SimulatedPlan]> = [
	['3 at once', { concurrency: 3 }],
	['3 at once, Retry-After', { concurrency: 3, retryAfter: true }],
	['5 at once, 20 starts/min', { concurrency: 5, startsPerMinute: 20 }],
	['2 at once, 2 starts/min', { concurrency: 2, startsPerMinute: 2 }],
];

/** In virtual time: ten executions of ten jobs each on one credential. */
export const measure: Measure = async () => {
	const durationsMs = randomDurationsMs(JOBS, [30, 300]);
	const rows: Row[] = [];
	for (const [plan, limits] of PLANS) {
		const parts = { durationsMs, plan: limits, concurrency: 10, executions: 10 };
		const { service, makespanMs, ratio, executionsEndMs } = await simulate(parts);
		if (service.jobs.size !== JOBS) throw new Error(`${service.jobs.size} starts for ${JOBS} jobs`);
		const value = makespanMs / 1000;
		const name = `ten executions, ${plan}`;
		rows.push(
			row({
				name,
				value,
				unit: 's',
				reference: value / ratio,
				target: { of: 'ratio', most: 1.15 },
			}),
			row({
				name: `${name}: slowest against the median`,
				value: Math.max(...executionsEndMs) / 1000,
				unit: 's',
				reference: median(executionsEndMs) / 1000,
				target: { of: 'ratio', most: 2 },
			}),
		);
	}
	return rows;
};
