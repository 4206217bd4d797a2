/** Point 6: Stop in the executions list ends the polling. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../n8n/poll.ts';
import { waitForExecution } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import { type Product, researchNode, sharedProduct, startedJobs } from './harness/product.ts';
import { codeNode, manualTrigger, workflow } from './harness/workflows.ts';

for (const version of outerLines()) {
	describe(`6. stop on n8n ${version}`, { timeout: 120_000 }, () => {
		let product: Product;

		before(async () => {
			product = await sharedProduct(version);
		});

		test('Stop in the executions list ends the polling within 2 seconds', async (t) => {
			const { n8n, sandbox, credential } = product;
			const { client } = n8n;
			const query = 'A question that is stopped [lasts:6000]';
			const items = 'return [1, 2, 3, 4].map((number) => ({ json: { number } }));';
			const saved = await client.createWorkflow(
				workflow('Stopped', [
					manualTrigger,
					codeNode('Items', items),
					researchNode(credential, query),
				]),
			);
			const id = await client.run(saved, 'Start');
			await waitFor(
				'polls of all four jobs',
				() => {
					const { byJob } = sandbox.stats().polls;
					const polled = startedJobs(sandbox, query).filter((job) => (byJob[job] ?? 0) > 1);
					return polled.length === 4 ? true : undefined;
				},
				{ timeoutMs: 30_000 },
			);
			const stoppedAtMs = Date.now();
			await client.stop(id);
			const stopped = await waitForExecution(client, id, { timeoutMs: 5_000 });
			assert.equal(stopped.status, 'canceled');
			// Long enough for two more looks at each of four jobs.
			await delay(6_000);
			const lastMs = (sandbox.stats().lastRequestAtMs ?? 0) - stoppedAtMs;
			t.diagnostic(`${version}: the last request came ${lastMs} ms after Stop`);
			assert.ok(lastMs <= 2_000, `the last request came ${lastMs} ms after Stop`);
			assert.equal(startedJobs(sandbox, query).length, 4);
		});
	});
}
