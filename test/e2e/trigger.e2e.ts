/** The webhook trigger in a whole n8n: its monitor, its calls, and what they start. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { waitFor } from '../../n8n/poll.ts';
import { n8nVersions, webDataPackage } from '../../n8n/project.ts';
import type { StoredCredential, StoredWorkflow } from '../../n8n/client.ts';
import { field, listOf } from '../sandbox/client.ts';
import { failure, nodeOutput, waitForExecution, waitForExecutions } from './harness/executions.ts';
import { apiKey, credentialType, example, type Product, startProduct } from './harness/product.ts';
import { codeNode, type TestNode, workflow } from './harness/workflows.ts';

const SECRET = 'whsec-end-to-end';
const CHANGING = 'http://site.example/changing';
const TRIGGER = 'Trigger';

const soon = async <T>(what: string, probe: () => Promise<T | undefined> | T | undefined) =>
	await waitFor(what, probe, { timeoutMs: 60_000 });

for (const version of n8nVersions) {
	describe(`Web Data Trigger on n8n ${version}`, { timeout: 600_000 }, () => {
		let product: Product;
		let unsigned: StoredCredential;
		let signed: StoredCredential;

		before(async () => {
			product = await startProduct(version, {}, { webhookSecret: SECRET });
			unsigned = product.credential;
			const data = { baseUrl: product.sandbox.baseUrl, apiKey, webhookSecret: SECRET };
			signed = await product.n8n.client.createCredential('Signed', credentialType, data);
		});
		after(async () => await product.dispose());

		const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
			const response = await fetch(product.sandbox.baseUrl + path, {
				method,
				headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
				...(body && { body: JSON.stringify(body) }),
			});
			return JSON.parse((await response.text()) || 'null');
		};
		const monitors = async (): Promise<unknown[]> =>
			listOf(field(await ask('GET', '/v2/monitor'), 'data'));
		/** Waits, because n8n 2.40 answers before it has activated or deactivated. */
		const atLast = async (count: number): Promise<unknown[]> =>
			await soon(`${count} monitors`, async () => {
				const all = await monitors();
				return all.length === count ? all : undefined;
			});
		const only = async (): Promise<unknown> => (await atLast(1))[0];
		const check = async (id: unknown): Promise<void> => {
			const before = product.sandbox.webhooks.sent().length;
			await ask('POST', `/v2/monitor/${String(id)}/run`);
			await soon('the call after a check', () =>
				product.sandbox.webhooks.sent().length > before ? true : undefined,
			);
		};
		const triggerNode = (
			webhookId: string,
			parameters: object,
			credential: StoredCredential,
		): TestNode => ({
			name: TRIGGER,
			type: `${webDataPackage}.webDataTrigger`,
			typeVersion: 1,
			parameters,
			credential,
			settings: { webhookId },
		});
		const watching = (more: object = {}): object => ({
			event: 'websiteChanged',
			targets: { target: [{ type: 'scrape', urls: CHANGING }] },
			...more,
		});
		const save = async (name: string, node: TestNode): Promise<StoredWorkflow> =>
			await product.n8n.client.createWorkflow(
				workflow(name, [node, codeNode('Next', 'return $input.all();')]),
			);
		const hookUrl = (webhookId: string): string =>
			`${product.n8n.client.baseUrl.replace(/\/$/, '')}/webhook/${webhookId}/web-data`;
		const active = new Set<StoredWorkflow>();
		/** Until n8n takes calls at the address, whatever it answers to this one. */
		const activate = async (saved: StoredWorkflow, webhookId: string): Promise<void> => {
			await product.n8n.client.activate(saved);
			active.add(saved);
			await soon('the address', async () => {
				const probe = { url: hookUrl(webhookId), body: { type: 'probe' } };
				return (await product.sandbox.webhooks.forge(probe)) === 404 ? undefined : true;
			});
		};
		afterEach(async () => {
			for (const saved of active) await product.n8n.client.deactivate(saved).catch(() => undefined);
			active.clear();
			await atLast(0);
		});
		const settled = async (ms = 1500): Promise<void> =>
			await new Promise((resolve) => setTimeout(resolve, ms));

		test('activated and deactivated ten times it leaves no monitor behind', async () => {
			const { client } = product.n8n;
			const saved = await save('Ten times', triggerNode('e2e-ten', watching(), signed));
			for (let time = 0; time < 10; time += 1) {
				await activate(saved, 'e2e-ten');
				await only();
				await client.deactivate(saved);
				await atLast(0);
			}
		});

		test('a changed page starts the workflow; the first check only sets the mark', async () => {
			const { client } = product.n8n;
			const saved = await save('Changed', triggerNode('e2e-changed', watching(), signed));
			await activate(saved, 'e2e-changed');
			const { id } = Object(await only()) as { id: unknown };
			await check(id);
			await check(id);
			const [execution] = await waitForExecutions(client, saved.id);
			const ended = await client.execution(execution?.id ?? '');
			assert.equal(failure(ended), undefined);
			const [item] = nodeOutput(ended, 'Next');
			assert.equal(item?.json.url, CHANGING);
			assert.equal(item?.json.status, 'changed');
		});

		test('n8n is killed and started again: the same monitor, and no second one', async () => {
			const saved = await save('Killed', triggerNode('e2e-killed', watching(), signed));
			await activate(saved, 'e2e-killed');
			const first = Object(await only()) as { id: unknown };
			await product.n8n.crash();
			await product.n8n.restart();
			// At another port: n8n 1.123 mends the address at its start, n8n 2.40 at the next activation.
			const data = [{ monitorId: first.id, checkId: 'x' }];
			const body = { type: 'monitor.page', id: 'x', data };
			await soon('n8n to take calls again', async () => {
				const url = hookUrl('e2e-killed');
				const status = await product.sandbox.webhooks.forge({ url, body, sign: 'right' });
				return status === 200 ? true : undefined;
			});
			assert.equal(field(await only(), 'id'), first.id);
		});

		test('a call with a wrong signature or none gets 401 and starts nothing', async () => {
			const { client } = product.n8n;
			const parameters = { event: 'jobEvent', jobOutput: 'event' };
			const saved = await save('Signed', triggerNode('e2e-signed', parameters, signed));
			await activate(saved, 'e2e-signed');
			const url = hookUrl('e2e-signed');
			const body = { type: 'crawl.completed', id: 'x' };
			for (const sign of ['none', 'wrong'] as const) {
				assert.equal(await product.sandbox.webhooks.forge({ url, body, sign }), 401);
			}
			assert.equal(await product.sandbox.webhooks.forge({ url, body: '[]', sign: 'right' }), 400);
			await settled();
			assert.deepEqual(await client.executions(saved.id), []);
			assert.equal(await product.sandbox.webhooks.forge({ url, body, sign: 'right' }), 200);
			await waitForExecutions(client, saved.id);
		});

		test('an event that comes again starts one execution, also after a restart', async () => {
			const parameters = { event: 'jobEvent', jobOutput: 'event' };
			const saved = await save('Again', triggerNode('e2e-again', parameters, unsigned));
			await activate(saved, 'e2e-again');
			const url = hookUrl('e2e-again');
			const body = { type: 'crawl.completed', id: 'x', webhookId: 'one' };
			const send = async (): Promise<number> => await product.sandbox.webhooks.forge({ url, body });
			const answers = await Promise.all(Array.from({ length: 10 }, send));
			assert.deepEqual(new Set(answers), new Set([200]));
			await waitForExecutions(product.n8n.client, saved.id);
			await product.n8n.crash();
			await product.n8n.restart();
			const after = {
				url: hookUrl('e2e-again'),
				body,
			};
			await soon('n8n to take calls again', async () =>
				(await product.sandbox.webhooks.forge(after)) === 200 ? true : undefined,
			);
			await settled();
			assert.equal((await product.n8n.client.executions(saved.id)).length, 1);
		});

		test('a finished crawl of another workflow comes with all its pages', async () => {
			const { client } = product.n8n;
			const saved = await save('Result', triggerNode('e2e-result', { event: 'jobEvent' }, signed));
			await activate(saved, 'e2e-result');
			const start = {
				url: product.sandbox.siteUrl,
				limit: 5,
				webhook: { url: hookUrl('e2e-result'), metadata: { city: 'Tromsø' } },
			};
			await ask('POST', '/v2/crawl', start);
			const [execution] = await waitForExecutions(client, saved.id);
			const ended = await client.execution(execution?.id ?? '');
			assert.equal(failure(ended), undefined);
			const items = nodeOutput(ended, 'Next');
			assert.equal(items.length, 5);
			assert.deepEqual(items[0]?.json.jobMetadata, { city: 'Tromsø' });
		});

		test('a result that cannot be read is answered at once and ends as a failed execution', async () => {
			const { client } = product.n8n;
			const saved = await save(
				'Unread',
				triggerNode('e2e-unread', { event: 'jobEvent' }, unsigned),
			);
			await activate(saved, 'e2e-unread');
			const id = '01a1ffaa-742a-707a-9bc7-4a76f671b387';
			const body = { type: 'crawl.completed', id };
			const url = hookUrl('e2e-unread');
			assert.equal(await product.sandbox.webhooks.forge({ url, body }), 200);
			assert.ok((product.sandbox.webhooks.sent().at(-1)?.tookMs ?? 9999) < 1000);
			const [execution] = await waitForExecutions(client, saved.id, { states: ['error'] });
			const ended = await client.execution(execution?.id ?? '');
			assert.match(failure(ended) ?? '', new RegExp(id));
			// n8n lives on and takes the next call.
			assert.equal(
				await product.sandbox.webhooks.forge({ url, body: { ...body, type: 'crawl.page' } }),
				200,
			);
		});

		test('its examples: imported and run as they are', async () => {
			const { client } = product.n8n;
			const hookOf = ({ nodes }: { nodes: readonly unknown[] }): string =>
				String(field(nodes[0], 'webhookId'));
			const changed = example('A changed website', signed);
			const site = await client.createWorkflow(changed);
			await activate(site, hookOf(changed));
			const { id } = Object(await only()) as { id: unknown };
			await check(id);
			await ask('PATCH', `/v2/monitor/${String(id)}`, {
				targets: [{ type: 'scrape', urls: [CHANGING] }],
			});
			await check(id);
			const [told] = await waitForExecutions(client, site.id);
			const message = nodeOutput(await client.execution(told?.id ?? ''), 'Send the Message');
			assert.equal(message[0]?.json.message, `${CHANGING} is new`);

			const files = example('Files of a crawl', signed);
			const job = await client.createWorkflow(files);
			await activate(job, hookOf(files));
			const webhook = hookUrl(hookOf(files));
			await ask('POST', '/v2/crawl', { url: 'https://example.com', limit: 3, webhook });
			const [done] = await waitForExecutions(client, job.id);
			const stored = nodeOutput(await client.execution(done?.id ?? ''), 'Store the Files');
			assert.equal(stored.length, 3);
			assert.equal(typeof field(stored[0], 'binary.markdown.fileName'), 'string');
		});

		test('Listen for test event leaves the production monitor alone', async () => {
			const { client } = product.n8n;
			const saved = await save('Listen', triggerNode('e2e-listen', watching(), signed));
			await activate(saved, 'e2e-listen');
			const production = await only();
			const workflowData = await client.call(`/workflows/${saved.id}`);
			const body = { workflowData, triggerToStartFrom: { name: TRIGGER } };
			const answer = await client.call(`/workflows/${saved.id}/run`, { method: 'POST', body });
			assert.equal(field(answer, 'waitingForWebhook'), true);
			const [execution] = await waitForExecutions(client, saved.id);
			const ended = await waitForExecution(client, execution?.id ?? '');
			assert.equal(ended.mode, 'manual');
			assert.equal(nodeOutput(ended, 'Next')[0]?.json.status, 'new');
			assert.deepEqual(await only(), production);
		});
	});
}
