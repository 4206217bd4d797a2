import { startSandbox } from '../../sandbox/server.ts';
import { startGeneratedSite } from '../../sandbox/site/generated.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, listOf } from './client.ts';
import { startListener } from './listener.ts';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ seed: 1 });
});
afterEach(() => sandbox.stop());

const post = (path: string, body: unknown) => ask(sandbox, 'POST', path, { body });
const column = (body: unknown, path: string, name: string): unknown[] =>
	listOf(field(body, path)).map((item) => field(item, name));

describe('map', () => {
	it('lists a site by its sitemap, its links, or both', async () => {
		const site = await startGeneratedSite({ pages: 30, linksPerPage: 4 });
		const count = async (fields: object): Promise<number> =>
			listOf(field((await post('/v2/map', { url: site.url, ...fields })).body, 'links')).length;
		expect(await count({})).toBe(30);
		expect(await count({ sitemap: 'only' })).toBe(30);
		expect(await count({ sitemap: 'skip' })).toBe(5);
		expect(await count({ limit: 3 })).toBe(3);
		expect(sandbox.stats()).toMatchObject({ creditsUsed: 4, calls: { map: 4 } });
		await site.stop();
	});

	it('puts what is searched for first, and names pages that are known', async () => {
		await post('/v2/search', { query: 'winter' });
		const { body } = await post('/v2/map', { url: sandbox.siteUrl, search: 'winter' });
		expect(field(body, 'links.0')).toEqual({
			url: `${sandbox.siteUrl}/winter`,
			title: 'Range in winter and bad weather',
			description: expect.stringContaining('cold'),
		});
		expect(listOf(field(body, 'links'))).toHaveLength(14);
	});

	it('leaves addresses with a query out unless told not to, and others always', async () => {
		const links = ['/a', '/a?x=1', 'http://elsewhere.example/', '/a.png', 'mailto:a@b.example'];
		const listener = await startListener(() => ({
			body: links.map((to) => `<a href="${to}">x</a>`).join(''),
		}));
		const urls = async (fields: object) =>
			column((await post('/v2/map', { url: listener.url, ...fields })).body, 'links', 'url');
		expect(await urls({})).toEqual([listener.url, `${listener.url}/a`]);
		expect(await urls({ ignoreQueryParameters: false })).toContain(`${listener.url}/a?x=1`);
		await listener.stop();
	});

	it('runs out of time', async () => {
		const hanging = await startListener(() => undefined);
		const { status, body } = await post('/v2/map', { url: hanging.url, timeout: 100 });
		expect([status, field(body, 'code')]).toEqual([408, 'MAP_TIMEOUT']);
		await hanging.stop();
	});
});

describe('search', () => {
	it('finds pages of its own site, with their content where asked', async () => {
		const { body } = await post('/v2/search', {
			query: 'range of batteries in winter',
			limit: 2,
			scrapeOptions: { formats: ['markdown', 'links'] },
		});
		expect(field(body, 'data.web.0')).toMatchObject({
			url: 'https://example.com/winter',
			title: 'Range in winter and bad weather',
			markdown: expect.stringContaining('battery'),
			metadata: { statusCode: 200, creditsUsed: 1 },
		});
		expect(field(body, 'creditsUsed')).toBe(4);
		expect(sandbox.stats()).toMatchObject({ pagesScraped: 2, creditsUsed: 4 });
	});

	it('finds what was scraped before', async () => {
		const listener = await startListener(() => ({
			body: '<title>Zeppelins</title><main><p>A zeppelin is filled with helium these days.</p></main>',
		}));
		expect(field((await post('/v2/search', { query: 'zeppelin' })).body, 'data')).toEqual({});
		await post('/v2/scrape', { url: listener.url });
		const { body } = await post('/v2/search', { query: 'zeppelin' });
		expect(column(body, 'data.web', 'url')).toEqual([listener.url]);
		await listener.stop();
	});

	it('groups by source and takes at most so many of each', async () => {
		const sources = ['web', { type: 'news' }, 'images'];
		const { body } = await post('/v2/search', { query: 'bikes', limit: 3, sources });
		expect(Object.keys(Object(field(body, 'data')))).toEqual(['web', 'news', 'images']);
		for (const kind of ['web', 'news', 'images'])
			expect(listOf(field(body, `data.${kind}`))).toHaveLength(3);
		expect(column(body, 'data.news', 'position')).toEqual([1, 2, 3]);
	});

	it('reads operators and domains', async () => {
		const urls = async (fields: object) =>
			column((await post('/v2/search', { limit: 20, ...fields })).body, 'data.web', 'url');
		expect(await urls({ query: 'bikes inurl:hubs' })).toEqual(['https://example.com/hubs']);
		expect(await urls({ query: 'bikes site:elsewhere.example' })).toEqual([]);
		expect(await urls({ query: 'bikes', excludeDomains: ['example.com'] })).toEqual([]);
		const all = await urls({ query: 'bikes' });
		expect(await urls({ query: 'bikes -inurl:hubs' })).toEqual(
			all.filter((url) => url !== 'https://example.com/hubs'),
		);
	});

	it.each([
		[{ query: 'x', includeDomains: ['a.example'], excludeDomains: ['b.example'] }],
		[{ query: 'x', categories: ['developer', 'github'] }],
		[{ query: 'x', sources: ['radio'] }],
		[{ query: 'x', scrapeOptions: { formats: ['markdown', 'changeTracking'] } }],
		[{ query: 'x', limit: 0 }],
		[{ query: 'x', pages: 2 }],
	])('refuses %j', async (body) => {
		const { status, body: answer } = await post('/v2/search', body);
		expect([status, field(answer, 'error')]).toEqual([400, 'Invalid request body']);
	});
});

