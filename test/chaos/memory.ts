import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { slopeOf } from '../bench/statistics.ts';

/** Node has the collector behind a flag; set so, no flag on the command line is needed. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What the process holds after everything that could be collected was collected, in bytes. */
export async function heldBytes(): Promise<number> {
	for (let time = 0; time < 3; time++) {
		collect();
		await new Promise<void>((resolve) => setImmediate(resolve));
	}
	return process.memoryUsage().heapUsed;
}

/** The first rounds fill caches: compiled code, connections, parsed expressions. */
const WARM_UP_ROUNDS = 2;

/** What the register keeps of an id, measured: it has the latest 50,000, so ten rounds do not fill it. */
const REGISTER_BYTES = 105;

/** More growth than this per job is a leak: what is remembered of one job alone is larger. */
export const MAX_GROWTH_PER_JOB = 200 + REGISTER_BYTES;

/**
 * Bytes by which the process has grown with each job, once warm; undefined with too few rounds to tell.
 * The slope of a straight line through all rounds, since single values jump.
 */
export function growthPerJob(held: readonly number[], jobsPerRound: number): number | undefined {
	const warm = held.slice(WARM_UP_ROUNDS);
	if (warm.length < 4) return undefined;
	return slopeOf(warm) / jobsPerRound;
}
