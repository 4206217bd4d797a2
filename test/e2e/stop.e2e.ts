/** Stop in the executions list and Retry: what ends, what is cancelled, what is there afterwards, what is paid once. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../tools/n8n/poll.ts';
import { Editor } from './harness/editor.ts';
import { failure, nodeOutput, retry, waitForExecution } from './harness/executions.ts';
import { testOwner } from './harness/instance.ts';
import { outerLines } from './harness/lines.ts';
import { apiKey, nodeType, type Product, researchNode, startProduct, startedJobs } from './harness/product.ts';
import { codeNode, manualTrigger, type TestNode, workflow } from './harness/workflows.ts';

/** A crawl for each item. */
function crawlNode({ credential }: Product, word: string, more: object = {}): TestNode {
	const url = `=https://example.com/?${word}-{{ $json.number }}`;
	const parameters = { resource: 'crawl', operation: 'start', url, pageLimit: 2, ...more };
	return { name: 'Crawl', type: nodeType, typeVersion: 1, parameters, credential };
}

/** Jobs last longer than any test, unless their address asks for a short one. */
const service = {
	jobDurationMs: ({ query }: { query: string }) => (/short|retry/.test(query) ? 4000 : 120_000),
	lightWork: true,
} as const;

const itemsOf = (count: number): TestNode => {
	const numbers = JSON.stringify(Array.from({ length: count }, (_none, number) => number + 1));
	return codeNode('Items', `return ${numbers}.map((number) => ({ json: { number } }));`);
};

