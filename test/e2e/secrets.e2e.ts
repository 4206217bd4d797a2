/** Point 10: the key is in no execution record, log or answer of n8n. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import { failure, waitForExecution } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import { apiKey, type Product, researchNode, sharedProduct } from './harness/product.ts';
import { manualTrigger, workflow } from './harness/workflows.ts';

/** Every file below `folder`: n8n's database with its journal, logs, settings and stored binary data. */
function filesBelow(folder: string): string[] {
	return (
		readdirSync(folder, { recursive: true, withFileTypes: true })
			// The package itself, and n8n's copy of its editor, hold no data.
			.filter((entry) => entry.isFile() && !/node_modules|[/]\.cache/.test(entry.parentPath))
			.map((entry) => path.join(entry.parentPath, entry.name))
	);
}

for (const version of outerLines()) {
	describe(`10. the key on n8n ${version}`, { timeout: 120_000 }, () => {
		let product: Product;

		/** Runs research that the service answers so. */
		async function runWith(words: string, fault: FaultRule): Promise<string> {
			const { n8n, sandbox, credential } = product;
			const remove = sandbox.faults.add({ ...fault, step: 'start', query: words });
			const nodes = [manualTrigger, researchNode(credential, `A question ${words}`)];
			const saved = await n8n.client.createWorkflow(workflow(words, nodes));
			const id = await n8n.client.run(saved, 'Start');
			const execution = await waitForExecution(n8n.client, id);
			remove();
			assert.ok(failure(execution), words);
			return JSON.stringify(execution);
		}

		before(async () => {
			product = await sharedProduct(version);
			// Every way in which an error could carry the request or the answer into a record.
			await runWith('refused', { kind: 'status', httpStatus: 401 });
			await runWith('cut off', { kind: 'reset' });
			await runWith('not understood', { kind: 'body', body: `<html>Bearer ${apiKey}</html>` });
			await runWith('not its own', { kind: 'body', body: { authorization: `Bearer ${apiKey}` } });
		});

		test('is in no execution record', async (t) => {
			const { client } = product.n8n;
			const executions = await client.executions(undefined, 250);
			const found: string[] = [];
			for (const { id } of executions) {
				const execution = await client.execution(id);
				if (JSON.stringify(execution).includes(apiKey)) found.push(`execution ${id}: ${failure(execution)}`);
			}
			assert.deepEqual(found, []);
			t.diagnostic(`${version}: ${executions.length} execution records`);
			assert.ok(executions.length >= 2);
		});

		test('is in no answer of n8n', (t) => {
			const { transcript } = product.n8n.client;
			t.diagnostic(`${version}: ${transcript.length} answers`);
			assert.equal(transcript.filter((text) => text.includes(apiKey)).length, 0);
		});

		test('is in no file: log at level debug, database, settings', (t) => {
			const files = filesBelow(product.n8n.dataFolder);
			const found = files.filter((file) => readFileSync(file).includes(apiKey));
			t.diagnostic(`${version}: ${files.map((file) => path.basename(file)).join(', ')}`);
			assert.deepEqual(found, []);
			assert.ok(files.some((file) => file.endsWith('database.sqlite')));
			const log = readFileSync(product.n8n.logFile, 'utf8');
			assert.match(log, /debug/, 'the log is a full one');
		});

		// The last one: what it leaves behind would be found by the others.
		test('is not shown even when the service repeats it in a refusal', async () => {
			const body = { success: false, error: `Token ${apiKey} is not allowed` };
			const record = await runWith('repeated', { kind: 'body', httpStatus: 403, body });
			assert.equal(record.includes(apiKey), false);
		});
	});
}
