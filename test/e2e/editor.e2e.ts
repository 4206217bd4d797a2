/** Point 3: the package in n8n's editor, in a headless browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { unexpectedMessages } from './harness/console-noise.ts';
import { Editor } from './harness/editor.ts';
import { waitForExecutions } from './harness/executions.ts';
import { testOwner } from './harness/instance.ts';
import { outerLines } from './harness/lines.ts';
import type { NodePanel } from './harness/node-panel.ts';
import { example, type Product, researchNode, sharedProduct } from './harness/product.ts';
import { manualTrigger, workflow } from './harness/workflows.ts';

/** What people type, and the node that is among what they find. */
const words = [
	['research', 'Web Research'],
	['crawl', 'Web Data'],
	['scrape', 'Web Data'],
	['firecrawl', 'Web Data'],
	['web data', 'Web Data'],
] as const;

/** Fields of each operation as the panel shows them, without the credential and the two choosers. */
const fields = {
	'Deep Research, Start': ['Query', 'Formats', 'Wait for Completion', 'Output', 'Options'],
	// Its only options are about waiting, so there is no empty list of them while it does not wait.
	'Deep Research, Get': ['Job ID', 'Wait for Completion', 'Output'],
	'Crawl, Get Many Active': ['Return All', 'Limit'],
};

for (const version of outerLines()) {
	describe(`3. editor on n8n ${version}`, { timeout: 600_000 }, () => {
		let product: Product;
		let editor: Editor;
		let dropped: NodePanel | undefined;

		before(async () => {
			product = await sharedProduct(version);
			editor = await Editor.open(product.n8n.running.baseUrl, testOwner);
			const saved = await product.n8n.client.createWorkflow(workflow('Empty', [manualTrigger]));
			await editor.openWorkflow(saved.id);
		});
		after(async () => {
			await editor.close();
		});

		test('the node is found by what people type', async () => {
			for (const [typed, name] of words) {
				const found = await editor.searchNodes(typed);
				assert.ok(found.includes(name), `${typed}: ${found.join(', ')}`);
			}
		});

		test('it is dropped with an operation of the user’s choice', async () => {
			const actions = await editor.chooseNode('Web Data');
			assert.ok(actions.includes('Research question in depth (legacy)'), actions.join(', '));
			dropped = await editor.chooseAction('Research question in depth (legacy)');
			assert.equal(await dropped.chosen('resource'), 'Deep Research');
			assert.equal(await dropped.chosen('operation'), 'Start');
		});

		test('only the fields of the chosen operation are shown', async () => {
			const panel = dropped;
			assert.ok(panel);
			for (const [choice, expected] of Object.entries(fields)) {
				const [resource = '', operation = ''] = choice.split(', ');
				await panel.choose('resource', resource);
				await panel.choose('operation', operation);
				assert.deepEqual(await panel.fields(), expected, choice);
			}
			await panel.close();
		});

		test('a data tool is chosen from lists, gets its inputs in fields, and runs', async () => {
			const parameters = { resource: 'dataTool', operation: 'run' };
			const tool = { ...researchNode(product.credential, ''), name: 'Tool', parameters };
			const saved = await product.n8n.client.createWorkflow(workflow('Data tool', [manualTrigger, tool]));
			await editor.openWorkflow(saved.id);
			const panel = await editor.openNode('Tool');
			await panel.chooseFromList('provider', 'Open registry');
			await panel.chooseFromList('capability', 'Company profile · 5 credits');
			await panel.type('name', 'Kestrel');
			await panel.execute();
			assert.match(await panel.outputText(/Kestrel/), /Kestrel Couriers/);
			await panel.close();
		});

		test('the first example runs and shows the page in the output panel', async () => {
			const saved = await product.n8n.client.createWorkflow(example('Start here', product.credential));
			await editor.openWorkflow(saved.id);
			await editor.execute();
			await waitForExecutions(product.n8n.client, saved.id, { states: ['success'] });
			const panel = await editor.openNode('Scrape');
			const output = await panel.outputText(/markdown/);
			assert.match(output, /Cargo bikes for city deliveries/);
			assert.match(output, /1 page \(= 1 credit\)/);
			await panel.close();
		});

		test('the connectors of an agent and of a vector store list the nodes that are made for them', async () => {
			const agent = { name: 'Agent', type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 1.7, parameters: {} };
			const type = '@n8n/n8n-nodes-langchain.vectorStoreInMemory';
			const store = { name: 'Store', type, typeVersion: 1, parameters: { mode: 'insert', memoryKey: 'key' } };
			const saved = await product.n8n.client.createWorkflow(workflow('Connectors', [manualTrigger, agent, store]));
			for (const [node, connector, name] of [
				['Agent', 'ai_tool', 'Web Research Tool'],
				['Store', 'ai_document', 'Web Data Loader'],
			] as const) {
				await editor.openWorkflow(saved.id);
				const listed = await editor.nodesFor(node, connector, name.toLowerCase());
				assert.ok(listed.includes(name), `${connector}: ${listed.join(', ')}`);
			}
		});

		test('an agent that has stopped at its limit shows what it had, and how to go on', async () => {
			const parameters = { resource: 'agent', operation: 'start', prompt: 'What does a cargo bike cost? [limit]' };
			const agent = { ...researchNode(product.credential, ''), name: 'Agent', parameters };
			const saved = await product.n8n.client.createWorkflow(workflow('Partial', [manualTrigger, agent]));
			await editor.openWorkflow(saved.id);
			await editor.execute();
			await waitForExecutions(product.n8n.client, saved.id, { states: ['success'] });
			const panel = await editor.openNode('Agent');
			const output = await panel.outputText(/isPartial/);
			assert.match(output, /credit_limit_reached/);
			assert.match(output, /is partial: it stopped at its limit[\s\S]*Continue a Thread/);
			await panel.close();
		});

		test('the report file of a research opens and downloads from the output panel', async () => {
			const query = 'How do cargo bikes compare with vans for city deliveries?';
			const research = researchNode(product.credential, query);
			const parameters = { ...research.parameters, output: 'reportFile' };
			const saved = await product.n8n.client.createWorkflow(
				workflow('Report file', [manualTrigger, { ...research, parameters }]),
			);
			await editor.openWorkflow(saved.id);
			await editor.execute();
			await waitForExecutions(product.n8n.client, saved.id, { states: ['success'] });
			const panel = await editor.openNode('Research');
			assert.match(await panel.outputText(/File Name/), /research-how-do-cargo-bikes.*\.md/s);
			assert.match(await panel.viewFile(), /## Sources/);
			const { name, text } = await panel.downloadFile();
			assert.match(name, /^research-how-do-cargo-bikes.*\.md$/);
			assert.match(text, /^# How do cargo bikes[\s\S]*## Sources[\s\S]*## Timeline/);
			await panel.close();
		});

		test('the browser’s console shows no error of the package', (t) => {
			t.diagnostic(`${version}: ${editor.messages.length} errors and warnings in all`);
			assert.deepEqual(unexpectedMessages(editor.messages), []);
		});
	});
}
