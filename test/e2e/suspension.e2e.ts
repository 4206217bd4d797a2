/** Wait in the Background in a whole n8n: suspended executions, calls of the service, what comes out. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StoredCredential } from '../../tools/n8n/client.ts';
import { failure, nodeOutput, retry, waitForExecution } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import { nodeType, type Product, startProduct } from './harness/product.ts';
import { codeNode, manualTrigger, type TestNode, workflow } from './harness/workflows.ts';

/** How long jobs of the service last, in milliseconds; those of an address with this word outlast every test. */
const jobMs = 3000;
const ENDLESS = 'endless';
/** A call that finds nobody is made again after 3, 15 and 45 seconds. */
const service = {
	jobDurationMs: ({ query }: { query: string }) => (query.includes(ENDLESS) ? 3_600_000 : jobMs),
	lightWork: true,
} as const;

function crawlNode(credential: StoredCredential, more: object = {}, settings: object = {}): TestNode {
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
	codeNode('Pages', `return ${JSON.stringify(pages.map((count) => ({ json: { pages: count } })))};`);

const next = codeNode('Next', 'return $input.all();');

for (const version of outerLines()) {
	describe(`Wait in the Background on n8n ${version}`, { timeout: 1_200_000 }, () => {
		let product: Product;

		before(async () => {
			product = await startProduct(version, {}, service);
		});
		after(async () => await product.dispose());

		/** Runs it by the editor's button until it waits. */
		async function suspend(node: TestNode, ...pages: number[]): Promise<string> {
			const { client } = product.n8n;
			const saved = await client.createWorkflow(workflow('Suspended', [manualTrigger, items(...pages), node, next]));
			const id = await client.run(saved, manualTrigger.name);
			await waitForExecution(client, id, { states: ['waiting'] });
			return id;
		}

		async function outputOf(id: string, name = 'Next', output = 0) {
			const ended = await waitForExecution(product.n8n.client, id, { timeoutMs: 120_000 });
			assert.equal(failure(ended), undefined);
			return nodeOutput(ended, name, output);
		}

		test('run by the button, it puts out what Wait for the Result does', async () => {
			const { client } = product.n8n;
			const freed = await outputOf(await suspend(crawlNode(product.credential), 2, 3));
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
		});

		test('a job that fails goes to the error output, or fails the node; a retry starts only it', async () => {
			const { client } = product.n8n;
			const fault = { kind: 'failJob', step: 'crawlStart', times: 1, error: 'No luck' } as const;
			product.sandbox.faults.add(fault);
			const settings = { onError: 'continueErrorOutput' };
			// Two alike: either start may be the first to arrive.
			const branched = await suspend(crawlNode(product.credential, {}, settings), 2, 2);
			const ended = await waitForExecution(client, branched);
			assert.equal(failure(ended), undefined);
			assert.equal(nodeOutput(ended, 'Crawl').length, 2);
			const [failed] = nodeOutput(ended, 'Crawl', 1);
			assert.match(String(failed?.json.error), /No luck/);

			product.sandbox.faults.add(fault);
			const before = product.sandbox.stats().starts.total;
			const stopped = await suspend(crawlNode(product.credential), 1, 2);
			const error = await waitForExecution(client, stopped, { states: ['error'] });
			assert.match(failure(error) ?? '', /failed/);
			const again = await retry(client, stopped, ['success']);
			assert.equal(nodeOutput(again, 'Next').length, 3);
			assert.equal(product.sandbox.stats().starts.total - before, 3);
		});

		test('the same call thirty times in one moment wakes it once, and it is read once', async () => {
			const before = product.sandbox.stats().slicesServed;
			const stop = product.sandbox.webhooks.add({ kind: 'repeat', copies: 29, times: 1 });
			const id = await suspend(crawlNode(product.credential), 2);
			assert.equal((await outputOf(id)).length, 2);
			stop();
			await new Promise((resolve) => setTimeout(resolve, 3000));
			const ended = await product.n8n.client.execution(id);
			assert.equal(ended.status, 'success');
			// Two looks, one at the end, and the pages: one answer each.
			assert.ok(product.sandbox.stats().slicesServed - before <= 4);
		});

		test('without a call it goes on at Max Wait, with the job in its input', async () => {
			product.sandbox.webhooks.add({ kind: 'lose', times: 1 });
			const before = product.sandbox.stats().starts.total;
			const options = { waitOptions: { maxWait: 5 } };
			// However slow n8n is, the job runs on when the time is up.
			const url = `https://example.com/${ENDLESS}`;
			const id = await suspend(crawlNode(product.credential, { url, options }), 2);
			const [item] = await outputOf(id);
			const jobId = product.sandbox.stats().starts.list.at(-1)?.id;
			assert.deepEqual(item?.json, {
				pages: 2,
				suspendedJob: { jobId, collectWith: 'Crawl · Get' },
			});
			assert.equal(product.sandbox.stats().starts.total - before, 1);
		});
	});
}
