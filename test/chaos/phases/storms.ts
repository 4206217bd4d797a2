import type { FaultRule } from '../../../sandbox/control/faultBook.ts';
import { askedBy } from '../faultScript.ts';
import type { Asked, ScriptParts } from '../faultScript.ts';
import { KINDS } from '../kinds.ts';
import type { Servers } from '../servers.ts';
import { checkStarts, ride } from './retried.ts';

/** Numbers of the jobs, so that they suffer other faults than those of the rounds, and of each other. */
const FIRST_STORM = 500_000;
const FIRST_LOOP = 600_000;
const JOBS_PER_STORM = 12;
const LOOP_ROUNDS = 3;
const JOBS_PER_LOOP_ROUND = 4;

export interface StormsParts extends ScriptParts {
	servers: Servers;
}

export interface StormsResult {
	executions: number;
	/** Times that n8n's Retry was pressed. */
	retries: number;
	jobs: number;
	starts: number;
	/** Jobs that a retry had to start again. */
	startedAnew: number;
	finished: number;
	violations: string[];
}

/**
 * Executions that stop at the first error, with Retry On Fail, and then n8n's Retry of the stored data
 * until they succeed or nothing but "may have been started" is left: how often is a job paid for?
 */
export async function runStorms(parts: StormsParts): Promise<StormsResult> {
	const count = 2 * KINDS.length;
	const numbers = (execution: number) => range(FIRST_STORM + execution * 100, JOBS_PER_STORM);
	return await runRides(parts, count, (execution) => [askedBy(execution, numbers(execution), parts.seed)]);
}

/** The same with executions in which the node runs several times. */
export async function runLoops(parts: StormsParts): Promise<StormsResult> {
	return await runRides(parts, 2 * KINDS.length, (execution) =>
		Array.from({ length: LOOP_ROUNDS }, (_unused, round) => {
			const first = FIRST_LOOP + execution * 100 + round * JOBS_PER_LOOP_ROUND;
			return askedBy(execution, range(first, JOBS_PER_LOOP_ROUND), parts.seed);
		}),
	);
}

async function runRides(
	{ servers, ...script }: StormsParts,
	count: number,
	roundsOf: (execution: number) => Asked[][],
): Promise<StormsResult> {
	const parts = { ...script, hangs: false };
	const rides = range(0, count).map((execution) => ({ execution, rounds: roundsOf(execution) }));
	for (const { execution, rounds } of rides) {
		// Half of them strike looks only: they must come to a good end. The others may come upon a start that
		// nobody knows the end of, which no retry may send again.
		const looksOnly = execution < count / 2;
		const isWanted = (fault: FaultRule) => isShort(fault) && !(looksOnly && fault.step === 'start');
		servers.setFaults(execution, rounds.flat(), parts, isWanted);
	}
	const ends = await Promise.all(rides.map(async (one) => await ride(one, servers)));
	const { started } = servers.seen();
	const checks = rides.map((one, index) => checkStarts(one, ends[index]?.named ?? new Set(), started, parts));
	const asked = rides.flatMap(({ rounds }) => rounds.flat());
	return {
		executions: count,
		retries: ends.reduce((sum, { retries }) => sum + retries, 0),
		jobs: asked.length,
		starts: asked.reduce((sum, { question }) => sum + (started.get(question)?.length ?? 0), 0),
		startedAnew: checks.reduce((sum, { again }) => sum + again, 0),
		finished: ends.filter(({ last }) => !last.error).length,
		violations: [...ends, ...checks].flatMap(({ violations }) => violations),
	};
}

/** A scrape that is refused without a time waits for the next minute: the rounds have enough of these. */
function isShort(fault: FaultRule): boolean {
	return fault.step !== 'scrape' || fault.kind !== 'rateLimit' || fault.retryAfter === 1;
}

function range(first: number, count: number): number[] {
	return Array.from({ length: count }, (_unused, index) => first + index);
}
