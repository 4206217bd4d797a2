/**
 * Many executions and many processes: suspended executions of an n8n that is killed, and n8n's own distributed engine
 * (main, three workers, Redis and PostgreSQL) under load and with executions that are suspended, as workers go.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import getPort from 'get-port';
import type { Execution, N8nClient, StoredCredential } from '../../tools/n8n/client.ts';
import { waitFor } from '../../tools/n8n/poll.ts';
import type { RunningProgram } from '../../tools/n8n/processes.ts';
import { newestN8n } from '../../tools/n8n/project.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { failure, nodeOutput, retry, waitForExecution } from './harness/executions.ts';
import { everyLine } from './harness/lines.ts';
import { answeredQuestions, endOfExecutions, manyJobsWorkflow, startExecutions } from './harness/manyJobs.ts';
import {
	apiKey,
	credentialFor,
	nodeType,
	packedTarball,
	type Product,
	startedJobs,
	startProduct,
} from './harness/product.ts';
import { fasterStalls, type QueueMode, startQueueMode } from './harness/queue.ts';
import { manualTrigger, type TestNode, workflow } from './harness/workflows.ts';

// The newest line, unless another is named.
const [version = newestN8n] = everyLine();

const pages = 2;
/** By the sandbox's clock: none ends before a test lets the time pass. */
const jobMs = 30 * 60_000;

const urlOf = (executionId: string): string => `https://example.com/of-${executionId}`;

/**
 * A service whose jobs end in the moments that a test says, `together` of them in each, in the order of their
 * starts. A call that finds nobody is made again after 3, 15 and 45 s.
 */
function endingTogether(together = Infinity) {
	let passedMs = 0;
	let started = 0;
	let running: Array<{ query: string; endsAtMs: number }> = [];
	const now = () => Date.now() + passedMs;
	return {
		options: {
			now,
			jobDurationMs({ query }: { query: string }): number {
				const durationMs = jobMs * (1 + Math.floor(started / together));
				started += 1;
				running.push({ query, endsAtMs: now() + durationMs });
				return durationMs;
			},
			lightWork: true,
		} as const,
		/** Ends the next ones and gives the executions that wait for them. */
		endNext(sandbox: Sandbox): string[] {
			passedMs += jobMs;
			const ended = running.filter(({ endsAtMs }) => endsAtMs <= now());
			running = running.filter(({ endsAtMs }) => endsAtMs > now());
			// Jobs end, and call, when somebody looks.
			assert.equal(sandbox.stats().jobsRunning, running.length);
			return ended.map(({ query }) => query.replace(urlOf(''), ''));
		},
	};
}

/** No Code node: with hundreds of executions those would take longer than all else. */
const next: TestNode = { name: 'Next', type: 'n8n-nodes-base.noOp', typeVersion: 1 };

function crawlNode(credential: StoredCredential): TestNode {
	const parameters = {
		resource: 'crawl',
		operation: 'start',
		url: `=${urlOf('{{ $execution.id }}')}`,
		pageLimit: pages,
		waitForCompletion: 'free',
	};
	return { name: 'Crawl', type: nodeType, typeVersion: 1, parameters, credential };
}

/** Starts so many executions, a few at a time, and waits until n8n has suspended all. */
async function suspend(client: N8nClient, credential: StoredCredential, count: number): Promise<string[]> {
	const saved = await client.createWorkflow(workflow('Suspended', [manualTrigger, crawlNode(credential), next]));
	const ids: string[] = [];
	while (ids.length < count) {
		const row = Array.from({ length: Math.min(10, count - ids.length) }, () => client.run(saved, manualTrigger.name));
		ids.push(...(await Promise.all(row)));
	}
	for (const id of ids) await waitForExecution(client, id, { states: ['waiting'] });
	return ids;
}

/**
 * Waits for the end of an execution; throws unless it has put out the pages of its own job. n8n 1.123 may call one
 * crashed that was suspended when n8n was killed: where the lines of its event log stand in another order, its restart
 * takes the execution for an unfinished one (message-event-bus-log-writer.js). Its Retry collects the job, and looks at
 * it more often. True where that was needed.
 */
