/** n8n's own distributed engine under load: main, three workers, Redis and PostgreSQL, on a plan of 10 jobs at once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Execution } from '../../n8n/client.ts';
import { waitFor } from '../../n8n/poll.ts';
import type { RunningProgram } from '../../n8n/processes.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { failure, waitForExecution } from './harness/executions.ts';
import { newestLine } from './harness/lines.ts';
import { answeredQuestions, endOfExecutions, manyJobsWorkflow, startExecutions } from './harness/manyJobs.ts';
import { apiKey, credentialFor, packedTarball, startedJobs } from './harness/product.ts';
import { fasterStalls, type QueueMode, startQueueMode } from './harness/queue.ts';

const jobsEach = 5;
const atOnce = 10;
/** Sped up: what a longer job shows of n8n and of the plan, it shows more often. */
const jobMs = 700;

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

for (const version of newestLine()) {
	describe(`many workers on n8n ${version}`, { timeout: 400_000 }, () => {
		let queue: QueueMode;
		let sandbox: Sandbox;

		before(async () => {
			const plan = { jobsAtOnce: atOnce, retryAfter: 'none' } as const;
			sandbox = await startSandbox({ keys: [apiKey], plan, lightWork: true, jobDurationMs: jobMs });
			const tarball = await packedTarball();
			queue = await startQueueMode({ version, tarball, workers: 3, concurrency: 10, env });
		});
		after(async () => {
			await queue.dispose();
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

		if (version === '1.123') return;

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
}

/** What the log has of a start before it is sent; the job's ID is there only when its answer came. */
function startOf(query: string): string {
	const [, execution, job] = /execution (\d+), job (\d+)\./.exec(query) ?? [];
	return `Execution ${execution}, node "Research", item ${job}: starting`;
}
