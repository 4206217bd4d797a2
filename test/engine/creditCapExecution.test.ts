import type { INodeParameters } from 'n8n-workflow';

import { flowNodes, runWorkflow } from '../../engine/index.ts';
import type { Execution, NodeOverride, ToolCall, ToolCallOptions } from '../../engine/index.ts';
import { scraped, serve, service } from './pageService';
import { builtPackage, callTool, crawlStart, errorText, inLoop, KEY, NODE, workflowWith } from './run';

/** Runs a node in so many rounds of a loop. */
async function runRounds(parameters: INodeParameters, rounds: number, node: NodeOverride = {}): Promise<Execution> {
	return await runWorkflow({
		package: await builtPackage(),
		workflow: inLoop(workflowWith(parameters), rounds),
		credential: { baseUrl: service.baseUrl, apiKey: KEY },
		otherNodeTypes: flowNodes,
		nodeOverrides: { [NODE]: node },
		pinData: { Items: [{ json: {} }] },
	});
}

const inRounds = (maxCredits: number) =>
	crawlStart({
		url: '=https://site.example/{{ $runIndex }}',
		pageLimit: 100,
		options: { maxCredits },
	});

const URL = "={{ $fromAI('url', 'the page', 'string') }}";
const CRAWL = { resource: 'crawl', operation: 'start', url: URL, pageLimit: 100 };
const fiveUrls = Array.from({ length: 5 }, (_unused, index) => ({
	url: `https://a.example/${index}`,
}));

async function call(parameters: INodeParameters, options: Partial<ToolCallOptions> = {}): Promise<ToolCall> {
	return await callTool(service, {
		parameters,
		args: fiveUrls,
		...options,
	});
}

describe('Max Credits (This Run), all tool calls of an agent in one turn', () => {
	it('counts crawls that are started in the same moment together', async () => {
		await serve({ job: () => ({ state: 'failed' }) });
		const options = { maxCredits: 100 };
		const { texts } = await call({ ...CRAWL, options }, { atOnce: true });
		expect(service.count('POST')).toBe(1);
		const refused = texts.filter((text) => text.includes('100 credits are counted already'));
		expect(refused).toHaveLength(4);
	});

	it('starts as many as the cap has room for', async () => {
		await serve({ job: () => ({ state: 'failed' }) });
		await call({ ...CRAWL, options: { maxCredits: 300 } }, { atOnce: true });
		expect(service.count('POST')).toBe(3);
	});

	it('counts scrapes that are sent in the same moment together', async () => {
		await serve({
			instead: ({ path, body }) =>
				path === '/v2/scrape'
					? { delayMs: 100, body: { success: true, data: { metadata: { url: body.url } } } }
					: undefined,
		});
		const scrape = { resource: 'page', operation: 'scrape', url: URL };
		await call({ ...scrape, scrapeOptions: { maxCredits: 2 } }, { atOnce: true });
		expect(service.count('POST')).toBe(2);
	});

	it('gives back what a call had reserved and did not send', async () => {
		let refused = true;
		await serve({
			instead: ({ method }) => {
				if (method !== 'POST' || !refused) return undefined;
				refused = false;
				return { status: 403, body: { error: 'Forbidden' } };
			},
		});
		const { texts } = await call({ ...CRAWL, options: { maxCredits: 100 } });
		expect(texts[0]).toContain('Forbidden');
		expect(texts[1]).not.toContain('counted already');
		expect(service.count('POST')).toBeGreaterThan(1);
	});
});

describe('Max Credits (This Run), a loop', () => {
	it('holds for all rounds together, where the service tells no cost', async () => {
		await serve({
			instead: ({ method, path }) =>
				method === 'GET' && path.startsWith('/v2/crawl/job')
					? { body: { status: 'completed', completed: 1, total: 1, data: [scraped(path)] } }
					: undefined,
		});
		const execution = await runRounds(inRounds(250), 5);
		expect(errorText(execution)).toMatch(
			/may cost up to 100 credits more\. 200 credits are counted already .*allows 250 for the whole execution/,
		);
		expect(service.count('POST')).toBe(2);
	});

	it('counts a round that is over with its real cost', async () => {
		await serve();
		const execution = await runRounds(inRounds(103), 5);
		expect(errorText(execution)).toContain('4 credits are counted already');
		expect(service.count('POST')).toBe(2);
	});

	it('counts a job that a later try has taken up with its real cost', async () => {
		let refusals = 1;
		await serve({
			instead: ({ method }) =>
				method === 'GET' && refusals-- > 0 ? { status: 403, body: { error: 'No' } } : undefined,
		});
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const execution = await runRounds(inRounds(103), 2, node);
		expect(errorText(execution)).toBe('');
		expect(service.count('POST')).toBe(2);
		expect(execution.context(NODE)).toMatchObject({ webDataCredits: { all: 4 } });
	});
});
