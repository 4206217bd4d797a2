import { randomDurationsMs, simulate } from '../../unit/simulation.ts';
import { row } from '../row.ts';
import type { SimulationResult } from '../../unit/simulation.ts';
import type { Measure } from '../benchmark.ts';

const EXECUTIONS = 60;
const JOBS = EXECUTIONS * 5;
const WORKERS = 3;
const SEEDS = [1, 2, 3, 4, 5];

/** Of each job, in seconds, at least and at most. */
const LENGTH: [number, number] = [20, 40];

/**
 * In virtual time: three workers, which know nothing of each other, with 60 executions of 5 jobs each on 10
 * at once. The worst of five seeds counts.
 */
export const measure: Measure = async () => {
	const runs = await Promise.all(SEEDS.map(runOf));
	const worst = runs.reduce((one, other) => (other.ratio > one.ratio ? other : one));
	const value = worst.makespanMs / 1000;
	return [
		row({
			name: `three workers in virtual time, ${EXECUTIONS} executions of 5 jobs on 10 at once`,
			value,
			unit: 's',
			reference: value / worst.ratio,
			target: { of: 'ratio', most: 1.15 },
		}),
	];
};

async function runOf(seed: number): Promise<SimulationResult> {
	const run = await simulate({
		durationsMs: randomDurationsMs(JOBS, LENGTH, seed),
		plan: { concurrency: 10 },
		concurrency: 10,
		executions: EXECUTIONS,
		processes: WORKERS,
		sideBySide: 10,
		seed,
	});
	const done = run.outcomes.filter(({ kind }) => kind === 'done').length;
	if (done !== JOBS || run.service.jobs.size !== JOBS) {
		throw new Error(`${done} results and ${run.service.jobs.size} starts for ${JOBS} jobs`);
	}
	return run;
}
