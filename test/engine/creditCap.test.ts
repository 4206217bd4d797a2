import type { INodeParameters } from 'n8n-workflow';
import type { Execution, NodeOverride, ToolCall, ToolCallOptions } from '../../tools/n8n-engine/index.ts';
import { flowNodes, runWorkflow } from '../../tools/n8n-engine/index.ts';
import { inNewSession } from './browserRun';
import { scraped, serve, service } from './pageService';
import {
	batchStart,
	builtPackage,
	after,
	callTool,
	crawlStart,
	errorText,
	hintsIn,
	inLoop,
	KEY,
	KEY_AFTERWARDS,
	killedInNode,
	NODE,
	RETRY,
	retryNode,
	runNode,
	startSandbox,
	workflowWith,
} from './run';

beforeEach(async () => {
	await serve({
		instead: ({ path, body }) =>
			path === '/v2/scrape' ? { body: { success: true, data: { metadata: { url: body.url } } } } : undefined,
	});
});

const SCRAPE = { resource: 'page', operation: 'scrape', url: '={{ $json.url }}' };

const items = (count: number) =>
	Array.from({ length: count }, (_unused, index) => ({ url: `https://a.example/${index}` }));

const run = { items: items(3) };
const capped = (maxCredits: number) => crawlStart({ url: '={{ $json.url }}', pageLimit: 100, options: { maxCredits } });

/** A service whose jobs fail where this says so, without a word of their cost. */
async function serveFailing(fails: (body: Record<string, unknown>) => boolean): Promise<void> {
	await serve({
		job: (body) => ({ state: fails(body) ? 'failed' : 'completed' }),
	});
}

