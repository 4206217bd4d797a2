/** Free the Worker in a whole n8n: parked executions, kills, calls of the service, what comes out. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StoredCredential } from '../../n8n/client.ts';
import { waitFor } from '../../n8n/poll.ts';
import { n8nVersions } from '../../n8n/project.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { failure, nodeOutput, waitForExecution, waitForExecutions } from './harness/executions.ts';
import {
	apiKey,
	credentialType,
	nodeType,
	packedTarball,
	type Product,
	startProduct,
} from './harness/product.ts';
import { type QueueMode, startQueueMode } from './harness/queue.ts';
import { codeNode, manualTrigger, type TestNode, workflow } from './harness/workflows.ts';

const many = 200;
/** How long jobs of the service last, and the earliest time that one ends; a test sets what it needs. */
let jobMs = 3000;
let notBeforeMs = 0;
/** A call that finds nobody is made again after 3, 15 and 45 seconds. */
const service = {
	jobDurationMs: () => Math.max(jobMs, notBeforeMs - Date.now()),
	webhookTries: 'retried',
	lightWork: true,
} as const;

function crawlNode(
	credential: StoredCredential,
	more: object = {},
	settings: object = {},
): TestNode {
	const parameters = {
		resource: 'crawl',
		operation: 'start',
		url: 'https://example.com',
		pageLimit: '={{ $json.pages }}',
		waitForCompletion: 'free',
		...more,
	};
	return { name: 'Crawl', type: nodeType, typeVersion: 1, parameters, credential, settings };
}

const items = (...pages: number[]): TestNode =>
	codeNode(
		'Pages',
		`return ${JSON.stringify(pages.map((count) => ({ json: { pages: count } })))};`,
	);

const next = codeNode('Next', 'return $input.all();');

