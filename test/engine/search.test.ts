import type { Sandbox } from '../../sandbox/server.ts';
import recorded from '../fixtures/contract/mapAnswers.json';
import { hintsOf, hintsIn, errorText, jsonOf, NODE, runNode, sourceItems, startSandbox } from './run';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});

const SEARCH = { resource: 'search', operation: 'search', query: 'cargo bikes' };

describe('Search · Search Web', () => {
	it('gives the content of the pages when asked, as Markdown unless told otherwise', async () => {
		const execution = await runNode(sandbox, { ...SEARCH, maxResults: 2, withContent: true });
		expect(execution.error).toBeUndefined();
		for (const { markdown } of jsonOf(execution.items(NODE))) expect(markdown).toMatch(/\S/);
		const links = await runNode(sandbox, {
			...SEARCH,
			maxResults: 1,
			withContent: true,
			formats: ['links'],
			scrapeOptions: { onlyMainContent: false },
		});
		expect(links.error).toBeUndefined();
		expect(links.items(NODE)[0]?.json).toMatchObject({ links: expect.any(Array) });
		expect(links.items(NODE)[0]?.json).not.toHaveProperty('markdown');
	});

	it('refuses two ways to say of when, and sends nothing', async () => {
		const sent = sandbox.requests().length;
		const options = { tbs: 'qdr:w', publishedBetween: { from: '2026-01-31' } };
		const execution = await runNode(sandbox, { ...SEARCH, options });
		expect(errorText(execution)).toContain('"Published Between" cannot be set together with "Time Filter"');
		expect(sandbox.requests()).toHaveLength(sent);
	});

	it('gives one list for each query when asked, paired with it', async () => {
		const items = [{ q: 'cargo bikes' }, { q: 'winter' }];
		const execution = await runNode(
			sandbox,
			{ ...SEARCH, query: '={{ $json.q }}', output: 'list', sources: ['web', 'news'] },
			{ items },
		);
		expect(execution.error).toBeUndefined();
		const output = execution.items(NODE);
		expect(sourceItems(output)).toEqual([0, 1]);
		const [list] = jsonOf(output);
		expect(list).toMatchObject({ query: 'cargo bikes', creditsUsed: expect.any(Number) });
		expect(list?.count).toBe((list?.results as unknown[]).length);
	});

	const HIT = { url: 'https://example.com/', title: 'A', description: 'B' };
	it.each([
		['grouped', { web: [HIT], news: [{ ...HIT, position: 7 }] }, ['web', 'news'], [1, 7]],
		['a flat list', [HIT, HIT], ['web', 'web'], [1, 2]],
		['empty', {}, [], []],
		['with a kind of its own', { video: [HIT] }, ['video'], [1]],
		['with data tools of a newer server', { web: [HIT], tools: [{ provider: 'a', capability: 'b' }] }, ['web'], [1]],
		['with a failed page', { web: [{ ...HIT, error: 'gone' }] }, ['web'], [1]],
	])('reads results that are %s', async (_what, data, sources, positions) => {
		const body = { success: true, data };
		sandbox.faults.add({ step: 'search', kind: 'body', httpStatus: 200, body });
		const execution = await runNode(sandbox, SEARCH);
		expect(execution.error).toBeUndefined();
		const results = jsonOf(execution.items(NODE));
		expect(results.map(({ source }) => source)).toEqual(sources);
		expect(results.map(({ position }) => position)).toEqual(positions);
		expect(results.every((result) => !('error' in result))).toBe(true);
	});

	it('tells why the content of a result could not be read, and what news say', async () => {
		// What the server makes of a failed page of a search: 500, whatever the reason was.
		const metadata = { statusCode: 500, error: 'All scraping engines failed to retrieve content from this URL.' };
		const data = {
			web: [{ ...HIT, url: 'https://a.example/', metadata: { ...metadata, proxyUsed: 'basic' } }],
			news: [{ url: 'https://b.example/', title: 'B', snippet: 'What it is about', description: '' }],
		};
		sandbox.faults.add({ step: 'search', kind: 'body', httpStatus: 200, body: { success: true, data } });
		const execution = await runNode(sandbox, { ...SEARCH, withContent: true });
		const [failed, news] = jsonOf(execution.items(NODE));
		expect(failed).toMatchObject({ url: 'https://a.example/', pageError: metadata.error, statusCode: null });
		expect(news).toMatchObject({ description: 'What it is about' });
		const hints = hintsOf(execution).join(' ');
		expect(hints).toContain('1 page could not be read: https://a.example/: All scraping engines failed to retrieve');
		expect(hints).not.toContain('HTTP error');
	});

	it('refuses a query that is too long before anything is sent', async () => {
		const execution = await runNode(sandbox, { ...SEARCH, query: 'x'.repeat(501) });
		expect(errorText(execution)).toBe('"Query" may have at most 500 characters, but it has 501. Nothing was sent.');
		expect(sandbox.requests()).toEqual([]);
	});
});

