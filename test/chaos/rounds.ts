import { performance } from 'node:perf_hooks';
import type { Sandbox } from '../../sandbox/server.ts';
import { faultsOf } from './faultScript.ts';
import type { ScriptParts } from './faultScript.ts';
import { addTally, checkItems, emptyTally, startedIds } from './invariants.ts';
import type { Tally } from './invariants.ts';
import { kindOf } from './kinds.ts';
import { NODE, runNode } from './node.ts';

/** Longest wait for a job, in seconds. No job lasts a tenth of it; only faults can use it up. */
export const MAX_WAIT_SECONDS = 30;

/**
 * An execution that takes longer hangs: a request may last a minute, its job be waited for after that,
 * and both may stand in a queue behind the pauses of others.
 */
export const EXECUTION_MS = 5 * 60_000;

export interface RoundParts extends ScriptParts {
	sandbox: Sandbox;
	keys: readonly string[];
	/** Numbers of the jobs of this round. */
	from: number;
	to: number;
	/** Executions that run at once. */
	executions: number;
}

export interface RoundResult {
	tally: Tally;
	requests: number;
	faults: Record<string, number>;
	seconds: number;
}

/** Sets the faults of these jobs. What the book held before is gone. */
export function setFaults(
	sandbox: Sandbox,
	questions: ReadonlyMap<string, number>,
	parts: ScriptParts,
): void {
	sandbox.reset();
	sandbox.faults.clear();
	for (const [question, number] of questions) {
		for (const fault of faultsOf(question, number, parts)) sandbox.faults.add(fault);
	}
}

/** Runs some executions side by side that continue on errors, and checks the end of every item. */
export async function runRound(parts: RoundParts): Promise<RoundResult> {
	const { sandbox, from, to, seed, executions } = parts;
	const numbers = Array.from({ length: to - from }, (_unused, index) => from + index);
	const shares = dealOut(numbers, executions).map((share, index) =>
		share.map((number) => ({ number, question: kindOf(index).questionOf(number, seed) })),
	);
	const questions = new Map(shares.flat().map(({ number, question }) => [question, number]));
	setFaults(sandbox, questions, parts);
	const beganMs = performance.now();
	const asked = shares.map((share) => share.map(({ question }) => question));
	const ended = await Promise.all(asked.map((share, index) => runShare(parts, share, index)));
	const stats = sandbox.stats();
	const started = startedIds(stats);
	const tally = ended
		.map(({ good, bad, violations }, index) => {
			const checked = checkItems(kindOf(index), asked[index] ?? [], { good, bad, started });
			return { ...checked, violations: [...violations, ...checked.violations] };
		})
		.reduce(addTally, emptyTally());
	if (tally.starts !== stats.starts.total) {
		tally.violations.push(`${stats.starts.total - tally.starts} starts of unknown questions`);
	}
	return {
		tally,
		requests: stats.requests,
		faults: stats.faults,
		seconds: (performance.now() - beganMs) / 1000,
	};
}

async function runShare({ sandbox, keys }: RoundParts, questions: string[], index: number) {
	const execution = await runNode({
		sandbox,
		key: keys[index % keys.length] ?? '',
		kind: kindOf(index),
		questions,
		node: { onError: 'continueErrorOutput' },
		maxWait: MAX_WAIT_SECONDS,
		signal: AbortSignal.timeout(EXECUTION_MS),
	});
	const violations: string[] = [];
	if (execution.run.status === 'canceled') violations.push('an execution hung and was stopped');
	else if (execution.error) violations.push(`an execution failed: ${execution.error.message}`);
	return { good: execution.items(NODE, 0), bad: execution.items(NODE, 1), violations };
}

/** Deals out in turn, so that each gets as many. */
function dealOut<T>(all: readonly T[], shares: number): T[][] {
	return Array.from({ length: shares }, (_unused, share) =>
		all.filter((_one, index) => index % shares === share),
	).filter((share) => share.length > 0);
}