describe('developer search and papers', () => {
	const developer = '/v2/search/developer';
	const papers = '/v2/search/research/papers';

	it('takes a query or a body for the same answer', async () => {
		const byBody = await post(developer, { query: 'retry cursor', types: ['issue'], k: 1 });
		const byQuery = await ask(sandbox, 'GET', `${developer}?query=retry%20cursor&types=issue&k=1`);
		expect(byQuery.body).toEqual(byBody.body);
		expect(byBody.body).toMatchObject({
			success: true,
			results: [{ id: 'issue:sandbox/route-planner#12', type: 'issue' }],
			coverage: { issue: 'ok', doc: 'skipped' },
		});
		const repeated = await ask(sandbox, 'GET', `${developer}?query=retry&types=doc&types=readme`);
		expect(column(repeated.body, 'results', 'type')).toEqual(['doc']);
		expect((await ask(sandbox, 'GET', developer)).status).toBe(400);
		expect((await post(developer, { query: 'x', types: ['song'] })).status).toBe(400);
	});

	it('finds, reads and relates papers', async () => {
		const found = await ask(sandbox, 'GET', `${papers}?query=cargo%20bikes&authors=lindqvist&k=5`);
		expect(column(found.body, 'results', 'paperId').sort()).toEqual([
			'arxiv:2601.00001',
			'arxiv:2601.00003',
		]);
		const paper = await ask(
			sandbox,
			'GET',
			`${papers}/${encodeURIComponent('doi:10.5555/sandbox.1')}`,
		);
		expect(field(paper.body, 'paper.paperId')).toBe('arxiv:2601.00001');
		const passages = await ask(sandbox, 'GET', `${papers}/arxiv%3A2601.00003?query=kilometre&k=1`);
		expect(column(passages.body, 'passages', 'text')).toEqual([
			expect.stringContaining('Each kilometre'),
		]);
		const citers = await ask(
			sandbox,
			'GET',
			`${papers}/arxiv%3A2601.00003/similar?intent=noise&mode=citers`,
		);
		expect(citers.body).toMatchObject({
			poolSize: 1,
			truncated: false,
			results: [{ paperId: 'arxiv:2601.00005' }],
		});
		expect((await ask(sandbox, 'GET', `${papers}/none`)).status).toBe(404);
		expect((await ask(sandbox, 'GET', `${papers}/none/similar`)).status).toBe(400);
	});
});

it('finds no page of its own site twice, whatever name it was scraped by', async () => {
	const search = async () => {
		const { body } = await ask(sandbox, 'POST', '/v2/search', { body: { query: 'cargo bikes' } });
		return listOf(field(body, 'data.web')).map((result) => String(field(result, 'url')));
	};
	const before = await search();
	await ask(sandbox, 'POST', '/v2/scrape', { body: { url: 'https://example.com/costs' } });
	expect(await search()).toEqual(before);
	expect(before.length).toBeGreaterThan(0);
});

it('says in the first sentence of example.com that the pages are its own', async () => {
	const url = 'https://example.com';
	const { body } = await ask(sandbox, 'POST', '/v2/scrape', { body: { url } });
	const [, sentence] = String(field(body, 'data.markdown')).split('\n\n');
	expect(sentence).toBe(
		'This is a sample site of the sandbox, which stands in for example.com here: places, firms and figures are made up.',
	);
});