describe('Search · Search Developer Index', () => {
	it('takes the kind from the ID where the service leaves it out', async () => {
		const body = { success: true, results: [{ id: 'doc:docs/a', url: 'https://a.example' }] };
		sandbox.faults.add({ step: 'developerSearch', kind: 'body', httpStatus: 200, body });
		const parameters = { resource: 'search', operation: 'searchDeveloper', query: 'a' };
		const execution = await runNode(sandbox, { ...parameters, output: 'list' });
		expect(execution.items(NODE)[0]?.json).toMatchObject({
			query: 'a',
			count: 1,
			results: [{ position: 1, type: 'doc' }],
		});
	});
});

describe('Search · Search Government Index', () => {
	const GOVERNMENT = { resource: 'search', operation: 'searchGovernment', query: 'cargo bike batteries' };

	it('gives each document with its address, best first', async () => {
		const execution = await runNode(sandbox, { ...GOVERNMENT, maxResults: 2 });
		expect(errorText(execution)).toBe('');
		const [best, ...more] = jsonOf(execution.items(NODE));
		expect(best).toMatchObject({ title: expect.stringContaining('49 CFR Part 900') as string, position: 1 });
		expect(more.length).toBeLessThanOrEqual(1);
	});

	it.each([
		[404, 'This operation is not available on this server (POST /v2/search/gov gives 404'],
		[502, 'The service failed: HTTP 502'],
		[504, 'The service failed: HTTP 504'],
	])('says what a %s without a body means', async (httpStatus, text) => {
		sandbox.faults.add({ step: 'governmentSearch', kind: 'body', httpStatus, body: '' });
		expect(errorText(await runNode(sandbox, GOVERNMENT))).toContain(text);
	});

	it('is no category beside another one', async () => {
		const search = { resource: 'search', operation: 'search', query: 'a' };
		const execution = await runNode(sandbox, { ...search, options: { categories: ['gov', 'pdf'] } });
		expect(errorText(execution)).toContain('"Categories" takes gov alone, without any other');
		expect(sandbox.requests()).toEqual([]);
	});
});

describe('papers', () => {
	const PAPER = { resource: 'search', operation: 'getPaper', paperId: 'doi:10.5555/sandbox.1' };

	it('answer a question with passages', async () => {
		const execution = await runNode(sandbox, {
			...PAPER,
			options: { question: 'When do vans win?', maxPassages: 2 },
		});
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)[0]?.json).toEqual({
			paperId: 'arxiv:2601.00001',
			query: 'When do vans win?',
			passages: [
				{ text: expect.any(String), score: expect.any(Number) },
				{ text: expect.any(String), score: expect.any(Number) },
			],
		});
	});
});

const MAP = { resource: 'map', operation: 'map' };

describe('Map', () => {
	it('gives one list for each item when asked', async () => {
		const items = [{ url: sandbox.siteUrl }, { url: `${sandbox.siteUrl}/` }];
		const execution = await runNode(
			sandbox,
			{
				...MAP,
				url: '={{ $json.url }}',
				output: 'list',
				maxLinks: 3,
				options: { search: 'winter', sitemap: 'include', includeSubdomains: false },
			},
			{ items },
		);
		expect(execution.error).toBeUndefined();
		const lists = jsonOf(execution.items(NODE));
		expect(lists).toHaveLength(2);
		expect(lists[0]).toMatchObject({ site: sandbox.siteUrl, count: 3 });
		expect(lists[0]?.links).toHaveLength(3);
	});

	it('keeps links apart that look alike, and says which it joined as spellings of one page', async () => {
		const alike = [12, 13, 14].map((id) => ({ url: `https://news.example/article.pl?sid=${id}` }));
		const spellings = ['https://news.example/a', 'http://www.news.example/a/', 'https://news.example/a?utm_source=x'];
		const links = [...alike, ...spellings.map((url) => ({ url }))];
		sandbox.faults.add({ step: 'map', kind: 'body', httpStatus: 200, body: { success: true, links } });
		const execution = await runNode(sandbox, { ...MAP, url: 'news.example' });
		expect(jsonOf(execution.items(NODE))).toEqual([
			...alike,
			{ url: spellings[0], alsoListedAs: [spellings[1], spellings[2]] },
		]);
		expect(hintsIn(execution)).toContain(
			`2 addresses were listed that are probably another spelling of a listed page; alsoListedAs in the items has them: ${spellings[1]} (as ${spellings[0]}); ${spellings[2]} (as ${spellings[0]}).`,
		);
	});

	it.each(recorded)('reads links of both generations: %#', async (body) => {
		sandbox.faults.add({ step: 'map', kind: 'body', httpStatus: 200, body });
		const execution = await runNode(sandbox, { ...MAP, url: 'example.com' });
		expect(jsonOf(execution.items(NODE))).toEqual([
			{ url: 'http://site.fixture.test:8897' },
			{ url: 'http://site.fixture.test:8897/about' },
		]);
	});
});
