/** The workflows of docs/how-to, run in n8n's own engine as they are. */
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import {
	callAsTool,
	dataNodes,
	flowNodes,
	loadBuiltPackage,
	readWorkflowFile,
	resumeWaiting,
	runWorkflow,
} from '../../tools/n8n-engine/index.ts';
import type { BuiltPackage, Execution, WorkflowFile } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { after, startSandbox } from './run';

const ROOT = join(__dirname, '../..');
const WEB_DATA = 'n8n-nodes-web-data.webData';
const PIXEL =
	'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let loaded: BuiltPackage;
let sandbox: Sandbox;
const apiKey = 'fc-sandbox';

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1 });
	loaded = await loadBuiltPackage(ROOT);
});

const read = (name: string): Promise<WorkflowFile> => readWorkflowFile(join(ROOT, 'docs/how-to', `${name}.json`));

/** The node of this type in the workflow. */
function nodeOf(workflow: WorkflowFile, type: string): INode {
	const node = workflow.nodes.find((one) => one.type === type);
	if (!node) throw new Error(`"${workflow.name}" has no node of type ${type}.`);
	return node;
}

const run = async (workflow: WorkflowFile, credential = { baseUrl: sandbox.baseUrl, apiKey }): Promise<Execution> =>
	await runWorkflow({
		package: loaded,
		workflow,
		credential,
		otherNodeTypes: { ...flowNodes, ...dataNodes },
	});

const urlsOf = (execution: Execution, node: string): unknown[] => execution.items(node).map(({ json }) => json.url);

describe('ready-made data', () => {
	it('goes on for each company that the tool knows, and apart for the others', async () => {
		const execution = await run(await read('data-tools'));
		const names = execution.items('Use the Profile').map(({ json }) => (json.data as { name: string }).name);
		expect(names).toEqual(['Kestrel Couriers', 'Tern Logistics']);
		expect(String(execution.items('Not Found')[0]?.json.error)).toContain('Nothing was charged');
	});
});

