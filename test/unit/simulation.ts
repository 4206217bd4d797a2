import { ServiceClient } from '../../nodes/service/limits/client';
import { Secrets } from '../../nodes/service/secrets';
import type { JobOutcome } from '../../nodes/service/jobs/jobTask';
import { SharedLimits } from '../../nodes/service/limits/limits';
import { runJobs } from '../../nodes/service/jobs/runJobs';
import { oracleMakespanMs } from './oracle.ts';
import { seededRandom } from './seededRandom.ts';
import { noEvents, researchTask } from './researchTask.ts';
import { SimulatedService } from './simulatedService.ts';
import type { SimulatedPlan } from './simulatedService.ts';
import { VirtualTime } from './virtualTime.ts';

export interface SimulationParts {
	/** Length of each job in milliseconds. */
	durationsMs: number[];
	plan: SimulatedPlan;
	/** Most jobs of one execution in work at once. */
	concurrency: number;
	/** How many executions share the jobs and the credential. Default: 1. */
	executions?: number;
	/** How many processes, which know nothing of each other, take the executions in turn. Default: 1. */
	processes?: number;
	/** Most executions that one process runs at the same time. Default: all. */
	sideBySide?: number;
	seed?: number;
	latencyMs?: [number, number];
}

export interface SimulationResult {
	outcomes: JobOutcome[];
	service: SimulatedService;
	makespanMs: number;
	/** Makespan against that of a scheduler that knows the limits and sees every end at once. */
	ratio: number;
	/** When each execution was done, in milliseconds. */
	executionsEndMs: number[];
}

/** Lengths of jobs between two bounds in seconds, in the same order for the same seed. */
export function randomDurationsMs(count: number, [least, most]: [number, number], seed = 7): number[] {
	const random = seededRandom(seed);
	return Array.from({ length: count }, () => Math.round(1000 * (least + random() * (most - least))));
}

/** Runs jobs against the simulated service and the oracle. */
export async function simulate(parts: SimulationParts): Promise<SimulationResult> {
	const { durationsMs, plan, concurrency, executions = 1, processes = 1 } = parts;
	const { sideBySide = executions, seed = 1, latencyMs } = parts;
	const time = new VirtualTime(seed, Infinity);
	const lengthOf = new Map(durationsMs.map((ms, item) => [`job ${item}`, ms]));
	const service = new SimulatedService({
		time,
		plan,
		seed,
		durationMs: (query) => lengthOf.get(query) ?? 0,
		...(latencyMs && { latencyMs }),
	});
	const executionsEndMs: number[] = [];
	const tasks = durationsMs.map((_ms, item) => researchTask(item));
	const runExecution = async (execution: number, limits: SharedLimits) => {
		const client = new ServiceClient({
			secrets: new Secrets(''),
			http: service.http(),
			baseUrl: 'https://service.example',
			limits,
			time,
		});
		const outcomes = await runJobs(
			tasks.filter(({ item }) => item % executions === execution),
			{ concurrency, stopsTheRun: () => false, events: noEvents },
			client,
		);
		executionsEndMs.push(time.now());
		return outcomes;
	};
	let next = 0;
	// Each process takes the next execution as soon as it has a place for it, as n8n's workers do.
	const lane = async (limits: SharedLimits): Promise<JobOutcome[]> => {
		const outcomes: JobOutcome[] = [];
		while (next < executions) outcomes.push(...(await runExecution(next++, limits)));
		return outcomes;
	};
	const limitsOf = Array.from({ length: processes }, () => new SharedLimits());
	const places = Math.min(executions, processes * sideBySide);
	const runs = Array.from({ length: places }, async (_unused, place) => {
		return await lane(limitsOf[place % processes] ?? new SharedLimits());
	});
	const outcomes = (await time.until(Promise.all(runs))).flat();
	const makespanMs = time.now();
	const ratio = makespanMs / oracleMakespanMs(durationsMs, plan, concurrency * places);
	return { outcomes, service, makespanMs, ratio, executionsEndMs };
}
