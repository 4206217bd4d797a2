import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.ts';
import { ask } from '../sandbox/client';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import { callTool, errorText, jsonOf, NODE, runNode, startSandbox } from './run';
import type { RunSettings } from './run';

let sandbox: Sandbox;

async function serve(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 300, ...options });
}

const run = async (resource: string, operation: string, more: INodeParameters = {}, settings: RunSettings = {}) =>
	await runNode(sandbox, { resource, operation, ...more }, settings);

const post = async (path: string, body: object) =>
	(await ask(sandbox, 'POST', path, { body })).body as Record<string, unknown>;

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the activity of an account', () => {
	const startMany = async (count: number) => {
		for (let number = 0; number < count; number++) {
			await post('/v1/llmstxt', { url: `https://site.example/${number}` });
		}
	};

	it('comes out whole, part by part, newest first, with dates that n8n reads', async () => {
		await serve();
		await startMany(230);
		const execution = await run('account', 'getActivity', { returnAll: true });
		const items = jsonOf(execution.items(NODE));
		expect(items.map(({ target }) => target)).toEqual(
			Array.from({ length: 230 }, (_, index) => `https://site.example/${229 - index}`),
		);
		for (const { createdAt, apiVersion, endpoint } of items) {
			expect(createdAt).toMatch(ISO);
			expect(Math.abs(Date.parse(String(createdAt)) - Date.now())).toBeLessThan(60_000);
			expect({ apiVersion, endpoint }).toEqual({ apiVersion: 'v1', endpoint: 'llmstxt' });
		}
		expect(sandbox.stats().calls.activity).toBe(3);
	});

	it('stops at its limit, and lists one kind alone where asked to', async () => {
		await serve();
		await startMany(120);
		await post('/v2/agent', { prompt: 'Find the CEO' });
		const agents = await run('account', 'getActivity', { endpoint: 'agent', returnAll: true });
		expect(jsonOf(agents.items(NODE))).toMatchObject([{ endpoint: 'agent', target: 'Find the CEO' }]);
		const some = await run('account', 'getActivity', { returnAll: false, limit: 3 });
		expect(some.items(NODE)).toHaveLength(3);
		expect(sandbox.stats().calls.activity).toBe(2);
	});

	it('is said to be empty where it is, to an AI agent too', async () => {
		await serve();
		const execution = await run('account', 'getActivity');
		expect(execution.items(NODE)).toEqual([]);
		expect(execution.hints(NODE)[0]?.message).toBe('Nothing was found: no jobs.');
		const tool = await callTool(sandbox, {
			parameters: { resource: 'account', operation: 'getActivity' },
			args: {},
			path: 'invoke',
		});
		expect(tool.text).toContain('There are no jobs.');
	});
});

describe('threat protection', () => {
	it('is replaced as a whole: what is left out is reset', async () => {
		await serve();
		const rules = { blacklist: '*.bad.example\nworse.example', riskScoreThreshold: 50 };
		const [set] = jsonOf((await run('account', 'updateThreatProtection', { mode: 'normal', rules })).items(NODE));
		expect(set).toMatchObject({
			mode: 'normal',
			riskScoreThreshold: 50,
			blacklist: ['*.bad.example', 'worse.example'],
			configured: true,
		});
		expect(set?.updatedAt).toMatch(ISO);
		const [got] = jsonOf((await run('account', 'getThreatProtection')).items(NODE));
		expect(got).toEqual(set);
		const [reset] = jsonOf((await run('account', 'updateThreatProtection', { mode: 'off' })).items(NODE));
		expect(reset).toMatchObject({ mode: 'off', riskScoreThreshold: 75, blacklist: [] });
	});
});

