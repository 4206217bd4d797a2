import type { INodeParameters } from 'n8n-workflow';

import { AGENT_NODE, recoveredFromCrash, TOOL_NODE } from '../../tools/n8n-engine/index.ts';
import type { ToolCall, ToolCallOptions } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { serve, service } from './pageService';
import { callTool, KEY, KEY_AFTERWARDS, startSandbox, withoutLists } from './run';

// n8n calls tools in two ways: inside the agent (`invoke`, AI Agent 1 and 2), and as nodes (`request`, 3).
const PATHS = ['invoke', 'request'] as const;

const URL = "={{ $fromAI('url', 'where to start', 'string') }}";
const CRAWL: INodeParameters = { resource: 'crawl', operation: 'start', url: URL };
const SCRAPE: INodeParameters = { resource: 'page', operation: 'scrape', url: URL };
const FRESH = { scrapeOptions: { maxAge: 0 } };

const one = { url: 'https://site.example/one' };
const two = { url: 'https://site.example/two' };

/** A service whose every scrape has another text, and is kept by its id. */
async function serveScrapes(): Promise<void> {
	const pages = new Map<string, unknown>();
	await serve({
		instead: ({ method, path, body }) => {
			if (!path.includes('/scrape')) return undefined;
			if (method === 'GET') return { body: { success: true, data: pages.get(path) } };
			const scrapeId = `scrape-${pages.size}`;
			const data = {
				markdown: `Text ${pages.size} of ${String(body.url)}`,
				metadata: { url: body.url, scrapeId, creditsUsed: 1 },
			};
			pages.set(`/v2/scrape/${scrapeId}`, data);
			return { body: { success: true, data } };
		},
	});
}

type CallOptions = Partial<ToolCallOptions>;

async function call(
	args: Array<Record<string, string>>,
	parameters: INodeParameters,
	options: CallOptions = {},
): Promise<ToolCall> {
	return await callTool(service, {
		parameters,
		args,
		...options,
	});
}

describe.each(PATHS)('an agent whose model fails after its calls, and that is retried (%s)', (path) => {
	it.each([
		['crawls', CRAWL, serve],
		['scrapes', SCRAPE, serveScrapes],
	])('pays for none of its %s again, in any retry', async (_what, parameters, begin) => {
		await begin();
		const first = await call([one, two], parameters, { path, modelFails: true });
		expect(first.text).toContain('The model failed.');
		const second = await call([one, two], parameters, {
			path,
			modelFails: true,
			retryOf: first.execution,
		});
		expect(second.text).toContain('The model failed.');
		const third = await call([two, one], parameters, { path, retryOf: second.execution });
		expect(third.texts).toHaveLength(2);
		expect(third.texts.join()).toContain('of https://site.example/two');
		expect(third.texts.join()).toContain('of https://site.example/one');
		expect(service.count('POST')).toBe(2);
	});

	it('starts what it asks for only now', async () => {
		await serve();
		const first = await call([one], CRAWL, { path, modelFails: true });
		await call([two, one], CRAWL, { path, retryOf: first.execution });
		// Version 3 goes on with the answers that it had: it does not call again.
		expect(service.count('POST')).toBe(path === 'invoke' ? 2 : 1);
	});
});

describe.each(PATHS)('a request in other words (%s)', (path) => {
	it('is another request, and is paid for', async () => {
		await serve();
		const url = 'https://site.example/one/';
		const tool = await call([one, { url }, one], CRAWL, { path });
		expect(tool.texts[1]).toContain(url);
		expect(tool.texts[2]).toBe(tool.texts[0]);
		expect(service.count('POST')).toBe(2);
	});
});

describe.each(PATHS)('a call that asks for a fresh page, with Max Age 0 (%s)', (path) => {
	const fresh = { ...SCRAPE, ...FRESH };

	it('gets a new one each time', async () => {
		await serveScrapes();
		const tool = await call([one, one, one], fresh, { path });
		expect(tool.texts.map((text) => /Text \d/.exec(text)?.[0])).toEqual(['Text 0', 'Text 1', 'Text 2']);
		expect(service.count('POST')).toBe(3);
	});

	it('crawls again each time, too', async () => {
		await serve();
		await call([one, one], { ...CRAWL, ...FRESH }, { path });
		expect(service.count('POST')).toBe(2);
	});

	it('still takes up a job that was not finished', async () => {
		const beganMs = performance.now();
		await serve({
			instead: ({ method }) =>
				method === 'GET' && performance.now() < beganMs + 6000 ? { body: { status: 'scraping' } } : undefined,
		});
		const parameters = { ...CRAWL, ...FRESH, options: { waitOptions: { maxWait: 5 } } };
		const tool = await call([one, one], parameters, { path });
		expect(tool.texts[0]).toContain('call this tool again with the same input');
		expect(tool.texts[1]).toContain('Text of https://site.example/one');
		expect(service.count('POST')).toBe(1);
	});
});

