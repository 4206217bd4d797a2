/** Scrape, Crawl, Batch Scrape, Map and Search in one workflow of the real n8n, on the sandbox's site. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Execution } from '../../n8n/client.ts';
import { Editor } from './harness/editor.ts';
import { nodeOutput, waitForExecution, waitForExecutions } from './harness/executions.ts';
import { testOwner } from './harness/instance.ts';
import { outerLines } from './harness/lines.ts';
import { nodeType, type Product, sharedProduct } from './harness/product.ts';
import { manualTrigger, type TestNode, workflow } from './harness/workflows.ts';

const title = 'Cargo bikes for city deliveries';
/** A page's title as the sandbox writes headings in Markdown. */
const heading = /^\S.*\n={3,}\n/;

function nodesFor({ credential, sandbox }: Product): TestNode[] {
	const url = sandbox.siteUrl;
	const node = (name: string, parameters: object, to: string[] = []): TestNode => ({
		name,
		type: nodeType,
		typeVersion: 1,
		parameters,
		credential,
		to,
	});
	return [
		{ ...manualTrigger, to: ['Scrape', 'Crawl', 'Map', 'Search'] },
		node('Scrape', { resource: 'page', operation: 'scrape', url }),
		node('Crawl', { resource: 'crawl', operation: 'start', url, pageLimit: 4 }),
		node('Map', { resource: 'map', operation: 'map', url, maxLinks: 3 }, ['Batch']),
		node('Batch', { resource: 'batchScrape', operation: 'start' }),
		node('Search', {
			resource: 'search',
			operation: 'search',
			query: 'cargo bikes winter',
			maxResults: 3,
		}),
	];
}

for (const version of outerLines()) {
	describe(`pages on n8n ${version}`, { timeout: 180_000 }, () => {
		let product: Product;
		let editor: Editor;
		let execution: Execution;
		const json = (name: string) => nodeOutput(execution, name).map((item) => item.json);

		before(async () => {
			product = await sharedProduct(version);
			const { client, running } = product.n8n;
			const saved = await client.createWorkflow(workflow('Pages', nodesFor(product)));
			editor = await Editor.open(running.baseUrl, testOwner);
			await editor.openWorkflow(saved.id);
			await editor.execute();
			const [run] = await waitForExecutions(client, saved.id, { states: ['success'] });
			execution = await waitForExecution(client, run?.id ?? '', { states: ['success'] });
		});
		after(async () => {
			await editor.close();
		});

		test('Scrape gives the page as Markdown', () => {
			const [page, ...others] = json('Scrape');
			assert.deepEqual(others, []);
			assert.equal(page?.title, title);
			assert.match(String(page?.markdown), heading);
			assert.equal(page?.statusCode, 200);
		});

		test('Crawl waits and gives one item per page, as many as the limit says', () => {
			const pages = json('Crawl');
			assert.equal(pages.length, 4);
			assert.equal(new Set(pages.map(({ url }) => url)).size, 4);
			for (const { markdown, jobStatus } of pages) {
				assert.match(String(markdown), heading);
				assert.equal(jobStatus, 'completed');
			}
		});

		test('Map gives one item per link', () => {
			const links = json('Map');
			assert.equal(links.length, 3);
			for (const { url } of links) assert.ok(String(url).startsWith(product.sandbox.siteUrl));
		});

		test('Batch Scrape gives each item its own page, paired with it, for one job', () => {
			const pages = nodeOutput(execution, 'Batch');
			assert.deepEqual(
				pages.map((item) => item.json.url),
				json('Map').map(({ url }) => url),
			);
			assert.deepEqual(
				pages.map(({ pairedItem }) => pairedItem),
				[{ item: 0 }, { item: 1 }, { item: 2 }],
			);
			for (const { json: page } of pages) assert.match(String(page.markdown), heading);
			assert.equal(new Set(pages.map((item) => item.json.jobId)).size, 1);
		});

		test('Search gives one item per result, the best first', () => {
			const results = json('Search');
			assert.deepEqual(
				results.map(({ position }) => position),
				[1, 2, 3],
			);
			for (const { url, title } of results) {
				assert.match(String(url), /^https:\/\/example\.com\//);
				assert.match(String(title), /\S/);
			}
		});

		test('the editor shows the Markdown of the scraped page', async () => {
			const panel = await editor.openNode('Scrape');
			assert.match(await panel.outputText(/markdown/), new RegExp(`${title}[^]*What to check first`));
			await panel.close();
		});
	});
}
