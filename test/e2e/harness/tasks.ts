import type { N8nClient } from '../../../n8n/client.ts';
import type { Hand } from './hand.ts';
import { workflow } from './workflows.ts';

/** What a task needs besides the editor, which stands at a new workflow. */
export interface Desk {
	hand: Hand;
	client: N8nClient;
	/** Address of a PDF file. */
	pdfUrl: string;
	/** Opens a workflow that is there already. */
	open(id: string): Promise<void>;
}

interface Task {
	name: string;
	do(desk: Desk): Promise<void>;
}

const SITE = 'https://example.com/';
const NODE = 'Web Data';
const SCHEMA = '{"type":"object","properties":{"title":{"type":"string"}}}';
const SCRAPE = 'Scrape page and get its content';
const CRAWL = 'Crawl website and get all pages';

const agent = {
	name: 'AI Agent',
	type: '@n8n/n8n-nodes-langchain.agent',
	typeVersion: 2,
	parameters: { promptType: 'define', text: 'What is on example.com?' },
	to: [],
};

/** What people come for, each from a new workflow to the result. The credential is there. */
export const tasks: readonly Task[] = [
	{
		name: 'Scrape a page to Markdown',
		do: async ({ hand }) => {
			await hand.addFirst('scrape', NODE, SCRAPE);
			await hand.fill('url', SITE);
			await hand.run(/markdown/);
		},
	},
	{
		name: 'Crawl a website',
		do: async ({ hand }) => {
			await hand.addFirst('crawl', NODE, CRAWL);
			await hand.fill('url', SITE);
			await hand.run(/markdown/);
		},
	},
	{
		name: 'Search with page content',
		do: async ({ hand }) => {
			await hand.addFirst('search', NODE, 'Search web and get results');
			await hand.fill('query', 'cargo bikes');
			await hand.switch('withContent');
			await hand.run(/markdown/);
		},
	},
	{
		name: 'JSON by schema',
		do: async ({ hand }) => {
			await hand.addFirst('scrape', NODE, SCRAPE);
			await hand.fill('url', SITE);
			await hand.choose('formats', 'JSON');
			await hand.choose('jsonFrom', 'JSON Schema');
			await hand.paste('jsonSchema', SCHEMA);
			await hand.run(/json/);
		},
	},
	{
		name: 'Let an agent find data',
		do: async ({ hand }) => {
			await hand.addFirst('agent', NODE, 'Let agent find data on web');
			await hand.fill('prompt', 'Who founded Acme?');
			await hand.run(/data|answer/);
		},
	},
	{
		name: 'Run browser code',
		do: async ({ hand }) => {
			await hand.addFirst('browser', NODE, 'Run code in new browser');
			await hand.fill('code', "console.log('hello')");
			await hand.run(/result/);
		},
	},
	{
		name: 'PDF to Markdown',
		do: async ({ hand, pdfUrl }) => {
			await hand.addFirst('pdf', NODE, SCRAPE);
			await hand.fill('url', pdfUrl);
			await hand.run(/markdown/);
		},
	},
	{
		name: 'Start when a website changes',
		do: async ({ hand }) => {
			await hand.addFirst('website changed', NODE, 'On website changed');
			await hand.fill('urls', SITE);
			await hand.listen();
		},
	},
	{
		name: 'Poll for new pages',
		do: async ({ hand }) => {
			await hand.addFirst('new pages', 'Web Data Poll', 'On new pages on a site');
			await hand.fill('url', SITE);
			await hand.run(/url/);
		},
	},
	{
		name: 'Tool of an AI agent',
		do: async ({ hand, client, open }) => {
			const { id } = await client.createWorkflow(workflow('Agent', [agent]));
			await open(id);
			await hand.click(
				hand.page
					.locator('[data-test-id="canvas-node-input-handle"]', { hasText: 'Tool' })
					.locator('[data-test-id="canvas-handle-plus"]'),
			);
			await hand.page.locator('[data-test-id="node-creator-search-bar"]').waitFor();
			await hand.type('web data');
			const names = hand.page.locator('[data-test-id="node-creator-item-name"]');
			await hand.click(names.getByText('Web Data Tool', { exact: true }));
			await hand.page.locator('[data-test-id="ndv"]').waitFor();
			await hand.click(hand.page.locator('[data-test-id="from-ai-override-button"]').first());
		},
	},
	{
		name: 'Wait in the background',
		do: async ({ hand }) => {
			await hand.addFirst('crawl', NODE, CRAWL);
			await hand.fill('url', SITE);
			await hand.choose('waitForCompletion', 'Wait in the Background');
			await hand.run(/markdown/);
		},
	},
];