describe('feedback', () => {
	const UNKNOWN = '00000000-0000-4000-8000-000000000000';

	it('on a scrape is taken by the ID that came out', async () => {
		await serve();
		const [page] = jsonOf((await run('page', 'scrape', { url: 'https://example.com' })).items(NODE));
		const jobId = String(page?.scrapeId);
		const execution = await run('feedback', 'rateJob', {
			endpoint: 'scrape',
			jobId,
			rating: 'bad',
			note: 'Half of the page is missing',
			options: { issues: 'missing_markdown, cut-off', tags: 'mine', metadata: '{"a":1}' },
		});
		expect(jsonOf(execution.items(NODE))).toMatchObject([
			{ jobId, feedbackId: expect.any(String), creditsRefunded: 0 },
		]);
	});

	it('on a search is taken by the ID that came out', async () => {
		await serve({ lightWork: false, speed: 100 });
		const [hit] = jsonOf((await run('search', 'search', { query: 'cargo bikes' })).items(NODE));
		const jobId = String(hit?.searchId);
		const execution = await run('feedback', 'rateSearch', {
			jobId,
			rating: 'good',
			valuableSources: { source: [{ url: String(hit?.url), reason: 'exact' }] },
		});
		expect(execution.error).toBeUndefined();
		expect(jsonOf(execution.items(NODE))).toMatchObject([{ jobId, dailyRefundCap: 100 }]);
	});

	it('on data tools is taken without an ID, with the website that is missing', async () => {
		await serve();
		const execution = await run('feedback', 'rateDataTools', {
			rating: 'partial',
			rationale: 'No owners',
			requestedUrl: 'example.com',
			requestedFunctionality: 'Opening hours',
		});
		expect(errorText(execution)).toBe('');
		const [receipt] = jsonOf(execution.items(NODE));
		expect(receipt).toMatchObject({ feedbackId: expect.any(String), creditsRefunded: 0 });
		expect(receipt).not.toHaveProperty('jobId');
	});

	it.each<[string, string, INodeParameters, RegExp, SandboxOptions?]>([
		['feedback-20', 'rateSearch', { jobId: UNKNOWN }, /'good' requires at least one valuableSources/],
		[
			'feedback-21',
			'rateSearch',
			{ jobId: UNKNOWN, rating: 'bad', querySuggestions: 'x' },
			/search job not found for this team \(SEARCH_NOT_FOUND\)/i,
		],
		[
			'plain',
			'rateJob',
			{ jobId: UNKNOWN, note: 'x' },
			/unavailable on this deployment \(DB_DISABLED\)/,
			{ database: false, keys: [] },
		],
	])('%s is refused in the service’s words', async (_name, operation, more, words, options = {}) => {
		await serve(options);
		expect(errorText(await run('feedback', operation, more))).toMatch(words);
	});

	it.each([
		[{ jobId: UNKNOWN, options: { issues: 'Bad Code' } }, /"Issues" must be .*"Bad Code"/],
		[{ jobId: UNKNOWN, options: { tags: 'ok, not ok' } }, /"Tags" must be .*"not ok"/],
		[{ jobId: 'a/b', note: 'x' }, /"ID" must be an ID/],
	])('that the service would refuse is refused before it is sent: %j', async (more, words) => {
		await serve();
		const execution = await run('feedback', 'rateJob', more);
		expect(errorText(execution)).toMatch(words);
		expect(errorText(execution)).toContain('Nothing was sent');
		expect(sandbox.stats().requests).toBe(0);
	});
});

describe('support', () => {
	it.each(['ask', 'searchDocs'])('%s gives the question with its answer, each item its own', async (operation) => {
		await serve();
		const execution = await run(
			'support',
			operation,
			{ question: '={{ $json.q }}' },
			{
				items: [{ q: 'Why one page?' }, { q: 'How to exclude paths?' }],
			},
		);
		expect(jsonOf(execution.items(NODE))).toMatchObject([
			{ question: 'Why one page?', answer: expect.any(String) },
			{ question: 'How to exclude paths?', answer: expect.any(String) },
		]);
	});
});
