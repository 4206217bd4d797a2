/** A credential: what n8n's Test button says about it, and that its key is in no record, log or answer of n8n. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import getPort from 'get-port';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import { type Listener, startListener } from '../sandbox/listener.ts';
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
	describe(`credential test on n8n ${version}`, { timeout: 600_000 }, () => {
		let product: Product;
		let other: Listener;

		before(async () => {
			product = await sharedProduct(version);
			other = await startListener(({ url = '' }) => {
				if (url.startsWith('/page')) return { body: '<!doctype html><title>Sign in</title>' };
				const status = url.startsWith('/json') ? 200 : 404;
				return { status, type: 'application/json', body: '{"name":"some other server","ok":true}' };
			});
		});
		after(async () => {
			await other.stop();
		});

		/** Presses Test with this address and key typed in. */
		async function pressTest(baseUrl: string, key = apiKey) {
			return await product.n8n.client.testCredential(product.credential, { baseUrl, apiKey: key });
		}

		test('a right key passes', async () => {
			const { client } = product.n8n;
			const asSaved = await client.testCredential(product.credential);
			assert.deepEqual(asSaved, { status: 'OK', message: 'Connection successful' });
			for (const ending of ['/', '/v1', '/v2/']) {
				const { status } = await pressTest(`${product.sandbox.baseUrl}${ending}`);
				assert.equal(status, 'OK', ending);
			}
		});

		const wrong: Record<string, { address: () => Promise<string>; key?: string; says: RegExp }> = {
			'a wrong key': {
				address: () => Promise.resolve(product.sandbox.baseUrl),
				key: 'fc-wrong',
				says: /API key/,
			},
			'another server that does not know the path': {
				address: () => Promise.resolve(`${other.url}/unknown`),
				says: /no web data service at this address.*base URL/,
			},
			'another server that answers with other JSON': {
				address: () => Promise.resolve(`${other.url}/json`),
				says: /not as the web data service does.*base URL/,
			},
			'a web page': {
				address: () => Promise.resolve(`${other.url}/page`),
				says: /web page/,
			},
			'a dead port': {
				address: async () => `http://127.0.0.1:${await getPort({ host: '127.0.0.1' })}`,
				says: /refused|running/,
			},
			'no address': {
				address: () => Promise.resolve('not an address'),
				says: /base URL/i,
			},
		};
		const sentences = new Set<string>();

		for (const [what, { address, key, says }] of Object.entries(wrong)) {
			test(`${what} gives its own plain sentence`, async (t) => {
				const { status, message } = await pressTest(await address(), key);
				t.diagnostic(`${version}, ${what}: ${message}`);
				assert.equal(status, 'Error');
				assert.match(message, says);
				assert.doesNotMatch(message, /E[A-Z]{5,}|undefined|\[object|<html|fc-/);
				// The address differs from case to case: what is left must differ too.
				const sentence = message.replace(/https?:\/\/\S+/g, '');
				assert.ok(!sentences.has(sentence), 'no two mistakes read the same');
				sentences.add(sentence);
			});
		}
	});

	describe(`the key on n8n ${version}`, { timeout: 600_000 }, () => {
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
