import { randomDurationsMs, simulate } from '../unit/simulation.ts';
import { row } from './row.ts';
import type { Measure } from './benchmark.ts';

const JOBS = 200;

/** In virtual time: 200 jobs of 2 to 6 s on a plan of 10 that the node is not told of. */
export const measure: Measure = async () => {
	const durationsMs = randomDurationsMs(JOBS, [2, 6]);
	const plan = { concurrency: 10 };
	const { service, makespanMs, ratio } = await simulate({ durationsMs, plan, concurrency: JOBS });
	if (service.jobs.size !== JOBS) throw new Error(`${service.jobs.size} starts for ${JOBS} jobs`);
	const value = makespanMs / 1000;
	const name = 'makespan, 200 short jobs on 10 at once';
	return [
		row({
			name,
			value,
			unit: 's',
			reference: value / ratio,
			target: { of: 'ratio', most: 1.2 },
		}),
	];
};
