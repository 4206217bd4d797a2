/** The panels of Scrape and Crawl, and of what is like them, in n8n's editor. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { unexpectedMessages } from './harness/console-noise.ts';
import { Editor } from './harness/editor.ts';
import { everyOperation } from './harness/every-operation.ts';
import { testOwner } from './harness/instance.ts';
import { outerLines } from './harness/lines.ts';
import type { NodePanel } from './harness/node-panel.ts';
import {
	crawlOptions,
	crawlOptionsWhenWaiting,
	crawlWaitOptions,
	panelFields,
	scrapeOptions,
	searchWords,
} from './harness/panel-fields.ts';
import { sharedProduct } from './harness/product.ts';
import { manualTrigger, workflow } from './harness/workflows.ts';

/** What a format shows below Formats when it is chosen beside Markdown. */
const formatFields = {
	JSON: ['JSON From', 'JSON Example', 'JSON Options'],
	Screenshot: ['Screenshot Options'],
	Links: [],
};

for (const version of outerLines()) {
	describe(`panels on n8n ${version}`, { timeout: 300_000 }, () => {
		let editor: Editor;
		let panel: NodePanel;

		/** Drops a node into a workflow of its own: nothing is set that an earlier test has set. */
		const drop = async (action: string): Promise<string[]> => {
			const { n8n } = await sharedProduct(version);
			const saved = await n8n.client.createWorkflow(workflow(action, [manualTrigger]));
			await editor.openWorkflow(saved.id);
			await editor.searchNodes('web data');
			const actions = await editor.chooseNode('Web Data');
			panel = await editor.chooseAction(action);
			return actions;
		};
		before(async () => {
			const { n8n } = await sharedProduct(version);
			editor = await Editor.open(n8n.running.baseUrl, testOwner);
		});
		after(async () => {
			await editor.close();
		});

		test('the node is found by what people look for', async () => {
			const { n8n } = await sharedProduct(version);
			const saved = await n8n.client.createWorkflow(workflow('search', [manualTrigger]));
			await editor.openWorkflow(saved.id);
			for (const words of searchWords) {
				assert.ok((await editor.searchNodes(words)).includes('Web Data'), words);
			}
		});

		test('the credential is found by the name of the service', async () => {
			for (const words of ['firecrawl', 'web data']) {
				const found = await editor.searchCredentials(words);
				assert.ok(found.includes('Web Data API (Firecrawl)'), `${words}: ${found.join(', ')}`);
			}
		});

		test('the node menu offers each operation under a plain name', async () => {
			const offered = await drop('Scrape page to text or structured data');
			assert.deepEqual(
				offered,
				everyOperation().map(({ action }) => action),
			);
			assert.equal(offered[0], 'Scrape page to text or structured data');
			assert.ok(offered.includes('Delete monitor and all its checks for good'));
		});

		for (const [choice, expected] of Object.entries(panelFields)) {
			test(`${choice} shows its own fields, all of them and no other`, async () => {
				const [resource = '', operation = ''] = choice.split(', ');
				await panel.choose('resource', resource);
				await panel.choose('operation', operation);
				assert.deepEqual(await panel.fields(), expected);
			});
		}

		test('Scrape offers the options of pages', async () => {
			await panel.choose('resource', 'Page');
			await panel.choose('operation', 'Scrape');
			assert.deepEqual(await panel.offered('Add page option'), scrapeOptions);
		});

		test('what was set for Scrape is kept on the way to Crawl and back', async () => {
			await panel.addOption('Add page option', 'Mobile');
			await panel.addOption('Add page option', 'Store as Files');
			const set = [...(panelFields['Page, Scrape'] ?? []), 'Mobile', 'Store as Files'];
			await panel.choose('resource', 'Crawl');
			const ofCrawl = [...(panelFields['Crawl, Start'] ?? []), 'Mobile', 'Store as Files'];
			assert.deepEqual((await panel.fields()).sort(), ofCrawl.sort());
			await panel.choose('resource', 'Page');
			assert.deepEqual((await panel.fields()).sort(), set.sort());
			await drop('Scrape page to text or structured data');
		});

		test('a format that is chosen shows its own fields, and takes nothing away', async () => {
			const [url = '', formats = '', ...others] = panelFields['Page, Scrape'] ?? [];
			const below: string[] = [];
			for (const [format, expected] of Object.entries(formatFields)) {
				await panel.chooseAlso('formats', format);
				below.push(...expected);
				assert.deepEqual(await panel.fields(), [url, formats, ...below, ...others], format);
			}
		});

		test('Crawl shows its own fields when it is chosen in the node menu', async () => {
			await drop('Crawl website and get all pages');
			assert.deepEqual(await panel.fields(), panelFields['Crawl, Start']);
		});

		test('a crawl that is not waited for has nothing about waiting and output', async () => {
			await panel.choose('waitForCompletion', 'Do Not Wait');
			const shown = panelFields['Crawl, Start']?.filter((name) => name !== 'Output');
			assert.deepEqual(await panel.fields(), shown);
			assert.deepEqual(await panel.offered('Add option'), crawlOptions);
			await panel.choose('waitForCompletion', 'Wait for the Result');
		});

		test('Crawl offers its options, and those of waiting as a group', async () => {
			assert.deepEqual(await panel.offered('Add option'), crawlOptionsWhenWaiting);
			await panel.addOption('Add option', 'Wait Options');
			assert.deepEqual(await panel.offered('Add wait option'), crawlWaitOptions);
			await panel.addOption('Add wait option', 'Polling');
			await panel.choose('polling', 'Every N Seconds');
			const more = await panel.offered('Add wait option');
			assert.ok(more.includes('Poll Interval (Seconds)'), more.join(', '));
		});

		test('the browser’s console shows no error of the package', () => {
			assert.deepEqual(unexpectedMessages(editor.messages), []);
		});
	});
}
