/** Point 5: what was started is never paid for twice, with the ledger in n8n's real database. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { failure, nodeOutput, waitForExecution } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import { type Product, researchNode, sharedProduct, startedJobs } from './harness/product.ts';
import { codeNode, manualTrigger, workflow } from './harness/workflows.ts';

const questions = 10;

for (const version of outerLines()) {
	describe(`5. never paid twice on n8n ${version}`, { timeout: 180_000 }, () => {
		let product: Product;

		before(async () => {
			product = await sharedProduct(version);
		});

		/** Runs ten questions, one of which the service refuses to show once. `words` marks the queries. */
		async function runTen(words: string, settings: object) {
			const { n8n, sandbox, credential } = product;
			const numbers = `return Array.from({ length: ${questions} }, (_, index) => ({ json: { index } }));`;
			const query = `=Cargo bikes, ${words}, question {{ $json.index }} [lasts:60]`;
			const saved = await n8n.client.createWorkflow(
				workflow(words, [manualTrigger, codeNode('Ten Questions', numbers), researchNode(credential, query, settings)]),
			);
			const remove = sandbox.faults.add({
				step: 'status',
				query: `${words}, question 7`,
				kind: 'status',
				httpStatus: 403,
				times: 1,
				skip: 1,
			});
			try {
				const id = await n8n.client.run(saved, 'Start');
				return { saved, execution: await waitForExecution(n8n.client, id) };
			} finally {
				remove();
			}
		}

		/** Ten analyses, in the order of the questions. */
		function assertAllAnswered(words: string, execution: Parameters<typeof nodeOutput>[0]): void {
			assert.equal(failure(execution), undefined);
			const output = nodeOutput(execution, 'Research').map(({ json }) => json);
			assert.deepEqual(
				output.map(({ query }) => query),
				Array.from({ length: questions }, (_, index) => `Cargo bikes, ${words}, question ${index} [lasts:60]`),
			);
			assert.ok(output.every(({ finalAnalysis }) => String(finalAnalysis).length > 200));
		}

		test('n8n’s Retry of a failed execution starts nothing again', async (t) => {
			const words = 'retried by hand';
			const { saved, execution } = await runTen(words, {});
			const { client } = product.n8n;
			assert.equal(execution.status, 'error');
			t.diagnostic(`${version}, failed with: ${failure(execution)}`);
			const before = startedJobs(product.sandbox, words);
			await client.retry(execution.id);
			const retried = (await client.executions(saved.id)).find(({ retryOf }) => retryOf === execution.id);
			assert.ok(retried);
			assertAllAnswered(words, await client.execution(retried.id));
			const started = startedJobs(product.sandbox, words);
			t.diagnostic(`${version}: ${before.length} starts before the retry, ${started.length} after`);
			assert.equal(started.length, questions);
		});

		test('Retry On Fail starts nothing again', async (t) => {
			const words = 'retried by the node';
			const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
			const { execution } = await runTen(words, settings);
			assertAllAnswered(words, execution);
			const started = startedJobs(product.sandbox, words);
			t.diagnostic(`${version}: ${started.length} starts`);
			assert.equal(started.length, questions);
			assert.ok((product.sandbox.stats().faults.status ?? 0) >= 1, 'the first try failed');
		});
	});
}
