import type { Sandbox } from '../../sandbox/server.ts';
import { after, errorText, hintsOf, jsonOf, NODE, runNode, startSandbox } from './run';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

const SCRAPE = { resource: 'page', operation: 'scrape' };

describe('Page · Scrape', () => {
	it('gives clean Markdown when only a URL is set, and sends nothing else', async () => {
		const execution = await runNode(sandbox, { ...SCRAPE, url: sandbox.siteUrl });
		expect(execution.error).toBeUndefined();
		const [item] = jsonOf(execution.items(NODE));
		expect(item).toEqual({
			url: expect.stringContaining(sandbox.siteUrl),
			title: expect.any(String),
			description: expect.any(String),
			language: 'en',
			markdown: expect.stringMatching(/\S/),
			statusCode: 200,
			scrapeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
			creditsUsed: 1,
		});
		expect(hintsOf(execution)).toEqual(['1 page (= 1 credit).']);
	});

	it('takes options of all kinds, as the strict service expects them', async () => {
		const execution = await runNode(sandbox, {
			...SCRAPE,
			url: sandbox.siteUrl,
			formats: ['markdown', 'links'],
			scrapeOptions: {
				excludeTags: 'nav, .advert',
				headers: '{ "X-Test": "1" }',
				location: { country: 'de', languages: 'de, en' },
				maxAge: 0,
				mobile: true,
				onlyMainContent: false,
				parsers: { parser: [{ type: 'pdf', pdfOptions: { maxPages: 3 } }] },
				rareOptions: { redactPII: {} },
				timeout: 30_000,
			},
		});
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)).toHaveLength(1);
	});

	it('sends additional fields last, and says once what they replace', async () => {
		const execution = await runNode(
			sandbox,
			{
				...SCRAPE,
				url: sandbox.siteUrl,
				scrapeOptions: { mobile: true, additionalFields: '{ "mobile": false, "timeout": 9000 }' },
			},
			{ items: [{}, {}] },
		);
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)).toHaveLength(2);
		const told = hintsOf(execution);
		expect(told.filter((one) => one.includes('Additional Fields'))).toEqual([
			'Additional Fields (JSON) replaces what the panel sets: mobile.',
		]);
	});

	it('finishes on a tight plan, and says how long it waited', async () => {
		const tight = await startSandbox({ plan: 'free', speed: 60 });
		const items = Array.from({ length: 25 }, (_, index) => ({
			url: `${tight.siteUrl}/?page=${index}`,
		}));
		const execution = await runNode(tight, { ...SCRAPE, url: '={{ $json.url }}' }, { items });
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)).toHaveLength(25);
		expect(execution.hints(NODE)[0]?.message).toMatch(/Rate limits made it wait \d+ s/);
	}, 60_000);
});

