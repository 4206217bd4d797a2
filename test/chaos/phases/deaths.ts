import { setTimeout as sleep } from 'node:timers/promises';
import { recoveredFromCrash, retryFromStored } from '../../../engine/index.ts';
import type { Execution } from '../../../engine/index.ts';
import { fromStored, toStored } from '../../../engine/stored.ts';
import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { askedBy } from '../faultScript.ts';
import type { Asked } from '../faultScript.ts';
import { MAY_HAVE_BEEN_STARTED } from '../invariants.ts';
import { KINDS, kindOf } from '../kinds.ts';
import { NODE, optionsOf, runNode } from '../node.ts';
import type { Servers } from '../servers.ts';
import { EXECUTION_MS, WAIT_OPTIONS } from './rounds.ts';
import type { StormsParts } from './storms.ts';

const FIRST_NUMBER = 800_000;
const ROUNDS = 3;
const JOBS_PER_ROUND = 4;
/** From the start that is waited for to the death, at most, in milliseconds. */
const LATEST_MS = 400;
/** What was on its way when n8n died arrives all the same, within this time. */
const SETTLED_MS = 5000;
/** n8n takes longer than this to start again. */
const AWAY_MS = 60_000;

export interface DeathsResult {
	deaths: number;
	/** Starts that the service had accepted by then. */
	startedBefore: number;
	/** Executions that the first Retry brought to a good end; the others refuse to start anything. */
	finished: number;
	violations: string[];
}

/** One execution in a loop, and where n8n dies in it. */
interface Doomed {
	execution: number;
	rounds: Asked[][];
	/** The round, from 0, and how many of its starts are accepted before. */
	round: number;
	starts: number;
	delayMs: number;
}

/**
 * n8n dies while the node runs in a loop, in the first round or a later one, and the person presses Retry:
 * nothing of that round may be started twice. Where the service lists jobs, all of it must come to a good
 * end. Only kinds that a Retry takes up: a scrape is one request, and a query that differs is another job.
 */
export async function runDeaths({ servers, seed }: StormsParts, lists: 'present' | 'missing'): Promise<DeathsResult> {
	const result: DeathsResult = { deaths: 0, startedBefore: 0, finished: 0, violations: [] };
	const doomed = drawDeaths(seed);
	const left = await Promise.all(doomed.map(async (one) => await untilDeath(one, servers)));
	await sleep(SETTLED_MS);
	await Promise.all(
		doomed.map(async (one, index) => {
			const dead = left[index];
			// Undefined: the loop was over before.
			if (dead) await retry(one, dead, { servers, lists, result });
		}),
	);
	return result;
}

function drawDeaths(seed: number): Doomed[] {
	const random = seededRandom(seed);
	const executions = Array.from({ length: 2 * KINDS.length }, (_unused, index) => index);
	const mayDie = executions.filter((index) => kindOf(index).isJob && !kindOf(index).changes);
	return mayDie.flatMap((execution) =>
		Array.from({ length: ROUNDS }, (_unused, round) => {
			const first = FIRST_NUMBER + execution * 1000 + round * 100;
			const rounds = Array.from({ length: ROUNDS }, (_one, index) => {
				const numbers = Array.from({ length: JOBS_PER_ROUND }, (_two, item) => item);
				return askedBy(
					execution,
					numbers.map((item) => first + index * 10 + item),
					seed,
				);
			});
			const starts = Math.floor(random() * (JOBS_PER_ROUND + 1));
			return { execution, rounds, round, starts, delayMs: LATEST_MS * random() };
		}),
	);
}

interface RetryParts {
	servers: Servers;
	lists: 'present' | 'missing';
	result: DeathsResult;
}

async function retry(one: Doomed, dead: Dead, { servers, lists, result }: RetryParts): Promise<void> {
	const { execution, rounds, round } = one;
	const asked = rounds.flat();
	const before = startsOf(asked, servers);
	result.deaths += 1;
	result.startedBefore += before;
	const account = servers.accountAfterwards(execution);
	const signal = AbortSignal.timeout(EXECUTION_MS);
	const last = await retryFromStored(dead, await optionsOf({ ...runOf(one), account, signal }));
	const { started } = servers.seen();
	for (const { question } of asked) {
		const ids = started.get(question) ?? [];
		if (ids.length > 1) result.violations.push(`${question}: started ${ids.length} times, n8n died`);
	}
	if (!last.error) result.finished += 1;
	else if (lists === 'present' || !MAY_HAVE_BEEN_STARTED.test(last.error.message)) {
		result.violations.push(`after a death in round ${round}: ${last.error.message}`);
	} else if (startsOf(asked, servers) > before) {
		result.violations.push(`after a death in round ${round} something was started`);
	}
}

/** What n8n has stored of an execution that it died in. */
type Dead = Pick<Execution, 'executionId' | 'stored'>;

function runOf({ execution, rounds }: Doomed) {
	return {
		kind: kindOf(execution),
		rounds: rounds.map((asked) => asked.map(({ question }) => question)),
		node: {},
		options: WAIT_OPTIONS,
	};
}

/** Runs it until n8n dies; what it had stored by then, when the node had not ended. Undefined: nothing to retry. */
async function untilDeath(one: Doomed, servers: Servers): Promise<Dead | undefined> {
	const { execution, round, rounds, starts, delayMs } = one;
	const kill = new AbortController();
	const asked = rounds[round] ?? [];
	let stored = '';
	let begun = 0;
	const onProgress = (nodeName: string, data: string) => {
		if (kill.signal.aborted || nodeName === NODE) return;
		stored = data;
		begun += 1;
	};
	const account = servers.accountOf(execution);
	const running = runNode({ ...runOf(one), account, signal: kill.signal, onProgress });
	let isOver = false;
	void running.then(() => (isOver = true));
	while (!isOver && (begun <= round || startsOf(asked, servers) < starts)) await sleep(3);
	await sleep(delayMs);
	// The node may have ended by now: then it is the condition that n8n dies in, or the next round.
	kill.abort();
	const { executionId } = await running;
	const found = foundAfterwards(stored);
	return found === undefined ? undefined : { executionId, stored: found };
}

/** What n8n finds when it has started again; undefined when nothing was left to do. */
function foundAfterwards(stored: string): string | undefined {
	if (stored === '') return undefined;
	const data = fromStored(stored);
	const [next] = data.executionData?.nodeExecutionStack ?? [];
	if (!next) return undefined;
	const runs = Object.values(data.resultData.runData).flat();
	for (const run of runs) run.startTime -= AWAY_MS;
	return recoveredFromCrash(toStored(data), next.node.name);
}

function startsOf(asked: Asked[], servers: Servers): number {
	const { started } = servers.seen();
	return asked.filter(({ question }) => started.has(question)).length;
}
