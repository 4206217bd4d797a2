/** The lists behind the IDs, in n8n's editor: found, filtered, chosen, and what they say when there is none. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { ask, field } from '../sandbox/client.ts';
import { Editor } from './harness/editor.ts';
import { testOwner } from './harness/instance.ts';
import { outerLines } from './harness/lines.ts';
import type { NodePanel } from './harness/node-panel.ts';
import {
	apiKey,
	credentialType,
	nodeType,
	type Product,
	sharedProduct,
} from './harness/product.ts';
import { manualTrigger, type TestNode, workflow } from './harness/workflows.ts';

const NAMES = ['Prices of competitors', 'News on tides', 'Opening hours'];

for (const version of outerLines()) {
	describe(`lists of IDs on n8n ${version}`, { timeout: 240_000 }, () => {
		let product: Product;
		let editor: Editor;

		const authorization = `Bearer ${apiKey}`;
		const post = async (path: string, body?: unknown): Promise<string> => {
			const answer = await ask(product.sandbox, 'POST', path, { body, authorization });
			return String(field(answer.body, 'data.id') ?? field(answer.body, 'id'));
		};

		async function open(parameters: object, credential = product.credential): Promise<NodePanel> {
			const own: TestNode = {
				name: 'Web Data',
				type: nodeType,
				typeVersion: 1,
				parameters,
				credential,
			};
			const saved = await product.n8n.client.createWorkflow(
				workflow('Lists', [manualTrigger, own]),
			);
			await editor.openWorkflow(saved.id);
			return await editor.openNode('Web Data');
		}

		/** Opens the list of a field; what it offers is at the end of the page. */
		async function list({ page }: NodePanel, parameter: string): Promise<Page> {
			await page
				.locator(`[data-test-id="resource-locator-${parameter}"] [data-test-id="rlc-input"]`)
				.click();
			return page;
		}

		const item = (page: Page, text: string | RegExp): Locator =>
			page.locator('[data-test-id="rlc-item"]:visible').filter({ hasText: text }).first();

		before(async () => {
			product = await sharedProduct(version);
			editor = await Editor.open(product.n8n.running.baseUrl, testOwner);
			for (const name of NAMES) {
				const targets = [{ type: 'scrape', urls: ['https://example.com/'] }];
				await post('/v2/monitor', { name, schedule: { text: 'hourly' }, targets });
			}
		});
		after(async () => {
			await editor.close();
		});

		test('a monitor is found by its name, and then its checks', async () => {
			const panel = await open({ resource: 'monitor', operation: 'getCheck' });
			const monitors = await list(panel, 'monitorId');
			await item(monitors, 'News on tides').waitFor();
			const search = monitors.locator('[data-test-id="rlc-search"]:visible');
			await search.locator('input').or(search).last().fill('prices');
			await item(monitors, 'News on tides').waitFor({ state: 'hidden' });
			await editor.screenshot(`/tmp/lists-${version}-monitors.png`);
			await item(monitors, 'Prices of competitors').click();
			const chosen = panel.page
				.locator('[data-test-id="resource-locator-monitorId"]')
				.locator('input[data-test-id="rlc-input"], [data-test-id="rlc-input"] input')
				.first();
			assert.equal(await chosen.inputValue(), 'Prices of competitors');
			const { body } = await ask(product.sandbox, 'GET', '/v2/monitor', { authorization });
			const monitorId = String(field(body, 'data.2.id'));
			await post(`/v2/monitor/${monitorId}/run`);
			const checks = await list(panel, 'jobId');
			await item(checks, /\d{4}-\d\d-\d\d \d\d:\d\d · (completed|running|queued)/).waitFor();
			await editor.screenshot(`/tmp/lists-${version}-checks.png`);
		});

		test('the session that is open is chosen from its list, and closed', async () => {
			const life = { ttl: 3600, activityTtl: 3600 };
			const closed = await post('/v2/interact', life);
			const left = await post('/v2/interact', life);
			await ask(product.sandbox, 'DELETE', `/v2/interact/${closed}`, { authorization });
			const panel = await open({ resource: 'browser', operation: 'closeSession' });
			const page = await list(panel, 'sessionId');
			const session = item(page, new RegExp(`${left} · \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d`));
			await session.waitFor();
			assert.equal(await page.locator('[data-test-id="rlc-item"]:visible').count(), 1);
			await editor.screenshot(`/tmp/lists-${version}-sessions.png`);
			await session.click();
			await page.locator('[data-test-id="node-execute-button"]').click();
			assert.match(await panel.outputText(/closed/), new RegExp(left.slice(0, 8)));
			const query = '/v2/interact?status=active';
			const active = await ask(product.sandbox, 'GET', query, { authorization });
			assert.deepEqual(field(active.body, 'sessions'), []);
		});

		test('a list says in its own place why it is not there', async () => {
			const data = { baseUrl: product.sandbox.baseUrl, apiKey: 'fc-wrong' };
			const wrong = await product.n8n.client.createCredential('Wrong', credentialType, data);
			const panel = await open({ resource: 'monitor', operation: 'get' }, wrong);
			const monitors = await list(panel, 'monitorId');
			const message = monitors.locator('[data-test-id="rlc-error-message"]:visible');
			await message.waitFor();
			await editor.screenshot(`/tmp/lists-${version}-error.png`);
			assert.match(await message.innerText(), /does not accept the API key/);
			assert.doesNotMatch(await panel.page.content(), /fc-wrong/);
		});
	});
}
