/** Point 4: a schedule starts research, and its result reaches the next node. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { failure, nodeOutput, waitForExecutions } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import { type Product, researchNode, sharedProduct, startedJobs } from './harness/product.ts';
import { codeNode, everySeconds, workflow } from './harness/workflows.ts';

for (const version of outerLines()) {
	describe(`4. schedule on n8n ${version}`, { timeout: 120_000 }, () => {
		let product: Product;

		before(async () => {
			product = await sharedProduct(version);
		});

		test('an active workflow researches on schedule and hands the analysis on', async () => {
			const { client } = product.n8n;
			const query = 'How do cargo bikes fare in winter? [lasts:40]';
			const next =
				'return $input.all().map(({ json }) => ({ json: { characters: json.finalAnalysis.length } }));';
			const saved = await client.createWorkflow(
				workflow('Every few seconds', [
					everySeconds(3),
					researchNode(product.credential, query),
					codeNode('Next', next),
				]),
			);
			await client.activate(saved);
			const ended = await waitForExecutions(client, saved.id, { count: 2 });
			await client.deactivate(saved);
			for (const { id } of ended) {
				const execution = await client.execution(id);
				assert.equal(failure(execution), undefined);
				assert.equal(execution.mode, 'trigger');
				assert.ok(Number(nodeOutput(execution, 'Next').at(0)?.json.characters) > 200);
			}
			assert.ok(startedJobs(product.sandbox, query).length >= 2);
		});
	});
}
