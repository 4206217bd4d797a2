import type { Sandbox } from '../../sandbox/server.ts';
import { after, errorText, hintsOf, NODE, runNode, startSandbox } from './run';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

const SCRAPE = { resource: 'page', operation: 'scrape' };

describe('Page · Scrape', () => {
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
				`"URL" must be a web address such as https://example.com/page, but it is "${bad}". Nothing was sent. Of 2 items, item 1 is refused: to let the others go, set On Error in the node's settings to continue.`,
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
			/"JSON Schema" needs JSON such as \{/,
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
