/** Point 8: n8n's own distributed engine, with one main, two workers, Redis and PostgreSQL. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Execution } from '../../n8n/client.ts';
import { waitFor } from '../../n8n/poll.ts';
import { newestN8n } from '../../n8n/project.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { failure, nodeOutput, waitForExecution } from './harness/executions.ts';
import { everyLine } from './harness/lines.ts';
import { apiKey, credentialFor, packedTarball, researchNode, startedJobs } from './harness/product.ts';
import { fasterStalls, type QueueMode, startQueueMode } from './harness/queue.ts';
import { codeNode, manualTrigger, workflow } from './harness/workflows.ts';

const many = 40;

// The newest line, unless another is named.
const [version = newestN8n] = everyLine();

describe(`8. queue mode on n8n ${version}`, { timeout: 500_000 }, () => {
	let queue: QueueMode;
	let sandbox: Sandbox;
	let retriable: Execution | undefined;

	before(async () => {
		sandbox = await startSandbox({ speed: 20, keys: [apiKey] });
		const tarball = await packedTarball();
		queue = await startQueueMode({
			version,
			tarball,
			workers: 2,
			concurrency: 20,
			env: fasterStalls,
		});
	});
	after(async () => {
		await queue.dispose();
		await sandbox.stop();
	});

	/** Starts 40 executions, each of which researches a question of its own, of so many seconds. */
	async function startMany(words: string, seconds: number): Promise<string[]> {
		const { client } = queue.main;
		const credential = await credentialFor(client, sandbox, words);
		const query = `=Cargo bikes, ${words}, {{ $execution.id }}. [lasts:${seconds * 20}]`;
		const saved = await client.createWorkflow(
			workflow(words, [manualTrigger, codeNode('First', 'return [{ json: {} }];'), researchNode(credential, query)]),
		);
		return await Promise.all(Array.from({ length: many }, () => client.run(saved, 'Start')));
	}

	async function endOf(ids: readonly string[]): Promise<Execution[]> {
		const { client } = queue.main;
		return await Promise.all(ids.map((id) => waitForExecution(client, id, { timeoutMs: 180_000 })));
	}

	test('40 executions side by side all finish, none is started twice', async (t) => {
		const words = 'side by side';
		const ended = await endOf(await startMany(words, 5));
		for (const execution of ended) {
			assert.equal(failure(execution), undefined);
			const output = nodeOutput(execution, 'Research').at(0)?.json;
			assert.match(String(output?.query), new RegExp(`, ${execution.id}\\.`), 'its own question');
		}
		const jobs = startedJobs(sandbox, words);
		assert.equal(jobs.length, many);
		assert.equal(new Set(jobs).size, many);
		const logs = queue.workers.map((worker) => worker.tail(10_000));
		for (const log of logs) assert.match(log, /Worker started execution/, 'both workers took part');
		t.diagnostic(`at most ${sandbox.stats().mostJobsAtOnce} jobs at once`);
	});

	test('when a worker is killed, every execution finishes or is reported failed', async (t) => {
		const words = 'one worker dies';
		const ids = await startMany(words, 20);
		await waitFor('40 running jobs', () => (startedJobs(sandbox, words).length === many ? true : undefined), {
			timeoutMs: 60_000,
		});
		// The service counts a job before its answer is at the worker: only an answer that came can be named.
		await waitFor(
			'40 jobs in the logs of the workers',
			() => {
				const logs = queue.workers.map((worker) => worker.tail(100_000)).join('\n');
				return startedJobs(sandbox, words).every((id) => logs.includes(id)) ? true : undefined;
			},
			{ timeoutMs: 15_000 },
		);
		const killedAtMs = Date.now();
		const killed = queue.workers[0];
		await killed?.kill();
		const ended = await endOf(ids);
		const lost = ended.filter(({ status }) => status !== 'success');
		const seconds = Math.round((Date.now() - killedAtMs) / 1000);
		t.diagnostic(`${many - lost.length} finished, ${lost.length} were lost, after ${seconds} s`);
		assert.ok(lost.length > 0, 'the killed worker had work');
		for (const execution of lost) {
			assert.equal(execution.status, 'error');
			assert.match(failure(execution) ?? '', /failed to be processed too many times/);
		}
		const { list } = sandbox.stats().starts;
		const jobOf = (id: string): string | undefined => list.find(({ query }) => query.includes(`${words}, ${id}.`))?.id;
		assert.equal(startedJobs(sandbox, words).length, many, 'n8n started none of them again');

		const log = killed?.tail(100_000).split('\n') ?? [];
		const named = lost.filter(({ id }) =>
			log.some((line) => line.includes(`Execution ${id},`) && line.includes(jobOf(id) ?? '?')),
		);
		t.diagnostic(`the worker’s log names the jobs of ${named.length} of ${lost.length} lost executions`);
		assert.equal(named.length, lost.length);
		[retriable] = lost;
	});

	test('Retry of an execution that was lost with its worker', async (t) => {
		assert.ok(retriable);
		const { client } = queue.main;
		const before = sandbox.stats().starts.total;
		const answer = await client.retry(retriable.id).then(() => 'accepted', String);
		const started = sandbox.stats().starts.total - before;
		t.diagnostic(`Retry: ${answer}; ${started} job(s) started`);
		const again = (await client.executions(undefined, 250)).find(({ retryOf }) => retryOf === retriable?.id);
		assert.ok(again);
		const ended = await waitForExecution(client, again.id);
		t.diagnostic(`Retry: ${ended.status}, ${failure(ended) ?? 'no error'}`);
		assert.equal(ended.status, 'error');
		assert.equal(started, 0, 'what n8n knows nothing of, it does not start again');
	});
});