describe('Max Credits (This Run)', () => {
	it.each([
		['crawls', crawlStart({ pageLimit: 100, options: { maxCredits: 299 } }), 3, '300 credits'],
		['a batch that items share', batchStart({ options: { maxCredits: 2 } }), 3, '3 credits'],
		['scrapes', { ...SCRAPE, scrapeOptions: { maxCredits: 2 } }, 3, '3 credits'],
	])('sends nothing of %s that may cost more', async (_what, parameters, count, sum) => {
		const execution = await runNode(service, parameters, { items: items(count) });
		expect(errorText(execution)).toContain(`This run may cost up to ${sum}`);
		expect(errorText(execution)).toContain('No request was sent.');
		expect(service.requests).toEqual([]);
	});

	it.each([
		['crawls', crawlStart({ options: { maxCredits: 299 } })],
		['scrapes', { ...SCRAPE, scrapeOptions: { maxCredits: 2 } }],
	])('says so of each item with "continue on error": %s', async (_what, parameters) => {
		const execution = await runNode(service, parameters, {
			items: items(3),
			node: { onError: 'continueErrorOutput' },
		});
		expect(execution.error).toBeUndefined();
		const failed = execution.items(NODE, 1);
		const short =
			'Not sent: this run may cost more than Max Credits (This Run) allows, as the first of these items says.';
		expect(failed.map(({ json }) => json.error)).toEqual([
			expect.stringContaining('This run may cost up to'),
			short,
			short,
		]);
		expect(service.requests).toEqual([]);
	});

	it.each([
		['a scrape', { ...SCRAPE, scrapeOptions: { maxCredits: 100 } }],
		['a batch', batchStart({ options: { maxCredits: 100 } })],
		['a crawl', crawlStart({ url: '={{ $json.url }}', pageLimit: 2, options: { maxCredits: 100 } })],
	])('refuses the item whose price nobody knows before, and sends the others: %s', async (_what, parameters) => {
		const routed = 'https://no.linkedin.com/company/kestrel';
		const node = { onError: 'continueRegularOutput' } as const;
		const execution = await runNode(service, parameters, { items: [{ url: routed }, ...items(1)], node });
		const [refused, ...others] = execution.items(NODE).map(({ json }) => json);
		expect(refused?.error).toContain(`${routed} comes from a paid data provider, whose price is not known before`);
		expect(others.length).toBeGreaterThan(0);
		expect(service.requests.map(({ text }) => text).join(' ')).not.toContain('linkedin');
	});

	it('is not made wider by a limit below zero, which the service takes', async () => {
		const execution = await runNode(
			service,
			crawlStart({
				pageLimit: 10,
				options: { maxCredits: 100, additionalFields: '={{ $json.fields }}' },
			}),
			{ items: [{ fields: '{ "limit": -1000 }' }, { fields: '{ "limit": 900 }' }] },
		);
		expect(errorText(execution)).toContain('This run may cost up to 901 credits');
		expect(service.requests).toEqual([]);
	});

	it('is asked for when its expression gives nothing: it is not lifted', async () => {
		const parameters = crawlStart({ options: { maxCredits: '={{ $json.budget }}' } });
		const execution = await runNode(service, parameters, { items: [{}] });
		expect(errorText(execution)).toContain('"Max Credits (This Run)" is required');
		expect(service.requests).toEqual([]);
	});

	it('takes up what an earlier try has paid for, whatever the cap is by now', async () => {
		await serve();
		let isBroken = true;
		service.instead = ({ method }) =>
			isBroken && method === 'GET' ? { status: 403, body: { error: 'Forbidden' } } : undefined;
		const failed = await runNode(service, capped(300), run);
		expect(failed.error).toBeDefined();
		isBroken = false;
		const retried = await retryNode(service, failed, capped(100), run);
		expect(retried.error).toBeUndefined();
		expect(service.count('POST')).toBe(3);
	});

	it('counts in a Retry what was started before, with a cap that was lowered meanwhile', async () => {
		await serveFailing(({ url }) => url === 'https://a.example/2');
		const failed = await runNode(service, capped(300), run);
		expect(errorText(failed)).toContain('failed');
		const retried = await retryNode(service, failed, capped(100), run);
		expect(errorText(retried)).toMatch(
			/may cost up to 100 credits more\. 300 credits are counted already for what this execution has started \(job-2, job-0, job-1\), and Max Credits \(This Run\) allows 100 for the whole execution with all its retries\. Nothing more was sent/,
		);
		expect(service.count('POST')).toBe(3);
	});

	it('counts jobs that are gone: none is started again beyond it', async () => {
		await serve();
		let isGone = false;
		service.instead = ({ method }) => {
			if (method !== 'GET') return undefined;
			if (isGone) return { status: 404, body: { success: false, error: 'Job not found' } };
			return { status: 403, body: { error: 'Forbidden' } };
		};
		const failed = await runNode(service, capped(300), run);
		expect(failed.error).toBeDefined();
		isGone = true;
		const retried = await retryNode(service, failed, capped(300), run);
		expect(errorText(retried)).toContain('300 credits are counted already');
		expect(service.count('POST')).toBe(3);
	}, 120_000);

	it('holds for all tries of Retry On Fail together', async () => {
		await serveFailing(() => true);
		const parameters = crawlStart({ pageLimit: 100, options: { maxCredits: 100 } });
		const node = { retryOnFail: true, maxTries: 5, waitBetweenTries: 0 };
		const execution = await runNode(service, parameters, { node });
		expect(errorText(execution)).toContain('100 credits are counted already');
		expect(errorText(execution)).toContain('job-0');
		expect(service.count('POST')).toBe(1);
	});

	it('holds for all calls of an AI agent together, and for its retries', async () => {
		const call = async (options: Partial<ToolCallOptions>) =>
			await callTool(service, {
				parameters: {
					...SCRAPE,
					url: "={{ $fromAI('url', 'the page', 'string') }}",
					scrapeOptions: { maxCredits: 2 },
				},
				args: items(2),
				...options,
			});
		const first = await call({ modelFails: true });
		expect(service.count('POST')).toBe(2);
		const retried = await call({
			retryOf: first.execution,
			args: [{ url: 'https://a.example/9' }],
		});
		expect(retried.text).toContain('2 credits are counted already');
		expect(service.count('POST')).toBe(2);
	});
});