for (const version of n8nVersions) {
	describe(`Free the Worker on n8n ${version}`, { timeout: 1_200_000 }, () => {
		let product: Product;

		before(async () => {
			product = await startProduct(version, {}, service);
		});
		after(async () => await product.dispose());

		/** Runs it by the editor's button until it waits. */
		async function park(node: TestNode, ...pages: number[]): Promise<string> {
			const { client } = product.n8n;
			const saved = await client.createWorkflow(
				workflow('Parked', [manualTrigger, items(...pages), node, next]),
			);
			const id = await client.run(saved, manualTrigger.name);
			await waitForExecution(client, id, { states: ['waiting'] });
			return id;
		}

		async function outputOf(id: string, name = 'Next', output = 0) {
			const ended = await waitForExecution(product.n8n.client, id, { timeoutMs: 120_000 });
			assert.equal(failure(ended), undefined);
			return nodeOutput(ended, name, output);
		}

		test('run by the button, it puts out what Hold the Execution does', async () => {
			jobMs = 3000;
			const { client } = product.n8n;
			const freed = await outputOf(await park(crawlNode(product.credential), 2, 3));
			const held = await client.createWorkflow(
				workflow('Held', [
					manualTrigger,
					items(2, 3),
					crawlNode(product.credential, { waitForCompletion: true }),
					next,
				]),
			);
			const same = await outputOf(await client.run(held, manualTrigger.name));
			const told = (all: typeof freed) => all.map(({ json: { url, title } }) => ({ url, title }));
			assert.equal(freed.length, 5);
			assert.deepEqual(told(freed), told(same));
			assert.deepEqual(
				freed.map(({ pairedItem }) => pairedItem),
				same.map(({ pairedItem }) => pairedItem),
			);
			const woke = product.sandbox.webhooks.sent().filter(({ status }) => status === 200);
			assert.ok(woke.every(({ tookMs }) => tookMs < 1000));
		});

		test('a job that fails goes to the error output, or fails the node; a retry starts only it', async () => {
			jobMs = 3000;
			const { client } = product.n8n;
			const fault = { kind: 'failJob', step: 'crawlStart', times: 1, error: 'No luck' } as const;
			product.sandbox.faults.add(fault);
			const settings = { onError: 'continueErrorOutput' };
			const branched = await park(crawlNode(product.credential, {}, settings), 1, 2);
			const ended = await waitForExecution(client, branched);
			assert.equal(failure(ended), undefined);
			assert.equal(nodeOutput(ended, 'Crawl').length, 2);
			const [failed] = nodeOutput(ended, 'Crawl', 1);
			assert.match(String(failed?.json.error), /No luck/);

			product.sandbox.faults.add(fault);
			const before = product.sandbox.stats().starts.total;
			const stopped = await park(crawlNode(product.credential), 1, 2);
			const error = await waitForExecution(client, stopped, { states: ['error'] });
			assert.match(failure(error) ?? '', /failed/);
			await client.retry(stopped);
			const retried = (await client.executions()).find(({ retryOf }) => retryOf === stopped);
			const again = await waitForExecution(client, retried?.id ?? '', { states: ['success'] });
			assert.equal(nodeOutput(again, 'Next').length, 3);
			assert.equal(product.sandbox.stats().starts.total - before, 3);
		});

		test('the same call thirty times in one moment wakes it once, and it is read once', async () => {
			jobMs = 3000;
			const before = product.sandbox.stats().slicesServed;
			const stop = product.sandbox.webhooks.add({ kind: 'repeat', copies: 29, times: 1 });
			const id = await park(crawlNode(product.credential), 2);
			assert.equal((await outputOf(id)).length, 2);
			stop();
			await new Promise((resolve) => setTimeout(resolve, 3000));
			const ended = await product.n8n.client.execution(id);
			assert.equal(ended.status, 'success');
			// Two looks, one at the end, and the pages: one answer each.
			assert.ok(product.sandbox.stats().slicesServed - before <= 4);
		});

		test('without a call it goes on at Max Wait, with the job in its input', async () => {
			jobMs = 3000;
			product.sandbox.webhooks.add({ kind: 'lose', times: 1 });
			const before = product.sandbox.stats().starts.total;
			const options = { waitOptions: { maxWait: 5 } };
			const id = await park(crawlNode(product.credential, { options }), 2);
			const [item] = await outputOf(id);
			const jobId = product.sandbox.stats().starts.list.at(-1)?.id;
			assert.deepEqual(item?.json, {
				pages: 2,
				parkedJob: { jobId, collectWith: 'Crawl · Get' },
			});
			assert.equal(product.sandbox.stats().starts.total - before, 1);
		});

		test(`${many} parked executions outlive a kill of n8n: ${many} results, each job started once, none read twice`, async (t) => {
			// All of them run until n8n has parked the last one and is there again.
			notBeforeMs = Date.now() + 240_000;
			const { n8n, sandbox, credential } = product;
			const { total } = sandbox.stats().starts;
			const { slicesServed } = sandbox.stats();
			const saved = await n8n.client.createWorkflow(
				workflow('Many', [manualTrigger, items(1), crawlNode(credential), next]),
			);
			for (let from = 0; from < many; from += 20) {
				await Promise.all(
					Array.from({ length: 20 }, () => n8n.client.run(saved, manualTrigger.name)),
				);
			}
			await waitForExecutions(n8n.client, saved.id, {
				count: many,
				states: ['waiting'],
				timeoutMs: 180_000,
			});
			await n8n.crash();
			await n8n.restart();
			const ended = await waitForExecutions(n8n.client, saved.id, {
				count: many,
				timeoutMs: 400_000,
			});
			assert.deepEqual(new Set(ended.map(({ status }) => status)), new Set(['success']));
			assert.equal(sandbox.stats().starts.total - total, many);
			for (const { id } of ended.slice(0, 10)) {
				assert.equal((await outputOf(id)).length, 1);
			}
			const read = sandbox.stats().slicesServed - slicesServed;
			t.diagnostic(`${read} answers with pages for ${many} jobs`);
			assert.ok(read <= many * 4);
		});
	});
}

describe('Free the Worker in queue mode on n8n 2.40', { timeout: 500_000 }, () => {
	let queue: QueueMode;
	let sandbox: Sandbox;

	before(async () => {
		sandbox = await startSandbox({ speed: 20, keys: [apiKey], ...service });
		const tarball = await packedTarball();
		queue = await startQueueMode({ tarball, workers: 2, concurrency: 20 });
	});
	after(async () => {
		await queue.dispose();
		await sandbox.stop();
	});

	test('a worker that is killed while executions are parked takes none of them along', async () => {
		jobMs = 15_000;
		notBeforeMs = 0;
		const { client } = queue.main;
		const data = { baseUrl: sandbox.baseUrl, apiKey };
		const credential = await client.createCredential('Queue', credentialType, data);
		const saved = await client.createWorkflow(
			workflow('Queue', [manualTrigger, items(2), crawlNode(credential), next]),
		);
		const ids = await Promise.all(
			Array.from({ length: 10 }, () => client.run(saved, manualTrigger.name)),
		);
		for (const id of ids) await waitForExecution(client, id, { states: ['waiting'] });
		await queue.workers[0]?.kill();
		await waitFor('the jobs to end', () => (sandbox.stats().jobsRunning === 0 ? true : undefined), {
			timeoutMs: 60_000,
		});
		for (const id of ids) {
			const ended = await waitForExecution(client, id, { timeoutMs: 120_000 });
			assert.equal(failure(ended), undefined);
			assert.equal(nodeOutput(ended, 'Next').length, 2);
		}
		assert.equal(sandbox.stats().starts.total, 10);
	});
});
