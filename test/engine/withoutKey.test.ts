import type { INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/WebData/resources';
import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import { leastSettings } from '../helpers/fullSettings';
import { asHosted } from '../helpers/hosted';
import { LOADER, runLoader } from './loaderRun';
import { callTool, errorText, hintsIn, jsonOf, NODE, retryNode, runNode, startSandbox } from './run';
import { binaryOf, itemWith, runParse } from './uploads';
import { QUESTION, RESEARCH, runResearch } from './webResearchRun';

let sandbox: Sandbox;

/** The hosted service at its own address, which answers some requests without a key. */
async function hosted(keyless: NonNullable<SandboxOptions['keyless']> = {}): Promise<void> {
	sandbox = await startSandbox({ keyless });
	await asHosted(sandbox);
}

const WITHOUT = { credential: 'none' } as const;
const SCRAPE = { resource: 'page', operation: 'scrape', url: 'https://example.com/' };
const SEARCH = { resource: 'search', operation: 'search', query: 'cargo bike battery' };
const PAPERS = { resource: 'search', operation: 'searchPapers', query: 'cargo bikes' };

const askedFor = () => sandbox.requests().map(({ method, path }) => `${method} ${path}`);

describe('a node without a credential', () => {
	it.each<[string, INodeParameters, string]>([
		['Scrape', SCRAPE, 'POST /v2/scrape'],
		['Search Web', SEARCH, 'POST /v2/search'],
		[
			'Search Developer Index',
			{ ...SEARCH, operation: 'searchDeveloper', intent: 'bikes' },
			'POST /v2/search/developer',
		],
		['Search Government Index', { ...SEARCH, operation: 'searchGovernment' }, 'POST /v2/search/gov'],
		['Search Papers', PAPERS, 'GET /v2/search/research/papers'],
	])('runs %s, and says within which limits', async (_name, parameters, request) => {
		await hosted();
		const execution = await runNode(sandbox, parameters, WITHOUT);
		expect(errorText(execution)).toBe('');
		expect(execution.items(NODE).length).toBeGreaterThan(0);
		expect(askedFor()).toEqual([request]);
		expect(hintsIn(execution).match(/without a key, within the free limits of your IP address/g)).toHaveLength(1);
	});

	it('runs Parse', async () => {
		await hosted();
		const execution = await runParse(sandbox, [itemWith({ data: binaryOf('birds.csv') })], {}, WITHOUT);
		expect(jsonOf(execution.items(NODE))).toEqual([
			expect.objectContaining({ markdown: expect.stringContaining('redshank') as string }),
		]);
		expect(askedFor()).toEqual(['POST /v2/parse']);
	});

	it('runs as the tool of an AI agent', async () => {
		await hosted();
		const args = { url: 'https://example.com/' };
		const { text } = await callTool(sandbox, {
			...WITHOUT,
			parameters: { ...SCRAPE, url: "={{ $fromAI('url') }}" },
			args,
		});
		expect(text).toContain('cargo');
	});

	it('runs Web Research', async () => {
		await hosted();
		const execution = await runResearch(sandbox, { apiKey: null });
		expect(errorText(execution)).toBe('');
		expect(execution.items(RESEARCH)[0]?.json).toMatchObject({ query: QUESTION, status: 'completed' });
	});

	it.each([
		['page', { source: 'page', url: 'https://example.com/' }],
		['search', { source: 'search', query: 'cargo bike battery', maxResults: 2 }],
	])('runs the loader with the source %s', async (_name, parameters) => {
		await hosted();
		const { inserted } = await runLoader(sandbox, parameters, { hasNoCredential: true });
		expect(inserted.length).toBeGreaterThan(0);
	});

	it('says of a crawl of the loader what it needs', async () => {
		await hosted();
		const crawl = { source: 'crawl', url: 'https://example.com/' };
		const { execution } = await runLoader(sandbox, crawl, { hasNoCredential: true });
		expect(JSON.stringify(execution.run.data.resultData.runData[LOADER])).toContain('Crawl needs a Firecrawl key');
		expect(askedFor()).toEqual([]);
	});

	const FREE = ['page.scrape', 'parse.parseFile', 'browser.interact', 'browser.stopInteraction'];
	const refused = resources.flatMap(({ value, name, operations }) =>
		operations
			.filter((one) => value !== 'search' && !FREE.includes(`${value}.${one.value}`))
			.map((one) => {
				const parameters = { resource: value, operation: one.value, ...leastSettings(one.fields) };
				return [`${name} · ${one.name}`, parameters as INodeParameters] as const;
			}),
	);
	it.each(refused)('says of %s before any request that it needs a key', async (name, parameters) => {
		await hosted();
		const text = errorText(await runNode(sandbox, parameters, WITHOUT));
		expect(text).toMatch(/^[\w .,·]+ needs a Firecrawl key: .*https:\/\/www\.firecrawl\.dev\/app\/api-keys/);
		expect(name).toContain(text.split(' needs')[0]);
		expect(askedFor()).toEqual([]);
	});

	it.each([
		['scrape', 'Zero Data Retention', { ...SCRAPE, scrapeOptions: { rareOptions: { zeroDataRetention: true } } }],
		['search', 'Zero Retention Search', { ...SEARCH, options: { rareOptions: { enterprise: ['zdr'] } } }],
		['anonymous search', 'Zero Retention Search', { ...SEARCH, options: { rareOptions: { enterprise: ['anon'] } } }],
	])('sends no %s that shall not be kept, which needs a key', async (_name, what, parameters) => {
		await hosted();
		const text = errorText(await runNode(sandbox, parameters, WITHOUT));
		expect(text).toContain(`${what} needs a Firecrawl key`);
		expect(askedFor()).toEqual([]);
	});

	it('is stopped while it waits for an answer', async () => {
		await hosted();
		const stop = new AbortController();
		sandbox.faults.add({ step: 'scrape', kind: 'slow', ms: 50_000 });
		const running = runNode(sandbox, SCRAPE, { ...WITHOUT, signal: stop.signal });
		while (sandbox.stats().calls.scrape === undefined) await new Promise(setImmediate);
		stop.abort();
		expect((await running).run.status).toBe('canceled');
	});
});

it('treats a credential without a key the same, where it names the hosted service', async () => {
	await hosted();
	const credential = { baseUrl: 'https://api.firecrawl.dev/v2', apiKey: '' };
	const scraped = await runNode(sandbox, SCRAPE, { credential });
	expect(scraped.items(NODE)).toHaveLength(1);
	const mapped = await runNode(sandbox, { resource: 'map', operation: 'map', url: SCRAPE.url }, { credential });
	expect(errorText(mapped)).toContain('Map needs a Firecrawl key');
	expect(askedFor()).toEqual(['POST /v2/scrape']);
});

describe('what an address may use without a key', () => {
	const THREE = [{ n: 0 }, { n: 1 }, { n: 2 }];

	it.each([
		['requests', 'are used up: free again in 60 minutes, or at once'],
		['credits', 'do not cover this request: a smaller one may pass, and all are free again in 60 minutes, or at once'],
	] as const)('is used up by %s: each item says when it is free again', async (reason, text) => {
		await hosted({ [reason]: 1 });
		const node = { onError: 'continueRegularOutput' } as const;
		await runNode(sandbox, SCRAPE, WITHOUT);
		const execution = await runNode(sandbox, SCRAPE, { ...WITHOUT, items: THREE, node });
		const errors = jsonOf(execution.items(NODE)).map(({ error }) => error);
		expect(errors).toHaveLength(3);
		for (const error of errors) {
			expect(error).toContain(`The ${reason} that Firecrawl gives your IP address without a key ${text}`);
			expect(error).toContain('with a key from https://firecrawl.dev/k/sandbox in the credential');
		}
		expect(hintsIn(execution)).not.toContain('within the free limits');
	});

	it('does not cover one request, and the others go on', async () => {
		await hosted();
		const body = { success: false, error: 'Too dear', reason: 'credits', retry_after_seconds: 1e300 };
		sandbox.faults.add({ step: 'scrape', kind: 'body', httpStatus: 429, body, times: 1 });
		const node = { onError: 'continueRegularOutput' } as const;
		const execution = await runNode(sandbox, SCRAPE, { ...WITHOUT, items: THREE, node });
		const pages = jsonOf(execution.items(NODE));
		expect(pages.filter(({ error }) => error === undefined)).toHaveLength(2);
		expect(pages.find(({ error }) => error !== undefined)?.error).toContain('all are free again later, or at once');
	});

	it('is asked for once by a run that is refused', async () => {
		await hosted({ requests: 0 });
		const items = Array.from({ length: 200 }, (_, n) => ({ n }));
		await runNode(sandbox, SCRAPE, { ...WITHOUT, items, node: { onError: 'continueRegularOutput' } });
		// As many as are on their way when the first answer comes.
		expect(askedFor().length).toBeLessThanOrEqual(50);
	});

	it('is not what the ordinary "slow down" says, which is waited for', async () => {
		await hosted();
		sandbox.faults.add({ step: 'scrape', kind: 'status', httpStatus: 429, times: 2 });
		const execution = await runNode(sandbox, SCRAPE, WITHOUT);
		expect(execution.items(NODE)).toHaveLength(1);
	});

	it('ends a research with what was read until then', async () => {
		await hosted({ requests: 4 });
		const execution = await runResearch(sandbox, { apiKey: null });
		expect(execution.items(RESEARCH)[0]?.json).toMatchObject({
			status: 'partial',
			limit: expect.stringContaining('used up: free again in 60 minutes') as string,
		});
	});
});

describe('an address that is not answered without a key', () => {
	it.each([
		[
			'has no IPv4 address',
			PAPERS,
			{ httpStatus: 401, body: { success: false, error: 'Unauthorized' } },
			/^Firecrawl does not answer your address without a key, which it does for IPv4 addresses only, while that is open\. It works with a key from https:\/\/www\.firecrawl\.dev\/app\/api-keys .* The service says: Unauthorized\.$/,
		],
		[
			'hides',
			SCRAPE,
			{
				httpStatus: 403,
				body: { success: false, error: 'Your IP looks suspicious.', signup_url: 'https://evil.example/k/1' },
			},
			/^Firecrawl does not answer networks that hide who asks \(VPN, proxy, TOR\) without a key\. It works with a key from https:\/\/www\.firecrawl\.dev\/app/,
		],
	] as const)('because it %s: says so, and asks once', async (_name, parameters, answer, text) => {
		await hosted();
		const step = parameters === PAPERS ? 'papers' : 'scrape';
		sandbox.faults.add({ step, kind: 'body', ...answer });
		const execution = await runNode(sandbox, parameters, WITHOUT);
		expect(errorText(execution)).toMatch(text);
		expect(errorText(execution)).not.toContain('Without a key, only');
		expect(askedFor()).toHaveLength(1);
	});
});

it('looks for no lost answer without a key: a retry sends it again, and says so', async () => {
	await hosted();
	sandbox.faults.add({ step: 'scrape', kind: 'truncated', times: 1 });
	const lost = await runNode(sandbox, SCRAPE, WITHOUT);
	expect(errorText(lost)).toMatch(/may have done this and charged for it. A retry sends it again/);
	const again = await retryNode(sandbox, lost, SCRAPE, WITHOUT);
	expect(again.items(NODE)).toHaveLength(1);
	expect(hintsIn(again)).toMatch(/sent again and may be paid for twice/);
	expect(askedFor()).toEqual(['POST /v2/scrape', 'POST /v2/scrape']);
});