async function hasItsPages(client: N8nClient, id: string): Promise<boolean> {
	const first = await waitForExecution(client, id, { timeoutMs: 300_000 });
	const isRetried = first.status === 'crashed' && version.startsWith('1.');
	const ended = isRetried ? await retry(client, id) : first;
	assert.equal(failure(ended), undefined);
	const output = nodeOutput(ended, 'Next');
	assert.equal(output.length, pages, `execution ${id}`);
	assert.equal(output[0]?.json.url, urlOf(id));
	return isRetried;
}

function startedOnce(sandbox: Sandbox, count: number): void {
	const { total, list } = sandbox.stats().starts;
	assert.equal(total, count);
	assert.equal(new Set(list.map(({ query }) => query)).size, count, 'each its own');
}

describe(`Wait in the Background on n8n ${version}, many at once`, { timeout: 1_200_000 }, () => {
	const many = 200;
	const together = 50;
	const service = endingTogether(together);
	let product: Product;

	before(async () => {
		product = await startProduct(version, {}, service.options);
	});
	after(async () => await product.dispose());

	test(`${many} suspended executions outlive a kill of n8n: ${many} results, each job started once and read once`, async (t) => {
		const { n8n, sandbox, credential } = product;
		const began = Date.now();
		const ids = await suspend(n8n.client, credential, many);
		const suspended = Date.now();
		await n8n.crash();
		await n8n.restart();
		const restarted = Date.now();
		const looksBefore = sandbox.stats().polls.byJob;
		const done = new Set<string>();
		/** The addresses of those that n8n had to be asked to retry. */
		const retried = new Set<string>();
		while (done.size < many) {
			const ended = service.endNext(sandbox);
			assert.equal(ended.length, together);
			for (const id of ended) {
				if (await hasItsPages(n8n.client, id)) retried.add(urlOf(id));
				done.add(id);
			}
		}
		assert.deepEqual(done, new Set(ids));
		const seconds = [suspended - began, restarted - suspended, Date.now() - restarted].map((ms) =>
			Math.round(ms / 1000),
		);
		const calls = sandbox.webhooks.sent();
		const again = calls.filter(({ attempt }) => attempt > 1).length;
		t.diagnostic(`suspended in ${seconds[0]} s, back after ${seconds[1]} s, all ended in ${seconds[2]} s`);
		t.diagnostic(`${calls.length} calls, ${again} of them a second time or later`);
		const { polls, starts } = sandbox.stats();
		assert.equal(Object.keys(polls.byJob).length, many);
		const others = starts.list.filter(({ query }) => !retried.has(query));
		const looks = others.map(({ id }) => (polls.byJob[id] ?? 0) - (looksBefore[id] ?? 0));
		// The check that wakes it, the one that begins its reading, and its pages.
		assert.deepEqual(new Set(looks), new Set([3]));
		startedOnce(sandbox, many);
	});
});

const jobsEach = 5;
const atOnce = 10;
/** Of the plan's jobs. Sped up: what a longer job shows of n8n and of the plan, it shows more often. */
const shortJobMs = 700;

const env = {
	...fasterStalls,
	// A busy machine is no lost database.
	DB_PING_TIMEOUT_MS: '30000',
	// 30 s unless set. On a busy machine these executions may take as long.
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '120',
};

interface Started {
	jobs: number;
	/** All executions with their data, when the last has ended. */
	ended: () => Promise<Execution[]>;
}

/** What the log has of a start before it is sent; the job's ID is there only when its answer came. */
function startOf(query: string): string {
	const [, execution, job] = /execution (\d+), job (\d+)\./.exec(query) ?? [];
	return `Execution ${execution}, node "Research", item ${job}: starting`;
}

