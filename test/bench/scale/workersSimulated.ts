import { randomDurationsMs, simulate } from '../../unit/simulation.ts';
import { row } from '../row.ts';
import { median } from '../statistics.ts';
import type { Measure } from '../benchmark.ts';

const EXECUTIONS = 60;
const JOBS = EXECUTIONS * 5;
const SEEDS = [1, 2, 3, 4, 5];

/** In virtual time: three workers, which know nothing of each other, with 60 executions of 5 jobs on 10 at once. */
export const measure: Measure = async () => {
	const makespans: number[] = [];
	const oracles: number[] = [];
	for (const seed of SEEDS) {
		const { service, makespanMs, ratio } = await simulate({
			durationsMs: randomDurationsMs(JOBS, [20, 40], seed),
			plan: { concurrency: 10 },
			concurrency: 10,
			executions: EXECUTIONS,
			processes: 3,
			sideBySide: 10,
			seed,
		});
		if (service.jobs.size !== JOBS) throw new Error(`${service.jobs.size} starts for ${JOBS} jobs`);
		makespans.push(makespanMs / 1000);
		oracles.push(makespanMs / ratio / 1000);
	}
	return [
		row({
			name: 'three workers in virtual time, 60 executions of 5 jobs on 10 at once',
			value: median(makespans),
			unit: 's',
			reference: median(oracles),
			target: { of: 'ratio', most: 1.15 },
		}),
	];
};
