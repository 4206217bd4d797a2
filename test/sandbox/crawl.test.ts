import { startSandbox } from '../../sandbox/server.ts';
import { startGeneratedSite } from '../../sandbox/site/generated.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { GeneratedSite } from '../../sandbox/site/generated.ts';
import { ask, field, jobEnded, listOf, startedJob, until } from './client.ts';
import { startListener } from './listener.ts';

const PATH = '/v2/crawl';
let site: GeneratedSite;
let sandbox: Sandbox;

beforeAll(async () => {
	site = await startGeneratedSite({ pages: 60, linksPerPage: 3, bytesPerPage: 200 });
});
afterAll(() => site.stop());
afterEach(() => sandbox.stop());

async function open(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({ seed: 1, ...options });
}

/** The paths that a crawl gives, sorted. */
async function crawled(body: Record<string, unknown>): Promise<string[]> {
	const id = await startedJob(sandbox, PATH, { url: site.url, ...body });
	const record = await jobEnded(sandbox, PATH, id);
	return listOf(field(record, 'data'))
		.map((page) => String(field(page, 'metadata.sourceURL')).replace(site.url, ''))
		.sort();
}

it('finds all pages by the sitemap or by links, each once', async () => {
	await open();
	for (const sitemap of ['include', 'skip', 'only']) {
		const paths = await crawled({ sitemap });
		expect(new Set(paths).size).toBe(60);
		expect(paths).toHaveLength(60);
	}
	expect(sandbox.stats()).toMatchObject({
		starts: { total: 3, byKind: { crawl: 3 } },
		pagesScraped: 180,
		creditsUsed: 180,
		jobsRunning: 0,
	});
});

it.each([
	[{ limit: 7 }, 7],
	[{ sitemap: 'skip', maxDiscoveryDepth: 0 }, 1],
	[{ sitemap: 'skip', maxDiscoveryDepth: 1 }, 4],
	[{ sitemap: 'skip', maxDiscoveryDepth: 2 }, 7],
	[{ includePaths: ['^/page/1\\d$'] }, 10],
	[{ excludePaths: ['/page/'] }, 1],
	[{ includePaths: ['127\\.0\\.0\\.1:\\d+/page/2\\d$'], regexOnFullURL: true }, 10],
	[{ prompt: 'at most 5 pages' }, 5],
	[{ prompt: 'at most 5 pages', limit: 3 }, 3],
	[{ delay: 0.01, limit: 3 }, 3],
	[{ maxConcurrency: 1, limit: 3 }, 3],
])('keeps to %j', async (rules, count) => {
	await open();
	expect(await crawled(rules)).toHaveLength(count);
});

it('stays below the start page unless told to take the whole site', async () => {
	await open();
	const start = { url: `${site.url}/page/1`, sitemap: 'skip' };
	const id = await startedJob(sandbox, PATH, start);
	expect(field(await jobEnded(sandbox, PATH, id), 'completed')).toBe(1);
	expect(await crawled({ ...start, crawlEntireDomain: true })).toHaveLength(60);
});

it('obeys robots.txt and says what it refused, unless told not to', async () => {
	const shy = await startGeneratedSite({
		pages: 20,
		linksPerPage: 2,
		robots: 'User-agent: *\nDisallow: /page/5\nDisallow: /page/1*$\n',
	});
	await open();
	const body = { url: shy.url, sitemap: 'skip' };
	const id = await startedJob(sandbox, PATH, body);
	// 1, 5 and all from 10 are refused; a page links to the next two.
	expect(field(await jobEnded(sandbox, PATH, id), 'completed')).toBe(8);
	const { body: errors } = await ask(sandbox, 'GET', `${PATH}/${id}/errors`);
	expect(field(errors, 'errors')).toEqual([]);
	expect(listOf(field(errors, 'robotsBlocked')).sort()).toEqual(
		[1, 10, 11, 5].map((at) => `${shy.url}/page/${at}`),
	);
	const all = await startedJob(sandbox, PATH, { ...body, ignoreRobotsTxt: true });
	expect(field(await jobEnded(sandbox, PATH, all), 'completed')).toBe(20);
	await shy.stop();
});

it('puts pages that break among the errors', async () => {
	const broken = await startGeneratedSite({ pages: 40, brokenShare: 0.2, seed: 3 });
	await open();
	const id = await startedJob(sandbox, PATH, { url: broken.url });
	const record = await jobEnded(sandbox, PATH, id);
	const { body } = await ask(sandbox, 'GET', `${PATH}/${id}/errors`);
	const urls = listOf(field(body, 'errors')).map((error) => field(error, 'url'));
	expect(urls.sort()).toEqual([...broken.brokenUrls].sort());
	expect(field(record, 'completed')).toBe(40 - urls.length);
	expect(field(record, 'total')).toBe(40 - urls.length);
	await broken.stop();
});