describe(`workers on n8n ${version}`, { timeout: 900_000 }, () => {
	const few = 10;
	const service = endingTogether();
	let queue: QueueMode;
	/** The service of suspended executions. */
	let held: Sandbox;
	let credential: StoredCredential;

	before(async () => {
		held = await startSandbox({ speed: 20, keys: [apiKey], ...service.options });
		queue = await startQueueMode({ version, tarball: await packedTarball(), workers: 3, concurrency: 10, env });
		credential = await credentialFor(queue.main.client, held, 'Queue');
	});
	after(async () => {
		// First: it keeps the process alive where the queue could not be started.
		await held.stop();
		await queue.dispose();
	});

	const runsOf = (worker: RunningProgram): number =>
		worker.tail(100_000).match(/Worker started execution/g)?.length ?? 0;

	test('a worker that is killed while executions are suspended takes none of them along', async () => {
		const ids = await suspend(queue.main.client, credential, few);
		for (const worker of queue.workers) assert.ok(runsOf(worker) > 0, 'all workers took part');
		await queue.workers[0]?.kill();
		service.endNext(held);
		for (const id of ids) await hasItsPages(queue.main.client, id);
		startedOnce(held, few);
	});

	test('one that is killed as suspended executions go on loses no more than those that it has, and their jobs are told', async (t) => {
		const { client } = queue.main;
		const killed = await queue.addWorker();
		const ids = await suspend(client, credential, few);
		const before = runsOf(killed);
		// Long enough to be killed in the middle of it.
		held.faults.add({ kind: 'slow', step: 'crawlStatus', ms: 5000 });
		service.endNext(held);
		await waitFor('the worker to go on with an execution', () => (runsOf(killed) > before ? true : undefined), {
			timeoutMs: 120_000,
		});
		await killed.kill();
		held.faults.clear();
		const ended = await Promise.all(ids.map((id) => waitForExecution(client, id, { timeoutMs: 120_000 })));
		const lost = ended.filter(({ status }) => status !== 'success');
		t.diagnostic(`${few - lost.length} finished, ${lost.length} were lost`);
		const logs = queue.workers.map((worker) => worker.tail(100_000)).join('\n');
		for (const execution of ended) {
			if (execution.status === 'success') await hasItsPages(client, execution.id);
			else {
				assert.match(failure(execution) ?? '', /failed to be processed too many times/);
				const job = held.stats().starts.list.find(({ query }) => query === urlOf(execution.id));
				const line = new RegExp(`Execution ${execution.id}, .* suspended until .*${job?.id ?? '?'}`);
				assert.match(logs, line);
			}
		}
		startedOnce(held, 2 * few);
	});

	describe('on a plan of 10 jobs at once', () => {
		let sandbox: Sandbox;

		before(async () => {
			const plan = { jobsAtOnce: atOnce, retryAfter: 'none' } as const;
			sandbox = await startSandbox({ keys: [apiKey], plan, lightWork: true, jobDurationMs: shortJobMs });
			await queue.addWorker();
		});
		after(async () => {
			await sandbox.stop();
		});

		/** Starts so many executions, each of which has five jobs of its own. */
		async function start(words: string, executions: number): Promise<Started> {
			const { client } = queue.main;
			const credential = await credentialFor(client, sandbox, words);
			const saved = await client.createWorkflow(manyJobsWorkflow(words, credential, jobsEach));
			const starting = startExecutions(client, saved, executions);
			// What goes wrong is told where the end is waited for.
			starting.catch(() => undefined);
			const ended = async (): Promise<Execution[]> => {
				await starting;
				return await endOfExecutions(client, saved, executions, 180_000);
			};
			return { jobs: executions * jobsEach, ended };
		}

		/** Resolves when so many jobs have been started. */
		async function jobsStarted(words: string, least: number): Promise<void> {
			const enough = () => (startedJobs(sandbox, words).length >= least ? true : undefined);
			await waitFor(`${least} started jobs`, enough, { timeoutMs: 120_000, intervalMs: 50 });
		}

		/** A worker that has just started a job, so that it has work when it is ended. */
		async function busyWorker(words: string): Promise<RunningProgram> {
			const find = () => {
				const newest = startedJobs(sandbox, words).at(-1);
				if (newest === undefined) return undefined;
				return queue.workers.find((worker) => worker.tail(100).includes(newest));
			};
			return await waitFor('a worker at work', find, { timeoutMs: 60_000, intervalMs: 20 });
		}

		/** Every question was asked once, by its own execution, and its answer came out. */
		function assertAllAnswered(ended: readonly Execution[], words: string, jobs: number): void {
			for (const execution of ended) {
				assert.equal(failure(execution), undefined);
				const own = answeredQuestions(execution).filter((question) => question.includes(`execution ${execution.id},`));
				assert.equal(new Set(own).size, jobsEach, 'a result for each of its own questions');
			}
			assert.equal(ended.flatMap(answeredQuestions).length, jobs);
			assert.equal(startedJobs(sandbox, words).length, jobs);
		}

		test('three workers bring 60 executions of 5 jobs to their end on a plan of 10 at once', async (t) => {
			const words = 'three workers';
			const { jobs, ended } = await start(words, 60);
			assertAllAnswered(await ended(), words, jobs);
			for (const worker of queue.workers)
				assert.match(worker.tail(100_000), /Worker started execution/, 'all took part');
			const { mostJobsAtOnce, refusals } = sandbox.stats();
			assert.equal(mostJobsAtOnce, atOnce, 'the plan was used fully');
			t.diagnostic(`${refusals.jobsAtOnce} starts were refused`);
		});

		test('a worker that is asked to end finishes what it has, and nothing is lost', async (t) => {
			const words = 'one worker goes';
			const { jobs, ended } = await start(words, 30);
			await jobsStarted(words, jobs / 3);
			const leaving = await busyWorker(words);
			const askedMs = Date.now();
			// The worker alone, as a container's runtime does it.
			process.kill(leaving.pid, 'SIGTERM');
			assertAllAnswered(await ended(), words, jobs);
			assert.equal(await leaving.exited, 'exit code 0');
			t.diagnostic(`it was gone ${Math.round((Date.now() - askedMs) / 1000)} s later at most`);
		});

		// n8n 1.123 tells a lost execution otherwise.
		if (version.startsWith('1.')) return;

		test('a worker that is killed: nothing is started twice, every job has a result or is named', async (t) => {
			const words = 'one worker dies';
			const { jobs, ended } = await start(words, 60);
			await jobsStarted(words, jobs / 3);
			const killed = await busyWorker(words);
			await killed.kill();
			const all = await ended();
			const finished = all.filter(({ status }) => status === 'success');
			const lost = all.filter(({ status }) => status !== 'success');
			assert.ok(lost.length > 0, 'the killed worker had work');
			for (const execution of lost) assert.match(failure(execution) ?? '', /failed to be processed too many times/);

			const { list } = sandbox.stats().starts;
			const started = list.filter(({ query }) => query.startsWith(words));
			assert.equal(new Set(started.map(({ query }) => query)).size, started.length, 'none twice');
			const answered = new Set(finished.flatMap(answeredQuestions));
			assert.equal(answered.size, finished.length * jobsEach);
			const unanswered = started.filter(({ query }) => !answered.has(query));
			const log = killed.tail(100_000).split('\n');
			const isNamed = ({ id, query }: { id: string; query: string }): boolean =>
				log.some((line) => line.includes(`${id} started`) || line.includes(startOf(query)));
			assert.deepEqual(
				unanswered.filter((job) => !isNamed(job)),
				[],
			);
			const byId = unanswered.filter(({ id }) => log.some((line) => line.includes(id)));
			t.diagnostic(
				`${lost.length} executions were lost with ${unanswered.length} jobs, ${byId.length} of them named by ID`,
			);

			const before = sandbox.stats().starts.total;
			const { client } = queue.main;
			await client.retry(lost[0]?.id ?? '').catch(() => undefined);
			const again = (await client.executions(undefined, 250)).find(({ retryOf }) => retryOf === lost[0]?.id);
			assert.equal((await waitForExecution(client, again?.id ?? '')).status, 'error');
			assert.equal(sandbox.stats().starts.total, before, 'what n8n knows nothing of, it does not start again');
		});
	});

	test('one that does not know the address of the main process says so in its log', async () => {
		for (const worker of queue.workers) await worker.stop();
		const port = await getPort({ host: '127.0.0.1' });
		const lonely = await queue.addWorker({ WEBHOOK_URL: '', N8N_PORT: String(port) });
		const [id = ''] = await suspend(queue.main.client, credential, 1);
		const warning = `main process does not answer at http://localhost:${port}`;
		await waitFor('the warning', () => (lonely.tail(1000).includes(warning) ? true : undefined), {
			timeoutMs: 60_000,
		});
		service.endNext(held);
		await waitFor(
			'the call that goes nowhere',
			() => held.webhooks.sent().find(({ url }) => url.includes(`:${port}/`)),
			{ timeoutMs: 60_000 },
		);
		assert.equal((await queue.main.client.execution(id)).status, 'waiting');
	});
});