/** Runs a node in so many rounds of a loop. */
async function runRounds(
	parameters: INodeParameters,
	rounds: number,
	node: NodeOverride = {},
	{ baseUrl }: { baseUrl: string } = service,
): Promise<Execution> {
	return await runWorkflow({
		package: await builtPackage(),
		workflow: inLoop(workflowWith(parameters), rounds),
		credential: { baseUrl, apiKey: KEY },
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
		const { texts } = await call({ ...CRAWL, options }, { atOnce: 10 });
		expect(service.count('POST')).toBe(1);
		const refused = texts.filter((text) => text.includes('100 credits are counted already'));
		expect(refused).toHaveLength(4);
	});

	it('starts as many as the cap has room for', async () => {
		await serve({ job: () => ({ state: 'failed' }) });
		await call({ ...CRAWL, options: { maxCredits: 300 } }, { atOnce: 10 });
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
		await call({ ...scrape, scrapeOptions: { maxCredits: 2 } }, { atOnce: 10 });
		expect(service.count('POST')).toBe(2);
	});

	it('counts what waits for its turn and is not sent yet', async () => {
		let refusals = 1;
		await serve({
			job: () => ({ state: 'failed' }),
			instead: ({ method }) =>
				method === 'POST' && refusals-- > 0
					? { status: 429, headers: { 'retry-after': '30' }, body: { error: 'Rate limit exceeded' } }
					: undefined,
		});
		const another = call({ ...CRAWL, options: {} }, { args: [{ url: 'https://b.example' }] });
		await after(5000);
		await call({ ...CRAWL, options: { maxCredits: 100 } }, { atOnce: 5 });
		await another;
		// The refused one, the same again, and one of the five.
		expect(service.count('POST')).toBe(3);
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

	it('counts browser sessions, too: what they have cost, and what one more may cost', async () => {
		const sandbox = await startSandbox({ keys: [KEY] });
		const parameters = inNewSession(['1'], { options: { maxCredits: 13 } });
		const execution = await runRounds(parameters, 5, {}, sandbox);
		expect(errorText(execution)).toContain('4 credits are counted already');
		expect(sandbox.stats().calls.browserCreate).toBe(2);
	});

	it('counts a job that a later try has taken up with its real cost', async () => {
		let refusals = 1;
		await serve({
			instead: ({ method }) =>
				method === 'GET' && refusals-- > 0 ? { status: 403, body: { error: 'No' } } : undefined,
		});
		const execution = await runRounds(inRounds(103), 2, RETRY);
		expect(errorText(execution)).toBe('');
		expect(service.count('POST')).toBe(2);
		expect(execution.context(NODE)).toMatchObject({ webDataCredits: { all: 4 } });
	});
});

it('counts a job with its cost once it has ended, also where another item fails the run before anything is read', async () => {
	const sandbox = await startSandbox({ lightWork: true, jobDurationMs: 300 });
	const parameters = (maxCredits: number) => ({
		resource: 'deepResearch',
		operation: 'start',
		query: '={{ $json.q }}',
		options: { maxUrls: 20, maxCredits },
	});
	sandbox.faults.add({ step: 'start', kind: 'failJob', query: 'fails', times: 1 });
	const failed = await runNode(sandbox, parameters(45), { items: [{ q: 'works' }, { q: 'fails' }] });
	expect(errorText(failed)).toContain('failed');
	const retried = await retryNode(sandbox, failed, parameters(45));
	expect(errorText(retried)).toBe('');
});

it('counts a job that n8n was killed over and that its Retry has found', async () => {
	const sandbox = await startSandbox({ lightWork: true, keys: [KEY, KEY_AFTERWARDS] });
	const afterwards = { credential: { baseUrl: sandbox.baseUrl, apiKey: KEY_AFTERWARDS } };
	const parameters = (maxCredits: number) =>
		crawlStart({ url: '={{ $json.url }}', pageLimit: 3, options: { maxCredits } });
	const items = [{ url: 'https://example.com/costs' }, { url: 'https://example.com/safety' }];
	sandbox.faults.add({ step: 'crawlStart', kind: 'status', httpStatus: 402, query: 'safety' });
	const killed = await killedInNode(sandbox, parameters(6), { items });
	await after(60_000);
	const first = await retryNode(sandbox, killed, parameters(6), afterwards);
	expect(errorText(first)).toContain('does not have enough credits');
	sandbox.faults.clear();
	const second = await retryNode(sandbox, first, parameters(5), afterwards);
	expect(errorText(second)).toMatch(/may cost up to 3 credits more\. 3 credits are counted already/);
	expect(sandbox.stats().starts.total).toBe(1);
});

it('says what the cap does not count of what it lets through', async () => {
	await serve();
	const execution = await runNode(service, crawlStart({ pageLimit: 1, options: { maxCredits: 100 } }));
	expect(errorText(execution)).toBe('');
	expect(hintsIn(execution)).toContain('Max Credits (This Run) does not count the further pages of PDF files');
});

it.each([
	[
		'pages',
		{ resource: 'page', operation: 'scrape', url: '={{ $json.url }}', scrapeOptions: { maxCredits: 2 } },
		'scrape',
	],
	[
		'searches',
		{ resource: 'search', operation: 'search', query: '={{ $json.url }}', options: { maxCredits: 4 } },
		'search',
	],
] as const)('what an earlier try has paid for is counted once: %s', async (_what, parameters, step) => {
	const sandbox = await startSandbox({ seed: 1 });
	sandbox.faults.add({ step, kind: 'status', httpStatus: 402, times: 1, skip: 1 });
	const items = [{ url: 'https://example.com/costs' }, { url: 'https://example.com/safety' }];
	const execution = await runNode(sandbox, parameters, { items, node: { ...RETRY, maxTries: 3 } });
	expect(errorText(execution)).toBe('');
	expect(execution.items(NODE).length).toBeGreaterThan(1);
});
