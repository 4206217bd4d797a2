import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { hintsIn, NODE, runNode, startSandbox, withoutLists } from '../run';
import { askedBy, faultsOf } from './faults';
import type { Asked } from './faults';
import { checkItems, count, newTally } from './items';
import type { Tally } from './items';
import { KINDS, kindOf, questionIn } from './kinds';
import { WorkOfOthers } from './others';
import { checkStarts, runUntilDone } from './retries';

/**
 * Researches, crawls, batch scrapes and scrapes against a service that fails a share of all requests, whose lists and
 * states are behind, while others use the same account. What the node says is compared with what the service has
 * done. `npm run chaos` runs 10,000 jobs, or as many as CHAOS_JOBS says, with the faults of CHAOS_SEED.
 */
const JOBS = Number(process.env.CHAOS_JOBS ?? 100);
const SEED = Number(process.env.CHAOS_SEED ?? 1);
const parts = { seed: SEED, share: 0.2 };

const JOBS_AT_ONCE = 1000;
/** Executions that run at once. */
const EXECUTIONS = 2 * KINDS.length;
const KEYS = ['fc-chaos-1', 'fc-chaos-2', 'fc-chaos-3', 'fc-chaos-4'];
const keyOf = (execution: number) => KEYS[execution % KEYS.length] ?? '';
/** How far the states and the lists of jobs are behind at most. */
const LAG_MS = 10_000;
/** No job lasts a tenth of it; only faults can use it up. */
const WAITS = { options: { waitOptions: { maxJobsAtOnce: 1000, maxWait: 30 } } };
/** An execution that takes longer hangs: all its requests may stand in a queue behind the pauses of others. */
const whenItHangs = () => AbortSignal.timeout(30 * 60_000);

const range = (first: number, length: number) => Array.from({ length }, (_unused, index) => first + index);

async function serve(): Promise<Sandbox> {
	const random = seededRandom(SEED);
	// Each request meets another machine of the service.
	const lag = () => LAG_MS * random();
	return await startSandbox({ lightWork: true, seed: SEED, keys: KEYS, lagMs: lag });
}

/** Ids of the jobs that were started and the pages that were scraped, by question, but for those of others. */
function startedAt(sandbox: Sandbox, others?: WorkOfOthers): Map<string, string[]> {
	const { starts, scrapes } = sandbox.stats();
	const jobs = starts.list.map(({ query, id }) => ({ question: questionIn(query), id }));
	const pages = scrapes.map(({ url, scrapeId }) => ({ question: url, id: scrapeId }));
	const started = new Map<string, string[]>();
	for (const { question, id } of [...jobs, ...pages]) {
		if (!others?.has(id)) started.set(question, [...(started.get(question) ?? []), id]);
	}
	return started;
}

/** Runs some executions side by side that continue on errors, and checks the end of every item. */
async function runSideBySide(sandbox: Sandbox, numbers: readonly number[], tally: Tally): Promise<void> {
	const shares = range(0, EXECUTIONS).map((execution) =>
		askedBy(
			execution,
			numbers.filter((_number, index) => index % EXECUTIONS === execution),
			SEED,
		),
	);
	const others = new WorkOfOthers(sandbox);
	for (const fault of shares.flat().flatMap((one) => faultsOf(one, parts))) sandbox.faults.add(fault);
	const executions = await Promise.all(
		shares.map(async (asked, execution) => {
			const { isJob, parameters } = kindOf(execution);
			const apiKey = keyOf(execution);
			const running = runNode(
				sandbox,
				{ ...parameters, ...(isJob && WAITS) },
				{
					items: asked.map(({ question }) => ({ q: question })),
					credential: { baseUrl: sandbox.baseUrl, apiKey },
					node: { onError: 'continueErrorOutput' },
					signal: whenItHangs(),
				},
			);
			await others.startBeside(apiKey, asked, SEED);
			return await running;
		}),
	);
	const started = startedAt(sandbox, others);
	executions.forEach((execution, index) => {
		if (execution.error) tally.violations.push(`an execution failed: ${execution.error.message}`);
		const questions = (shares[index] ?? []).map(({ question }) => question);
		const [good, bad] = [execution.items(NODE, 0), execution.items(NODE, 1)];
		checkItems(kindOf(index), questions, { good, bad, hints: hintsIn(execution), started, others }, tally);
	});
	const { requests, faults } = sandbox.stats();
	count(tally, 'jobs', numbers.length);
	count(tally, 'requests', requests);
	count(
		tally,
		'faults',
		Object.values(faults).reduce((sum, times) => sum + times, 0),
	);
	count(tally, 'work of others', others.count);
	tally.violations.push(...(await others.check()));
	const known = new Set(shares.flat().map(({ question }) => question));
	for (const question of started.keys()) if (!known.has(question)) tally.violations.push(`started: ${question}`);
}

function expectKept({ violations, counts }: Tally): void {
	if (process.env.CHAOS_JOBS) console.info(`seed ${SEED}:`, counts);
	expect(violations).toEqual([]);
}

it.each(['present', 'missing'] as const)('each item ends once, and is paid once (lists %s)', async (lists) => {
	const tally = newTally();
	const sandbox = await serve();
	for (let from = 0; from < JOBS; from += JOBS_AT_ONCE) {
		if (lists === 'missing') withoutLists(sandbox);
		await runSideBySide(sandbox, range(from, Math.min(JOBS_AT_ONCE, JOBS - from)), tally);
		sandbox.reset();
	}
	expectKept(tally);
	if (lists === 'present') expect(tally.counts['of these started']).toBeUndefined();
});

it.each([
	['one after the other', 1, 12],
	['in a loop', 3, 4],
])('Retry pays for nothing twice, and ends (%s)', async (_how, rounds, jobs) => {
	const tally = newTally();
	const sandbox = await serve();
	const executions = range(0, EXECUTIONS).map((execution) =>
		range(0, rounds).map((round) => askedBy(execution, range(500_000 + execution * 100 + round * jobs, jobs), SEED)),
	);
	executions.forEach((asked, execution) => {
		// Half of them strike looks only: they must come to a good end. The others may come upon a start that
		// nobody knows the end of, which no retry may send again.
		const looksOnly = execution < EXECUTIONS / 2;
		const faults = asked.flat().flatMap((one) => faultsOf(one, parts));
		for (const fault of faults) if (!looksOnly || fault.step !== 'start') sandbox.faults.add(fault);
	});
	const named = await Promise.all(
		executions.map((asked, execution) => runUntilDone(sandbox, keyOf(execution), asked, whenItHangs(), tally)),
	);
	const started = startedAt(sandbox);
	executions.forEach((asked, execution) => {
		const check = (one: Asked) =>
			checkStarts(one, started.get(one.question) ?? [], named[execution] ?? new Set(), parts, tally);
		asked.flat().forEach(check);
	});
	expectKept(tally);
	expect(tally.counts['retried to a good end']).toBeGreaterThanOrEqual(EXECUTIONS / 2);
});
