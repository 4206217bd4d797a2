import { performance } from 'node:perf_hooks';
import { askedBy } from '../faultScript.ts';
import type { Asked, ScriptParts } from '../faultScript.ts';
import { addTally, checkItems, emptyTally } from '../invariants.ts';
import type { Tally } from '../invariants.ts';
import { KINDS, kindOf } from '../kinds.ts';
import { NODE, runNode } from '../node.ts';
import type { Servers } from '../servers.ts';

/** Longest wait for a job, in seconds. No job lasts a tenth of it; only faults can use it up. */
export const MAX_WAIT_SECONDS = 30;

/** All jobs of an execution at once. */
export const WAIT_OPTIONS = { waitOptions: { maxJobsAtOnce: 1000, maxWait: MAX_WAIT_SECONDS } };

/**
 * An execution that takes longer hangs: a request may last a minute, its job be waited for after that,
 * and both may stand in a queue behind the pauses of others. Each try asks a minute for a job that is gone.
 */
export const EXECUTION_MS = 10 * 60_000;

export interface RoundParts extends ScriptParts {
	servers: Servers;
	/** Numbers of the jobs of this round. */
	from: number;
	to: number;
}

export interface RoundResult {
	tally: Tally;
	requests: number;
	faults: Record<string, number>;
	seconds: number;
}

/** Executions that run at once: each kind with both services. */
const EXECUTIONS = 2 * KINDS.length;

/** Runs some executions side by side that continue on errors, and checks the end of every item. */
export async function runRound(parts: RoundParts): Promise<RoundResult> {
	const { servers, from, to, seed } = parts;
	const numbers = Array.from({ length: to - from }, (_unused, index) => from + index);
	const shares = dealOut(numbers, EXECUTIONS).map((share, index) => askedBy(index, share, seed));
	servers.clear();
	shares.forEach((share, index) => servers.setFaults(index, share, parts));
	const beganMs = performance.now();
	const { foreign } = servers;
	const [ended] = await Promise.all([
		Promise.all(shares.map((share, index) => runShare(parts, share, index))),
		Promise.all(shares.map((share, index) => foreign.startBeside(servers.accountOf(index), share, seed))),
	]);
	const { started, starts, requests, faults } = servers.seen();
	const tally = ended
		.map(({ violations, ...seen }, index) => {
			const questions = (shares[index] ?? []).map(({ question }) => question);
			const checked = checkItems(kindOf(index), questions, { ...seen, started, foreign });
			return { ...checked, violations: [...violations, ...checked.violations] };
		})
		.reduce(addTally, emptyTally());
	tally.foreign = foreign.count;
	tally.violations.push(...(await servers.checkForeign()));
	if (tally.starts !== starts) {
		tally.violations.push(`${starts - tally.starts} starts of unknown questions`);
	}
	return { tally, requests, faults, seconds: (performance.now() - beganMs) / 1000 };
}

async function runShare({ servers }: RoundParts, asked: readonly Asked[], index: number) {
	const execution = await runNode({
		account: servers.accountOf(index),
		kind: kindOf(index),
		rounds: [asked.map(({ question }) => question)],
		node: { onError: 'continueErrorOutput' },
		options: WAIT_OPTIONS,
		signal: AbortSignal.timeout(EXECUTION_MS),
	});
	const violations: string[] = [];
	if (execution.run.status === 'canceled') violations.push('an execution hung and was stopped');
	else if (execution.error) violations.push(`an execution failed: ${execution.error.message}`);
	const hints = execution.run.data.resultData.runData[NODE]?.flatMap((run) => run.hints ?? []) ?? [];
	return {
		good: execution.items(NODE, 0),
		bad: execution.items(NODE, 1),
		hints: hints.map(({ message }) => message).join(' '),
		violations,
	};
}

/** Deals out in turn, so that each gets as many. */
function dealOut<T>(all: readonly T[], shares: number): T[][] {
	return Array.from({ length: shares }, (_unused, share) =>
		all.filter((_one, index) => index % shares === share),
	).filter((share) => share.length > 0);
}
