import { setTimeout as sleep } from 'node:timers/promises';
import type { Execution } from '../../engine/index.ts';
import { seededRandom } from '../../sandbox/runtime/random.ts';
import { startedIds } from './invariants.ts';
import { kindOf } from './kinds.ts';
import { runNode } from './node.ts';
import { MAX_WAIT_SECONDS } from './rounds.ts';
import type { StormsParts } from './storms.ts';

/** Numbers of these jobs, apart from those of rounds and storms. */
const FIRST_NUMBER = 700_000;
const EXECUTIONS = 12;
const JOBS_PER_EXECUTION = 10;
/** Stop comes within this time, in milliseconds: before the first start, in the middle, near the end. */
const LATEST_STOP_MS = 3000;
/** What is on its way when Stop comes arrives within this time. */
const SETTLED_MS = 1500;

export interface StopsResult {
	executions: number;
	/** Those that Stop still found running. */
	stopped: number;
	starts: number;
	violations: string[];
}

/**
 * Presses Stop at any time: every job that the service has started is named in the error, or its item is
 * told to have been under way. n8n stores nothing that a Retry of a stopped execution could go on from.
 */
export async function runStops(parts: StormsParts): Promise<StopsResult> {
	const { sandbox, seed } = parts;
	sandbox.reset();
	sandbox.faults.clear();
	const random = seededRandom(seed);
	const result: StopsResult = { executions: EXECUTIONS, stopped: 0, starts: 0, violations: [] };
	for (let index = 0; index < EXECUTIONS; index++) {
		await stopOnce(parts, index, Math.ceil(random() * LATEST_STOP_MS), result);
	}
	result.starts = sandbox.stats().starts.total;
	return result;
}

async function stopOnce(
	{ sandbox, keys, seed }: StormsParts,
	index: number,
	stopAfterMs: number,
	result: StopsResult,
): Promise<void> {
	const kind = kindOf(index);
	const first = FIRST_NUMBER + index * JOBS_PER_EXECUTION;
	const questions = Array.from({ length: JOBS_PER_EXECUTION }, (_unused, job) =>
		kind.questionOf(first + job, seed),
	);
	const stopped = await runNode({
		sandbox,
		key: keys[index % keys.length] ?? '',
		kind,
		questions,
		node: {},
		maxWait: MAX_WAIT_SECONDS,
		signal: AbortSignal.timeout(stopAfterMs),
	});
	await sleep(SETTLED_MS);
	if (stopped.run.status !== 'canceled') return;
	result.stopped += 1;
	const started = startedIds(sandbox.stats());
	const said = wordsOf(stopped);
	questions.forEach((question, item) => {
		for (const id of started.get(question) ?? []) {
			if (said.text.includes(id) || said.itemsUnderWay.has(item)) continue;
			result.violations.push(`${question}: stopped after ${stopAfterMs} ms, ${id} is not told`);
		}
	});
}

/** What a stopped execution tells: every id in its error, and the items whose start was under way. */
function wordsOf({ error }: Execution): { text: string; itemsUnderWay: Set<number> } {
	const details = error && 'context' in error ? error.context.details : undefined;
	const text = `${error?.message ?? ''} ${error && 'description' in error ? error.description : ''} ${JSON.stringify(details ?? {})}`;
	const [, items = ''] = /under way for items? ([\d, ]+)/.exec(text) ?? [];
	return { text, itemsUnderWay: new Set(items.match(/\d+/g)?.map(Number)) };
}
