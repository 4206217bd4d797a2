/** Wait in the Background with many executions and many processes: what a kill leaves of suspended executions. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import getPort from 'get-port';
import type { N8nClient, StoredCredential } from '../../n8n/client.ts';
import { waitFor } from '../../n8n/poll.ts';
import type { RunningProgram } from '../../n8n/processes.ts';
import { newestN8n } from '../../n8n/project.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { failure, nodeOutput, waitForExecution } from './harness/executions.ts';
import { everyLine } from './harness/lines.ts';
import { apiKey, credentialFor, nodeType, packedTarball, type Product, startProduct } from './harness/product.ts';
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
			webhookTries: 'retried',
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
 * takes the execution for an unfinished one (message-event-bus-log-writer.js). Its Retry collects the job.
 */
async function hasItsPages(client: N8nClient, id: string): Promise<void> {
	let ended = await waitForExecution(client, id, { timeoutMs: 300_000 });
	if (ended.status === 'crashed' && version.startsWith('1.')) {
		await client.retry(id);
		const again = (await client.executions(undefined, 250)).find(({ retryOf }) => retryOf === id);
		ended = await waitForExecution(client, again?.id ?? '');
	}
	assert.equal(failure(ended), undefined);
	const output = nodeOutput(ended, 'Next');
	assert.equal(output.length, pages, `execution ${id}`);
	assert.equal(output[0]?.json.url, urlOf(id));
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
		while (done.size < many) {
			const ended = service.endNext(sandbox);
			assert.equal(ended.length, together);
			for (const id of ended) {
				await hasItsPages(n8n.client, id);
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
		const looks = Object.entries(sandbox.stats().polls.byJob).map(([id, count]) => count - (looksBefore[id] ?? 0));
		assert.equal(looks.length, many);
		// The check that wakes it, the one that begins its reading, and its pages.
		assert.deepEqual(new Set(looks), new Set([3]));
		startedOnce(sandbox, many);
	});
});

describe(`Wait in the Background in queue mode on n8n ${version}`, { timeout: 600_000 }, () => {
	const few = 10;
	const service = endingTogether();
	let queue: QueueMode;
	let sandbox: Sandbox;
	let credential: StoredCredential;

	before(async () => {
		sandbox = await startSandbox({ speed: 20, keys: [apiKey], ...service.options });
		const tarball = await packedTarball();
		queue = await startQueueMode({
			version,
			tarball,
			workers: 2,
			concurrency: 10,
			env: fasterStalls,
		});
		credential = await credentialFor(queue.main.client, sandbox, 'Queue');
	});
	after(async () => {
		await queue.dispose();
		await sandbox.stop();
	});

	const runsOf = (worker: RunningProgram): number =>
		worker.tail(100_000).match(/Worker started execution/g)?.length ?? 0;

	test('a worker that is killed while executions are suspended takes none of them along', async () => {
		const ids = await suspend(queue.main.client, credential, few);
		for (const worker of queue.workers) assert.ok(runsOf(worker) > 0, 'both workers took part');
		await queue.workers[0]?.kill();
		service.endNext(sandbox);
		for (const id of ids) await hasItsPages(queue.main.client, id);
		startedOnce(sandbox, few);
	});

	test('one that is killed as suspended executions go on loses no more than those that it has, and their jobs are told', async (t) => {
		const { client } = queue.main;
		const killed = await queue.addWorker();
		const ids = await suspend(client, credential, few);
		const before = runsOf(killed);
		// Long enough to be killed in the middle of it.
		sandbox.faults.add({ kind: 'slow', step: 'crawlStatus', ms: 5000 });
		service.endNext(sandbox);
		await waitFor('the worker to go on with an execution', () => (runsOf(killed) > before ? true : undefined), {
			timeoutMs: 60_000,
		});
		await killed.kill();
		sandbox.faults.clear();
		const ended = await Promise.all(ids.map((id) => waitForExecution(client, id, { timeoutMs: 120_000 })));
		const lost = ended.filter(({ status }) => status !== 'success');
		t.diagnostic(`${few - lost.length} finished, ${lost.length} were lost`);
		const logs = queue.workers.map((worker) => worker.tail(100_000)).join('\n');
		for (const execution of ended) {
			if (execution.status === 'success') await hasItsPages(client, execution.id);
			else {
				assert.match(failure(execution) ?? '', /failed to be processed too many times/);
				const job = sandbox.stats().starts.list.find(({ query }) => query === urlOf(execution.id));
				const line = new RegExp(`Execution ${execution.id}, .* suspended until .*${job?.id ?? '?'}`);
				assert.match(logs, line);
			}
		}
		startedOnce(sandbox, 2 * few);
	});

	test('one that does not know the address of the main process says so in its log', async () => {
		for (const worker of queue.workers) await worker.stop();
		const port = await getPort({ host: '127.0.0.1' });
		const lonely = await queue.addWorker({ WEBHOOK_URL: '', N8N_PORT: String(port) });
		const [id = ''] = await suspend(queue.main.client, credential, 1);
		const warning = `main process does not answer at http://localhost:${port}`;
		await waitFor('the warning', () => (lonely.tail(1000).includes(warning) ? true : undefined), {
			timeoutMs: 15_000,
		});
		service.endNext(sandbox);
		await waitFor(
			'the call that goes nowhere',
			() => sandbox.webhooks.sent().find(({ url }) => url.includes(`:${port}/`)),
			{ timeoutMs: 15_000 },
		);
		assert.equal((await queue.main.client.execution(id)).status, 'waiting');
	});
});