describe('fresh pages when n8n retries the execution', () => {
	const fresh = { ...SCRAPE, ...FRESH };

	it('the newest one that was paid for is taken once, a further call gets a new one', async () => {
		await serveScrapes();
		const first = await call([one, one], fresh, { modelFails: true });
		expect(service.count('POST')).toBe(2);
		const retried = await call([one, one], fresh, { retryOf: first.execution });
		expect(retried.texts[0]).toContain('Text 1');
		expect(retried.texts[1]).toContain('Text 2');
		expect(service.count('POST')).toBe(3);
	});

	it('two calls of the same moment share one, and a later call gets a new one', async () => {
		await serveScrapes();
		const tool = await call([one, one, one], fresh, { atOnce: 2 });
		expect(tool.texts[1]).toBe(tool.texts[0]);
		expect(tool.texts[2]).not.toBe(tool.texts[0]);
		expect(service.count('POST')).toBe(2);
	});
});

describe('when n8n is killed while an agent waits for its tool', () => {
	let sandbox: Sandbox;
	const QUESTION = "={{ $fromAI('q', 'the question', 'string') }}";
	const RESEARCH = { resource: 'deepResearch', operation: 'start', query: QUESTION };
	const q = { q: 'question 0' };
	const starts = () => sandbox.stats().starts.total;

	async function serveLists(): Promise<void> {
		const keys = [KEY, KEY_AFTERWARDS];
		sandbox = await startSandbox({
			lightWork: true,
			jobDurationMs: 200,
			keys,
		});
	}

	beforeEach(async () => await serve());

	async function research(apiKey: string, options: CallOptions): Promise<ToolCall> {
		const credential = { baseUrl: sandbox.baseUrl, apiKey };
		return await call([q], RESEARCH, { credential, ...options });
	}

	/** Runs, and gives what n8n had stored before the agent began, with what its recovery puts down. */
	async function killed(
		path: (typeof PATHS)[number],
		nodes: string[],
		options: CallOptions = {},
	): Promise<{ executionId: string; stored: string }> {
		let stored = '';
		const onProgress = (nodeName: string, data: string) => {
			if (nodeName === 'Trigger') stored = data;
		};
		const { execution } = await research(KEY, { path, onProgress, ...options });
		const recovered = nodes.reduce(recoveredFromCrash, stored);
		return { executionId: execution.executionId, stored: recovered };
	}

	const ORDERS = [
		[AGENT_NODE, TOOL_NODE],
		[TOOL_NODE, AGENT_NODE],
	];
	const cases = PATHS.flatMap((path) => ORDERS.map((order) => [path, order] as const));

	it.each(cases)('its Retry looks for the job and takes it up (%s, %j)', async (path, order) => {
		await serveLists();
		const retryOf = await killed(path, [...order]);
		expect(starts()).toBe(1);
		const retried = await research(KEY_AFTERWARDS, { path, retryOf });
		expect(retried.text).toContain('question 0');
		expect(starts()).toBe(1);
	});

	it.each(PATHS)('without lists nothing is started, and the agent is told why (%s)', async (path) => {
		await serveLists();
		withoutLists(sandbox);
		const retryOf = await killed(path, [AGENT_NODE, TOOL_NODE]);
		const retried = await research(KEY_AFTERWARDS, { path, retryOf });
		expect(retried.text).toMatch(/n8n was ended.*may have been started.*another retry/);
		expect(starts()).toBe(1);
	});

	it('the Retry of a Retry that n8n was killed in looks, too', async () => {
		await serveLists();
		const failed = await call([{ q: 'question 9' }], RESEARCH, {
			credential: { baseUrl: sandbox.baseUrl, apiKey: KEY },
			modelFails: true,
		});
		// n8n stores a retry with what it begins with, and its recovery finds nothing to put down.
		const retry = await research(KEY, { retryOf: failed.execution });
		expect(starts()).toBe(2);
		const killedRetry = {
			executionId: retry.execution.executionId,
			stored: failed.execution.stored,
		};
		const again = await research(KEY_AFTERWARDS, { retryOf: killedRetry });
		expect(again.text).toContain('question 0');
		expect(starts()).toBe(2);
	});

	it('what the list does not have is started: it never was', async () => {
		await serveLists();
		const { executionId, stored } = await killed('invoke', [AGENT_NODE, TOOL_NODE]);
		await serveLists();
		const retried = await research(KEY_AFTERWARDS, { retryOf: { executionId, stored } });
		expect(retried.text).toContain('question 0');
		expect(starts()).toBe(1);
	});
});
