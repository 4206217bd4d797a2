import type { N8nClient, StoredCredential, StoredWorkflow } from '../../../n8n/client.ts';
import type { Demo } from '../../../n8n/demo.ts';
import { waitFor } from '../../../n8n/poll.ts';
import { webDataPackage } from '../../../n8n/project.ts';
import type { Editor } from '../harness/editor.ts';
import { manualTrigger, type TestNode, workflow } from '../harness/workflows.ts';
import { look, monitorId } from './monitor.ts';
import type { Recorder } from './recorder.ts';
import type { Stage } from './stage.ts';

const RUN_MS = 120_000;
/** A page of the sandbox that is another one each time. */
const CHANGING = 'http://site.example/changing';

/** What the scenes are played with. */
export interface Set {
	recorder: Recorder;
	stage: Stage;
	editor: Editor;
	client: N8nClient;
	credential: StoredCredential;
	service: Demo['service']['credential'];
}

const noOp = (name: string): TestNode => ({ name, type: 'n8n-nodes-base.noOp', typeVersion: 1 });

async function open(
	{ recorder, editor, client }: Set,
	name: string,
	nodes: TestNode[],
): Promise<StoredWorkflow> {
	const saved = await client.createWorkflow(workflow(name, nodes));
	await recorder.without(async () => await editor.openWorkflow(saved.id));
	return saved;
}

/** Presses Execute workflow and waits for its end. */
async function execute({ editor, stage }: Set): Promise<void> {
	await stage.click(stage.page.locator('[data-test-id="execute-workflow-button"]').first());
	await stage.page.getByText('Workflow executed successfully').first().waitFor({ timeout: RUN_MS });
	await editor.fitToView();
}

export async function install({ stage }: Set): Promise<void> {
	await stage.say('Scrape, crawl, search and watch the web in n8n. From install to a trigger.');
	await stage.card('Install', [
		'$ cd ~/.n8n/nodes',
		'$ npm install n8n-nodes-web-data',
		'added 1 package',
		'$ # restart n8n',
	]);
	await stage.say('By hand, as here, or in n8n: Settings, Community nodes, Install.');
}

export async function makeCredential({ recorder, stage, editor, service }: Set): Promise<void> {
	const { page } = stage;
	await recorder.without(async () => await editor.searchCredentials('firecrawl'));
	await stage.say('Search for Firecrawl: the credential is there.');
	await stage.click(
		page.locator('[data-test-id="new-credential-type-select-option"]:visible').first(),
	);
	await stage.click(page.locator('[data-test-id="new-credential-type-button"]'));
	await stage.say('A key. The address only for a server of your own.');
	const inputs = page.locator('[data-test-id="credential-connection-parameter"] input');
	await stage.click(inputs.first());
	await stage.type(service.apiKey);
	await inputs.nth(1).fill('');
	await stage.click(inputs.nth(1));
	await stage.type(service.baseUrl);
	await stage.click(page.locator('[data-test-id="credential-save-button"]'));
	await page.getByText('Connection tested successfully').first().waitFor({ timeout: 30_000 });
	await stage.say('Tested, which costs nothing. Here a local sandbox stands in for Firecrawl.');
}

export async function scrape(set: Set): Promise<void> {
	const { stage, editor } = set;
	const { page } = stage;
	await open(set, 'Scrape a page', [manualTrigger]);
	await stage.say('A page as clean Markdown: find the node …');
	await stage.click(page.locator('[data-test-id="canvas-handle-plus"]').first());
	await editor.searchNodes('web data');
	await page.waitForTimeout(800);
	await editor.chooseNode('Web Data');
	await stage.say('… choose what it does …');
	const panel = await editor.chooseAction('Scrape page and get its content');
	await stage.click(
		page
			.locator(
				'[data-test-id="parameter-input-url"] .cm-content, [data-test-id="parameter-input-url"] input',
			)
			.first(),
	);
	await stage.type('https://example.com');
	await stage.say('… type a URL. Nothing else has to be set.');
	await stage.click(page.locator('[data-test-id="node-execute-button"]'));
	await panel.outputText(/markdown/);
	await stage.say('Ready for the next node: text, title, status, and what it cost.');
	await panel.close();
}

export async function crawl(set: Set): Promise<void> {
	const { stage, editor, credential } = set;
	await open(set, 'Crawl a site', [
		manualTrigger,
		{
			name: 'Crawl',
			type: `${webDataPackage}.webData`,
			typeVersion: 1,
			parameters: { resource: 'crawl', operation: 'start', url: 'https://example.com' },
			credential,
		},
		noOp('Use the Pages'),
	]);
	await stage.say('A whole site: one node. It waits for the job by itself, without a loop.');
	await execute(set);
	await stage.say('14 pages, 14 items.');
	const panel = await editor.openNode('Crawl');
	await panel.outputText(/14 items/);
	await stage.say('Above the items: what it cost, and which pages failed, if any.');
	await panel.close();
}

export async function search(set: Set): Promise<void> {
	const { stage, editor, credential } = set;
	await open(set, 'Search the web', [
		manualTrigger,
		{
			name: 'Search',
			type: `${webDataPackage}.webData`,
			typeVersion: 1,
			parameters: {
				resource: 'search',
				operation: 'search',
				query: 'cargo bikes or vans for city deliveries',
				withContent: true,
			},
			credential,
		},
	]);
	await stage.say('A search, with the content of each page that it finds.');
	await execute(set);
	const panel = await editor.openNode('Search');
	await panel.outputText(/markdown/);
	await stage.say('An item for each result: title, URL, and the page as Markdown.');
	await panel.close();
}

export async function trigger(set: Set): Promise<void> {
	const { recorder, stage, editor, client, credential, service } = set;
	const { page } = stage;
	const saved = await open(set, 'When the site changes', [
		{
			name: 'When the Site Changes',
			type: `${webDataPackage}.webDataTrigger`,
			typeVersion: 2,
			parameters: { event: 'websiteChanged', urls: CHANGING },
			credential,
			settings: { webhookId: 'video-changed' },
		},
		noOp('Tell Somebody'),
	]);
	await stage.say('Last, a trigger: Firecrawl watches a page and starts the workflow.');
	await recorder.without(async () => {
		await client.activate(saved);
		await editor.openWorkflow(saved.id);
	});
	await stage.say(
		'Published: Firecrawl now has a monitor. Its first check records the starting point.',
	);
	await recorder.without(async () => {
		const id = await monitorId(service);
		await look(service, id);
		await look(service, id);
	});
	await stage.say('Now the page has changed, and Firecrawl has checked it again …');
	await stage.click(page.getByText('Executions', { exact: true }).first());
	await waitFor('an execution', async () => (await client.executions(saved.id))[0], {
		timeoutMs: RUN_MS,
	});
	await page.getByText('Succeeded in').first().waitFor({ timeout: RUN_MS });
	await stage.say('… and the workflow has run, with the page and its difference.');
	await client.deactivate(saved);
}

export async function end({ stage }: Set): Promise<void> {
	await stage.card('Try it', [
		'$ npm ci && npm run demo',
		'$ npm start    # the editor, with all examples',
	]);
	await stage.say('No account, nothing to pay.');
}