describe('an AI agent with web tools', () => {
	const calls: Record<string, { args: Record<string, string>; answer: RegExp }> = {
		'Search the Web': { args: { query: 'cargo bikes in winter' }, answer: /"url":"https?:/ },
		'Read a Page': { args: { url: 'https://example.com/costs' }, answer: /"markdown":".*euros/s },
		'List a Site': {
			args: { site: 'https://example.com', words: '' },
			answer: /"count":1\d/,
		},
	};

	test.each(Object.keys(calls))('%s: what the agent fills in reaches the service', async (name) => {
		const { nodes } = await read('ai-agent');
		const tools = nodes.filter(({ type }) => type === `${WEB_DATA}Tool`);
		expect(tools.map((tool) => tool.name)).toEqual(Object.keys(calls));
		const tool = tools.find((one) => one.name === name);
		for (const path of ['invoke', 'request'] as const) {
			const { text } = await callAsTool({
				package: loaded,
				nodeName: 'webData',
				parameters: tool?.parameters ?? {},
				args: calls[name]?.args ?? {},
				credential: { baseUrl: sandbox.baseUrl, apiKey },
				path,
			});
			expect(text).toMatch(calls[name]?.answer ?? /never/);
		}
	});
});

describe('crawl an entire domain', () => {
	test('reads what is beside and above the start, and keeps pages that failed apart', async () => {
		const execution = await run(await read('crawl-a-domain'));
		expect(execution.error).toBeUndefined();
		expect(execution.items('Use the Pages')).toHaveLength(14);
		expect(urlsOf(execution, 'Use the Pages')).toContain('https://example.com/winter');
	});

	test('without the option only what is below the start', async () => {
		const workflow = await read('crawl-a-domain');
		const { parameters } = nodeOf(workflow, WEB_DATA);
		parameters.options = {};
		const pages = urlsOf(await run(workflow), 'Use the Pages');
		expect(pages).toEqual(['https://example.com/costs']);
	});
});

test('structured data by example: a row for each page', async () => {
	const execution = await run(await read('structured-data'));
	expect(execution.error).toBeUndefined();
	const rows = execution.items('Rows').map(({ json }) => json);
	expect(rows.map(({ page }) => page)).toEqual([
		'https://example.com/costs',
		'https://example.com/safety',
		'https://example.com/winter',
	]);
	for (const { title, sentences, sources } of rows) {
		expect([typeof title, typeof sentences, typeof sources]).toEqual(['string', 'number', 'string']);
	}
});

test('files and screenshots: both as files, and no picture in the JSON', async () => {
	const data = { markdown: 'Text', screenshot: PIXEL, metadata: { url: 'https://example.com' } };
	const body = { success: true, data };
	sandbox.faults.add({ step: 'scrape', kind: 'body', httpStatus: 200, body });
	const execution = await run(await read('files-and-screenshots'));
	const [item] = execution.items('Store the Files');
	expect(item?.binary).toMatchObject({
		markdown: { fileName: 'example.com.md' },
		screenshot: { fileName: 'example.com.png', mimeType: 'image/png' },
	});
	expect(item?.json).not.toHaveProperty('screenshot');
});

test('large sites: the list first, then batches of what is wanted, as files', async () => {
	const execution = await run(await read('large-sites'));
	expect(execution.error).toBeUndefined();
	const files = execution.items('Store the Files');
	expect(files.length).toBe(execution.items('A Page We Want?').length);
	expect(files.length).toBeGreaterThan(10);
	for (const { json, binary } of files) {
		expect(json).not.toHaveProperty('markdown');
		expect(binary?.markdown?.fileName).toMatch(/\.md$/);
	}
	expect(sandbox.stats().starts.total).toBe(1);
});

test('if n8n crashes: waits in stored executions until the crawl has ended, and starts it once', async () => {
	const slow = await startSandbox({ lightWork: true, jobDurationMs: 400 });
	const options = {
		package: loaded,
		workflow: await read('when-n8n-dies'),
		credential: { baseUrl: slow.baseUrl, apiKey },
		otherNodeTypes: { ...flowNodes, ...dataNodes },
	};
	let execution = await runWorkflow(options);
	let rounds = 0;
	while (execution.run.status === 'waiting' && ++rounds < 100) {
		// n8n would come back after two minutes.
		await after(50);
		execution = await resumeWaiting(execution, options);
	}
	expect(execution.run.status).toBe('success');
	expect(rounds).toBeGreaterThan(1);
	expect(execution.items('Use the Pages').length).toBeGreaterThan(1);
	expect(slow.stats().starts.total).toBe(1);
});

describe('your own server', () => {
	test('scrapes its page once, however many crawls are running', async () => {
		const own = await startSandbox({ seed: 1 });
		const crawls = [1, 2].map((number) => ({ id: `crawl-${number}`, url: 'https://example.com' }));
		const body = { success: true, crawls };
		own.faults.add({ step: 'active', kind: 'body', httpStatus: 200, body });
		const execution = await run(await read('self-hosted-server'), {
			baseUrl: own.baseUrl,
			apiKey,
		});
		expect(execution.items('Is the Server There?')).toHaveLength(2);
		expect(execution.items('Use the Page')).toHaveLength(1);
	});

	test('without a key: it answers, and gives a page', async () => {
		const own = await startSandbox({ seed: 1, keys: [], database: false });
		const credential = { baseUrl: own.baseUrl, apiKey: '' };
		const execution = await run(await read('self-hosted-server'), credential);
		expect(execution.error).toBeUndefined();
		expect(execution.items('Use the Page')[0]?.json.markdown).toMatch(/cargo bikes/i);
	});
});

describe('what it costs', () => {
	test('crawls while there is enough', async () => {
		const execution = await run(await read('costs'));
		expect(execution.error).toBeUndefined();
		expect(execution.items('Use the Pages')).toHaveLength(14);
		expect(execution.items('Tell Somebody')).toEqual([]);
	});

	test('tells somebody and starts nothing when there is not', async () => {
		const data = { remainingCredits: 499, planCredits: 500 };
		const body = { success: true, data };
		sandbox.faults.add({ step: 'account', kind: 'body', httpStatus: 200, body });
		const execution = await run(await read('costs'));
		expect(execution.items('Tell Somebody')).toHaveLength(1);
		expect(sandbox.stats().starts.total).toBe(0);
	});

	test('starts nothing that may cost more than the cap', async () => {
		const workflow = await read('costs');
		const crawl = workflow.nodes.find(({ name }) => name === 'Crawl with a Cap');
		if (crawl) crawl.parameters.pageLimit = 201;
		const execution = await run(workflow);
		expect(execution.error?.message).toMatch(/may cost up to 201 credits/);
		expect(sandbox.stats().starts.total).toBe(0);
	});
});