it('follows links to other sites one hop where it may', async () => {
	const other = await startListener((request) => ({
		body: `<a href="/deeper">deeper</a> ${request.url ?? ''}`,
	}));
	const start = await startListener(() => ({
		body: `<a href="${other.url}/">home</a><a href="${other.url}/one?x=1">one</a>`,
	}));
	await open();
	for (const [allowExternalLinks, expected] of [
		[true, [start.url, `${other.url}/one?x=1`]],
		[false, [start.url]],
	] as const) {
		const id = await startedJob(sandbox, PATH, { url: start.url, allowExternalLinks });
		const pages = listOf(field(await jobEnded(sandbox, PATH, id), 'data'));
		expect(pages.map((page) => field(page, 'metadata.sourceURL'))).toEqual(expected);
	}
	await start.stop();
	await other.stop();
});

it('takes addresses that differ in little for one page', async () => {
	const links = ['/a', '/a/', '/a/index.html', '/a#part', '/b?x=1', '/b?x=2', '/pic.png'];
	const listener = await startListener(() => ({
		body: links.map((to) => `<a href="${to}">${to}</a>`).join(''),
	}));
	await open();
	const count = async (rules: object): Promise<unknown> => {
		const id = await startedJob(sandbox, PATH, { url: listener.url, ...rules });
		return field(await jobEnded(sandbox, PATH, id), 'completed');
	};
	expect(await count({})).toBe(4);
	expect(await count({ ignoreQueryParameters: true })).toBe(3);
	expect(await count({ deduplicateSimilarURLs: false })).toBe(6);
	await listener.stop();
});

it('pushes its events, unsigned, each once', async () => {
	const seen: Array<{ headers: unknown; body: unknown }> = [];
	const hook = await startListener((request, body) => {
		seen.push({ headers: request.headers, body: JSON.parse(body) });
		return { status: 500, body: 'no' };
	});
	await open({ jobDurationMs: 100 });
	const id = await startedJob(sandbox, PATH, {
		url: site.url,
		limit: 3,
		webhook: { url: hook.url, headers: { 'x-secret': 's' }, metadata: { run: '7' } },
	});
	// Nobody asks for the crawl: its end is pushed all the same.
	await until('five events', () => seen.length >= 5);
	const types = seen.map(({ body }) => String(field(body, 'type')));
	expect(types.sort()).toEqual([
		'crawl.completed',
		'crawl.page',
		'crawl.page',
		'crawl.page',
		'crawl.started',
	]);
	for (const { body, headers } of seen) {
		expect(body).toMatchObject({ success: true, id, metadata: { run: '7' } });
		expect(headers).toMatchObject({ 'x-secret': 's' });
		expect(Object.keys(Object(headers))).not.toContain('x-firecrawl-signature');
	}
	await hook.stop();
});

it('uses an idempotency key up, by a refused body too', async () => {
	await open();
	const first = { 'x-idempotency-key': '6d7d2c83-6a5e-4a35-9c35-3f6f3f2f6a11' };
	const start = (headers: Record<string, string>, body: unknown) =>
		ask(sandbox, 'POST', PATH, { headers, body });
	expect((await start(first, { url: site.url, limit: 'x' })).status).toBe(400);
	const again = await start(first, { url: site.url, limit: 1 });
	expect([again.status, field(again.body, 'error')]).toEqual([409, 'Idempotency key already used']);
	expect((await start({ 'x-idempotency-key': 'mine' }, { url: site.url })).status).toBe(409);
	const other = { 'x-idempotency-key': '6d7d2c83-6a5e-4a35-9c35-3f6f3f2f6a12' };
	expect((await start(other, { url: site.url, limit: 1 })).status).toBe(200);
});

it('needs credits for its limit, and bills the pages that are done', async () => {
	await open({ plan: { credits: 10 } });
	expect((await ask(sandbox, 'POST', PATH, { body: { url: site.url } })).status).toBe(402);
	expect((await ask(sandbox, 'POST', PATH, { body: { url: site.url, limit: 11 } })).status).toBe(
		402,
	);
	expect(await crawled({ limit: 4 })).toHaveLength(4);
	expect(sandbox.stats()).toMatchObject({ creditsLeft: 6, refusals: { credits: 2 } });
});

it('counts among the jobs at once, with research', async () => {
	await open({ plan: { jobsAtOnce: 2 }, lightWork: true, jobDurationMs: 60_000 });
	await startedJob(sandbox, PATH, { url: site.url, limit: 1 });
	await startedJob(sandbox, '/v1/deep-research', { query: 'x' });
	expect((await ask(sandbox, 'POST', PATH, { body: { url: site.url } })).status).toBe(429);
	expect(sandbox.stats()).toMatchObject({ mostJobsAtOnce: 2, refusals: { jobsAtOnce: 1 } });
});

it('gives up zero data retention and what it had under way', async () => {
	await open();
	const zdr = await ask(sandbox, 'POST', PATH, {
		body: { url: site.url, zeroDataRetention: true },
	});
	expect(zdr.status).toBe(403);
	const hanging = await startListener(() => undefined);
	const id = await startedJob(sandbox, PATH, {
		url: hanging.url,
		sitemap: 'skip',
		ignoreRobotsTxt: true,
	});
	expect((await ask(sandbox, 'DELETE', `${PATH}/${id}`)).body).toEqual({ status: 'cancelled' });
	expect(field((await ask(sandbox, 'GET', `${PATH}/${id}`)).body, 'status')).toBe('cancelled');
	await hanging.stop();
});
