import { retryFromStored } from '../../engine/index.ts';
import type { Execution } from '../../engine/index.ts';
import type { FaultRule } from '../../sandbox/control/faultRule.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { faultsOf } from './faultScript.ts';
import type { ScriptParts } from './faultScript.ts';
import { MAY_HAVE_BEEN_STARTED, startedIds } from './invariants.ts';
import { kindOf } from './kinds.ts';
import { NODE, optionsOf, runNode } from './node.ts';
import { EXECUTION_MS, MAX_WAIT_SECONDS } from './rounds.ts';

/** Numbers of the storms' jobs, so that they suffer other faults than those of the rounds. */
const FIRST_NUMBER = 500_000;
const STORMS = 8;
const JOBS_PER_STORM = 12;
const MOST_RETRIES = 10;

export interface StormsParts extends ScriptParts {
	sandbox: Sandbox;
	keys: readonly string[];
}

export interface StormsResult {
	executions: number;
	/** Times that n8n's Retry was pressed. */
	retries: number;
	jobs: number;
	starts: number;
	/** Jobs that had failed or were gone at the service, so that a retry had to start them anew. */
	startedAnew: number;
	finished: number;
	violations: string[];
}

/**
 * Executions that stop at the first error, with Retry On Fail, and then n8n's Retry of the stored data
 * until they succeed or nothing but "may have been started" is left: how often is a job paid for?
 */
export async function runStorms(parts: StormsParts): Promise<StormsResult> {
	const { sandbox, seed } = parts;
	const storms = Array.from({ length: STORMS }, (_unused, storm) => {
		const first = FIRST_NUMBER + storm * JOBS_PER_STORM;
		const numbers = Array.from({ length: JOBS_PER_STORM }, (_job, index) => first + index);
		return new Map(numbers.map((number) => [kindOf(storm).questionOf(number, seed), number]));
	});
	sandbox.reset();
	sandbox.faults.clear();
	storms.forEach((storm, index) => {
		for (const fault of faultsOfStorm(storm, index, parts)) sandbox.faults.add(fault);
	});
	const ends = await Promise.all(storms.map((storm, index) => ride(parts, storm, index)));
	const started = startedIds(sandbox.stats());
	const result: StormsResult = {
		executions: STORMS,
		retries: ends.reduce((sum, { retries }) => sum + retries, 0),
		jobs: STORMS * JOBS_PER_STORM,
		starts: sandbox.stats().starts.total,
		startedAnew: 0,
		finished: ends.filter(({ last }) => !last.error).length,
		violations: [],
	};
	storms.forEach((storm, index) => {
		const end = ends[index];
		if (end) check(storm, end, started, parts, result);
	});
	return result;
}

/**
 * Every other storm strikes looks only: it must come to a good end. The others may come upon a start
 * that nobody knows the end of, which no retry may send again.
 */
function faultsOfStorm(
	storm: ReadonlyMap<string, number>,
	index: number,
	parts: ScriptParts,
): FaultRule[] {
	const faults = [...storm].flatMap(([question, number]) =>
		faultsOf(question, number, { ...parts, hangs: false }),
	);
	return index % 2 === 0 ? faults.filter(({ step }) => step === 'status') : faults;
}

interface End {
	last: Execution;
	retries: number;
	/** Every id that an error of this storm has named. */
	named: Set<string>;
	/** Its queries differ with each evaluation, so n8n's Retry was not pressed. */
	changes: boolean;
}

async function ride(
	{ sandbox, keys }: StormsParts,
	storm: ReadonlyMap<string, number>,
	index: number,
): Promise<End> {
	const run = {
		sandbox,
		key: keys[index % keys.length] ?? '',
		kind: kindOf(index),
		questions: [...storm.keys()],
		node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		maxWait: MAX_WAIT_SECONDS,
		signal: AbortSignal.timeout(EXECUTION_MS),
	};
	const end: End = {
		last: await runNode(run),
		retries: 0,
		named: new Set(),
		changes: run.kind.changes ?? false,
	};
	const mostRetries = run.kind.changes ? 0 : MOST_RETRIES;
	while (end.last.error && end.retries < mostRetries) {
		noteError(end);
		end.retries += 1;
		end.last = await retryFromStored(end.last, await optionsOf(run));
	}
	if (end.last.error) noteError(end);
	else for (const { json } of end.last.items(NODE)) end.named.add(String(json.id));
	return end;
}

function noteError({ last, named }: End): void {
	const { error } = last;
	const details = error && 'context' in error ? error.context.details : undefined;
	const { jobs } = (details ?? {}) as { jobs?: Array<{ id: string }> };
	for (const { id } of jobs ?? []) named.add(id);
}

/** A job may be started again only where it is known to have failed or to be gone. */
function check(
	storm: ReadonlyMap<string, number>,
	{ last, named, changes }: End,
	started: ReadonlyMap<string, readonly string[]>,
	parts: ScriptParts,
	result: StormsResult,
): void {
	if (last.run.status === 'canceled') result.violations.push('a retry storm hung');
	if (last.error && !changes && !MAY_HAVE_BEEN_STARTED.test(last.error.message)) {
		// The faults of a job are a dozen at most: what is left by now is not passing.
		result.violations.push(`a storm never ended: ${last.error.message}`);
	}
	for (const [question, number] of storm) {
		const ids = started.get(question) ?? [];
		const again = faultsOf(question, number, { ...parts, hangs: false }).filter(
			({ kind }) => kind === 'failJob' || kind === 'expire',
		).length;
		result.startedAnew += Math.max(0, ids.length - 1);
		if (ids.length > 1 + again) result.violations.push(`${question}: paid ${ids.length} times`);
		// Of those that nobody named, one at most may be: the start whose answer was lost.
		const unnamed = ids.filter((id) => !named.has(id));
		if (unnamed.length > 1) result.violations.push(`${question}: lost ${unnamed.join(', ')}`);
	}
}