describe('trouble', () => {
	it('is known before anything is sent: a bad URL names field and item', async () => {
		for (const bad of ['foo', 'ftp://a.example.com/x', 'https://', 'javascript:alert(1)']) {
			const execution = await runNode(
				sandbox,
				{ ...SCRAPE, url: '={{ $json.url }}' },
				{ items: [{ url: sandbox.siteUrl }, { url: bad }] },
			);
			expect(errorText(execution)).toBe(
				`"URL" must be a web address such as https://example.com/page, but it is "${bad}". Nothing was sent.`,
			);
			expect(execution.error).toMatchObject({ context: { itemIndex: 1 } });
		}
		expect(sandbox.requests()).toEqual([]);
	});

	it.each([
		[
			{
				formats: ['json'],
				jsonFrom: 'schema',
				jsonSchema: '{oops',
			},
			/"JSON Schema" must be valid JSON/,
		],
		[{ formats: ['markdown', 'question'], question: '={{ "" }}' }, /"Question" is required/],
		[{ formats: ['json'], jsonFrom: 'prompt', jsonPrompt: '={{ "" }}' }, /"JSON Prompt" is required/],
		[{ formats: '={{ [] }}' }, /"Formats" needs at least one of/],
		[{ formats: ['attributes'], attributes: {} }, /"Attributes" needs at least one entry/],
	])('is known before anything is sent: %j', async (parameters, message) => {
		const execution = await runNode(sandbox, { ...SCRAPE, url: sandbox.siteUrl, ...parameters });
		expect(errorText(execution)).toMatch(message);
		expect(sandbox.requests()).toEqual([]);
	});

	it('shows the message of the service', async () => {
		const execution = await runNode(sandbox, { ...SCRAPE, url: 'http://nope.invalid/' });
		expect(errorText(execution)).toMatch(
			/^No result for http:\/\/nope\.invalid\/\. The service failed: .*engines failed.*\(SCRAPE_ALL_ENGINES_FAILED\)/,
		);
	});

	it('in Lockdown says that the cache has no copy, and not that the service does not know it', async () => {
		const execution = await runNode(sandbox, {
			...SCRAPE,
			url: `${sandbox.siteUrl}/?never=scraped`,
			scrapeOptions: { rareOptions: { lockdown: true } },
		});
		expect(errorText(execution)).toMatch(
			/^No result for [^ ]+ The service has no copy of it in its cache, and Lockdown lets it use nothing else: turn Lockdown off/,
		);
		expect(errorText(execution)).not.toContain('does not know');
	});

	it('of a lost answer is not paid for twice, that of a limit is sat out', async () => {
		sandbox.faults.add({ step: 'scrape', kind: 'status', httpStatus: 500, times: 1 });
		const failed = await runNode(sandbox, { ...SCRAPE, url: sandbox.siteUrl });
		expect(errorText(failed)).toMatch(/The service failed/);
		expect(sandbox.requests().filter(({ method }) => method === 'POST')).toHaveLength(1);
		sandbox.faults.clear();
		sandbox.faults.add({ step: 'scrape', kind: 'rateLimit', retryAfter: 1, times: 1 });
		const waited = await runNode(sandbox, { ...SCRAPE, url: sandbox.siteUrl });
		expect(waited.error).toBeUndefined();
	});

	it('of time is joined where the service says that it works on', async () => {
		sandbox.faults.add({
			step: 'scrape',
			kind: 'body',
			httpStatus: 408,
			times: 1,
			body: {
				success: false,
				code: 'SCRAPE_TIMEOUT',
				error: 'Scrape timed out',
				details: { state: 'processing_continues', retryAfterSeconds: 5 },
			},
		});
		const execution = await runNode(sandbox, { ...SCRAPE, url: sandbox.siteUrl });
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)[0]?.json.markdown).toMatch(/\S/);
	});

	it('ends at once when the execution is stopped, and nothing is sent after that', async () => {
		sandbox.faults.add({ step: 'scrape', kind: 'slow', ms: 300 });
		const stop = new AbortController();
		const items = Array.from({ length: 200 }, () => ({ url: sandbox.siteUrl }));
		setTimeout(() => stop.abort(), 700);
		const began = Date.now();
		const execution = await runNode(sandbox, { ...SCRAPE, url: '={{ $json.url }}' }, { items, signal: stop.signal });
		expect(Date.now() - began).toBeLessThan(2500);
		expect(execution.items(NODE)).toEqual([]);
		// What was on its way when the execution was stopped may still arrive at the sandbox.
		const oneSecond = () => after(1000);
		await oneSecond();
		const arrived = sandbox.stats().requests;
		await oneSecond();
		expect(sandbox.stats().requests).toEqual(arrived);
	});
});

describe('Page · Get', () => {
	it('collects a scrape by its ID, without a second scrape', async () => {
		const scraped = await runNode(sandbox, { ...SCRAPE, url: sandbox.siteUrl });
		const { scrapeId, markdown } = scraped.items(NODE)[0]?.json ?? {};
		const execution = await runNode(sandbox, {
			resource: 'page',
			operation: 'get',
			scrapeId: String(scrapeId),
		});
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)[0]?.json).toMatchObject({ scrapeId, markdown });
	});

	it('refuses what is no ID before anything is sent', async () => {
		const execution = await runNode(sandbox, {
			resource: 'page',
			operation: 'get',
			scrapeId: '../team/credit-usage',
		});
		expect(errorText(execution)).toMatch(/"Scrape ID" must be an ID/);
		expect(sandbox.requests()).toEqual([]);
	});
});
