import { setTimeout as sleep } from 'node:timers/promises';
import type { Execution } from '../../../engine/index.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import type { ListState } from '../../../sandbox/service/serverKind.ts';
import { runNode } from '../node.ts';
import { MAX_WAIT_SECONDS } from './rounds.ts';
import { ITEMS, parametersOf } from './stages.ts';
import type { Stage, StoppableKind } from './stages.ts';

/** After Stop nothing is sent any more, and the execution is over. */
const WITHIN_MS = 1000;
/** The same where jobs are cancelled, which takes 5 s at most, and some time on a busy machine. */
const CANCELLED_WITHIN_MS = 8000;
/** What is on its way when Stop comes arrives within this time, and what is sent too late is seen. */
const SETTLED_MS = 1500;
/** A stage that is not met by then never comes. */
const LONGEST_MS = 15_000;

/** What is stopped must not have ended. */
const JOB_MS = 1500;
const SLICE_SIZE = 10;

const KEY = 'fc-stop';

export interface StopParts {
	seed: number;
	lists: ListState;
	stage: Stage;
	kind: StoppableKind;
	/** Of this stop, among all; every third asks for its jobs to be cancelled. */
	number: number;
}

export interface StopEnd {
	wasStopped: boolean;
	starts: number;
	violations: string[];
}

/**
 * Runs one execution against a service of its own, presses Stop in this stage, and checks what it tells
 * and what it still sends.
 */
export async function stopOnce(parts: StopParts): Promise<StopEnd> {
	const { seed, lists } = parts;
	const common = { lightWork: true, jobDurationMs: JOB_MS, sliceSize: SLICE_SIZE, keys: [KEY] };
	const sandbox = await startSandbox({ ...common, seed, lists });
	try {
		return await stopAt(parts, sandbox);
	} finally {
		await sandbox.stop();
	}
}

async function stopAt({ stage, kind, number }: StopParts, sandbox: Sandbox): Promise<StopEnd> {
	const cancels = number % 3 === 0 && kind !== 'deepResearch';
	const questions = Array.from({ length: ITEMS }, (_unused, item) => `stop-${number}-${item}-`);
	for (const fault of stage.faults ?? []) sandbox.faults.add(fault);
	const stop = new AbortController();
	const running = run({ stage, kind, cancels, questions, sandbox, signal: stop.signal });
	await untilReached(stage, sandbox, running);
	const stoppedAtMs = Date.now();
	stop.abort();
	const execution = await running;
	const tookMs = Date.now() - stoppedAtMs;
	await sleep(SETTLED_MS);
	const { starts, lastRequestAtMs } = sandbox.stats();
	const end: StopEnd = { wasStopped: true, starts: starts.total, violations: [] };
	const complain = (what: string) => {
		end.violations.push(`Stop ${stage.name}, ${kind}${cancels ? ', cancels' : ''}: ${what}`);
	};
	if (execution.run.status !== 'canceled') {
		if (!stage.mayEndBefore) complain(`it had ended: ${execution.error?.message ?? 'well'}`);
		return { ...end, wasStopped: false };
	}
	const longestMs = cancels ? CANCELLED_WITHIN_MS : WITHIN_MS;
	if (tookMs > longestMs) complain(`it took ${tookMs} ms to end`);
	const lateMs = (lastRequestAtMs ?? 0) - stoppedAtMs;
	if (lateMs > longestMs) complain(`a request ${lateMs} ms after it`);
	const said = wordsOf(execution);
	for (const { id, query } of starts.list) {
		const item = questions.findIndex((question) => query.includes(question));
		if (said.text.includes(id) || said.itemsUnderWay.has(item)) continue;
		complain(`${id} of item ${item} is not told in "${said.text.slice(0, 300)}"`);
	}
	return end;
}

interface StoppedRunParts {
	stage: Stage;
	kind: StoppableKind;
	cancels: boolean;
	questions: string[];
	sandbox: Sandbox;
	signal: AbortSignal;
}

async function run(parts: StoppedRunParts): Promise<Execution> {
	const { stage, kind, cancels, questions, sandbox, signal } = parts;
	const hasPages = stage.pages ?? false;
	const waitOptions = { maxWait: MAX_WAIT_SECONDS, maxJobsAtOnce: ITEMS };
	return await runNode({
		account: { sandbox, key: KEY },
		kind: {
			name: kind,
			isJob: true,
			parameters: parametersOf(kind, hasPages),
			questionOf: String,
			faultOf: () => undefined,
		},
		rounds: [questions],
		node: {},
		options: {
			...(hasPages && { failedPages: true }),
			waitOptions: { ...waitOptions, cancelOnStop: cancels },
		},
		signal,
	});
}

async function untilReached(
	{ isReached, afterMs = 0 }: Stage,
	sandbox: Sandbox,
	running: Promise<Execution>,
): Promise<void> {
	let isOver = false;
	void running.then(() => (isOver = true));
	const latestMs = Date.now() + LONGEST_MS;
	while (!isOver && Date.now() < latestMs && !isReached(sandbox.stats())) await sleep(5);
	await sleep(afterMs);
}

/** What a stopped execution tells: every id in its error, and the items whose start was under way. */
function wordsOf({ error }: Execution): { text: string; itemsUnderWay: Set<number> } {
	const details = error && 'context' in error ? error.context.details : undefined;
	const text = `${error?.message ?? ''} ${error && 'description' in error ? error.description : ''} ${JSON.stringify(details ?? {})}`;
	const [, items = ''] = /under way for items? ([\d, ]+)/.exec(text) ?? [];
	return { text, itemsUnderWay: new Set(items.match(/\d+/g)?.map(Number)) };
}