for (const version of outerLines()) {
	describe(`stop and retry on n8n ${version}`, { timeout: 600_000 }, () => {
		let product: Product;

		before(async () => {
			product = await startProduct(version, {}, service);
		});
		after(async () => await product.dispose());

		/** Runs the node for so many items until its jobs are started; the execution, and the jobs. */
		async function start(word: string, node: TestNode, count: number, settings?: object) {
			const { client } = product.n8n;
			const saved = await client.createWorkflow(workflow(word, [manualTrigger, itemsOf(count), node], settings));
			const id = await client.run(saved, 'Start');
			const jobs = await waitFor(
				'the jobs',
				() => {
					const started = startedJobs(product.sandbox, word);
					const isTold = started.every((job) => log().includes(`${job} started`));
					return started.length === count && isTold ? started : undefined;
				},
				{ timeoutMs: 90_000 },
			);
			return { id, workflowId: saved.id, jobs };
		}

		const log = () => readFileSync(product.n8n.logFile, 'utf8');

		/** What n8n gives as the custom data of an execution. */
		async function customData(id: string): Promise<string> {
			const { customData: data } = await product.n8n.client.execution(id);
			return JSON.stringify(data);
		}

		/** Waits for the line of n8n's log that tells what became of the jobs. */
		async function toldInLog(id: string): Promise<string> {
			const begin = `Execution ${id}, node "Crawl": stopped.`;
			return await waitFor(
				'the line of the stop',
				() =>
					log()
						.split('\n')
						.find((line) => line.includes(begin)),
				{ timeoutMs: 40_000 },
			);
		}

		/** What the service says of these jobs. */
		async function states(jobs: string[]): Promise<unknown[]> {
			const headers = { authorization: `Bearer ${apiKey}` };
			return await Promise.all(
				jobs.map(async (job) => {
					const answer = await fetch(`${product.sandbox.baseUrl}/v2/crawl/${job}`, { headers });
					return ((await answer.json()) as { status: unknown }).status;
				}),
			);
		}

		const all = (jobs: string[], state: string) => jobs.map(() => state);

		test('Stop in the executions list ends the polling within 2 seconds', async (t) => {
			const { n8n, sandbox, credential } = product;
			const { client } = n8n;
			const query = 'A question that is stopped [lasts:6000]';
			const saved = await client.createWorkflow(
				workflow('Stopped', [manualTrigger, itemsOf(4), researchNode(credential, query)]),
			);
			const id = await client.run(saved, 'Start');
			await waitFor(
				'polls of all four jobs',
				() => {
					const { byJob } = sandbox.stats().polls;
					const polled = startedJobs(sandbox, query).filter((job) => (byJob[job] ?? 0) > 1);
					return polled.length === 4 ? true : undefined;
				},
				{ timeoutMs: 90_000 },
			);
			const stoppedAtMs = Date.now();
			await client.stop(id);
			const stopped = await waitForExecution(client, id, { timeoutMs: 40_000 });
			assert.equal(stopped.status, 'canceled');
			// Long enough for two more checks each of four jobs.
			await delay(6_000);
			const lastMs = (sandbox.stats().lastRequestAtMs ?? 0) - stoppedAtMs;
			t.diagnostic(`${version}: the last request came ${lastMs} ms after Stop`);
			assert.ok(lastMs <= 2_000, `the last request came ${lastMs} ms after Stop`);
			assert.equal(startedJobs(sandbox, query).length, 4);
		});

		test('a stopped execution names its jobs in the custom data, and they are cancelled', async () => {
			const { id, jobs } = await start('stop-default', crawlNode(product, 'stop-default'), 8);
			await product.n8n.client.stop(id);
			const told = await toldInLog(id);
			const data = await customData(id);
			for (const job of jobs) {
				assert.ok(data.includes(job), `${job} is not in ${data}`);
				assert.ok(told.includes(job), `${job} is not in ${told}`);
			}
			assert.match(told, /stopped\. Cancelled at the service: /);
			assert.deepEqual(await states(jobs), all(jobs, 'cancelled'));
		});

		test('the jobs stand under Highlighted data in the executions, where n8n shows that', async () => {
			const node = crawlNode(product, 'stop-shown');
			const { id, workflowId, jobs } = await start('stop-shown', node, 1);
			await product.n8n.client.stop(id);
			await toldInLog(id);
			const { baseUrl } = product.n8n.running;
			const editor = await Editor.open(baseUrl, testOwner);
			try {
				const text = await editor.highlightedData(workflowId, id);
				assert.match(text, /webData_Crawl/);
				assert.ok(text.includes(`Crawl · Get: ${jobs[0]}`), text);
			} finally {
				await editor.close();
			}
		});

		test('with Cancel on Stop switched off they run on, and the log names them', async () => {
			const waitOptions = { cancelOnStop: false };
			const node = crawlNode(product, 'stop-off', { options: { waitOptions } });
			const { id, jobs } = await start('stop-off', node, 2);
			await product.n8n.client.stop(id);
			const told = await toldInLog(id);
			assert.match(told, /stopped\. Still running at the service: /);
			for (const job of jobs) assert.ok(told.includes(job), told);
			assert.deepEqual(await states(jobs), all(jobs, 'scraping'));
			assert.ok((await customData(id)).includes(jobs[0] ?? ''));
		});

		test("the workflow's own timeout does what Stop does", async () => {
			const settings = { executionTimeout: 8 };
			const node = crawlNode(product, 'stop-timeout');
			const { id, jobs } = await start('stop-timeout', node, 1, settings);
			const told = await toldInLog(id);
			assert.ok(told.includes(`Cancelled at the service: ${jobs[0]}`), told);
			const { status } = await waitForExecution(product.n8n.client, id, { timeoutMs: 60_000 });
			assert.equal(status, 'canceled');
			assert.ok((await customData(id)).includes(jobs[0] ?? ''));
			assert.deepEqual(await states(jobs), all(jobs, 'cancelled'));
		});

		test('a suspended execution that is stopped names its jobs, which run on', async () => {
			const node = crawlNode(product, 'stop-waiting', { waitForCompletion: 'free' });
			const { id, jobs } = await start('stop-waiting', node, 2);
			const { client } = product.n8n;
			await waitForExecution(client, id, { states: ['waiting'] });
			await client.stop(id);
			const { status } = await waitForExecution(client, id, { timeoutMs: 40_000 });
			assert.equal(status, 'canceled');
			const data = await customData(id);
			for (const job of jobs) assert.ok(data.includes(job), data);
			assert.deepEqual(await states(jobs), all(jobs, 'scraping'));
		});

		test('one that is stopped after it was woken tells in the log what had ended', async () => {
			const { client } = product.n8n;
			const node = crawlNode(product, 'stop-short', { waitForCompletion: 'free' });
			const { id, jobs } = await start('stop-short', node, 1);
			await waitForExecution(client, id, { states: ['waiting'] });
			// The first status request is that of the wake-up, the second that of the woken node.
			const slow = {
				kind: 'slow',
				step: 'crawlStatus',
				when: 'before',
				skip: 1,
				ms: 5000,
			} as const;
			const remove = product.sandbox.faults.add(slow);
			await waitFor(
				'the execution to go on',
				async () => ((await client.execution(id)).status === 'running' ? true : undefined),
				{ timeoutMs: 60_000, intervalMs: 100 },
			);
			await client.stop(id);
			const told = await toldInLog(id).finally(remove);
			assert.ok(told.includes(`Had ended before (Crawl · Get collects them): ${jobs[0]}`), told);
			assert.ok((await customData(id)).includes(jobs[0] ?? ''));
			const { status } = await waitForExecution(client, id, { timeoutMs: 40_000 });
			assert.equal(status, 'canceled');
		});

		for (const byHand of [true, false]) {
			const by = byHand ? 'n8n’s Retry of a failed execution' : 'Retry On Fail';
			test(`${by} starts nothing again: ten questions, one of which the service refuses to show once`, async () => {
				const word = byHand ? 'retry-hand' : 'retry-node';
				const settings = byHand ? {} : { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
				const { n8n, sandbox, credential } = product;
				const { client } = n8n;
				const query = (number: number) => `Cargo bikes, ${word}, question ${number}.`;
				const node = researchNode(credential, `=${query(0).replace('0.', '{{ $json.number }}.')}`, settings);
				const fault = { step: 'status', query: query(7), kind: 'status', httpStatus: 403, times: 1, skip: 1 } as const;
				sandbox.faults.add(fault);
				const saved = await client.createWorkflow(workflow(word, [manualTrigger, itemsOf(10), node]));
				const first = await waitForExecution(client, await client.run(saved, 'Start'));
				if (byHand) assert.equal(first.status, 'error');
				const ended = byHand ? await retry(client, first.id) : first;
				assert.equal(failure(ended), undefined);
				const output = nodeOutput(ended, 'Research').map(({ json }) => json);
				const asked = output.map(({ query }) => query);
				assert.deepEqual(
					asked,
					Array.from({ length: 10 }, (_none, index) => query(index + 1)),
				);
				for (const { query, finalAnalysis } of output) assert.ok(String(finalAnalysis).includes(String(query)));
				assert.equal(startedJobs(sandbox, word).length, 10);
				assert.equal(sandbox.stats().faults.status, 1, 'the first try failed');
				sandbox.reset();
			});
		}
	});
}
