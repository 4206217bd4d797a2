import { startSandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, listOf, startedJob } from './client.ts';

const PATH = '/v2/crawl';
const URL_2000 = { url: 'http://site.example/', limit: 2000 };
let sandbox: Sandbox;
let nowMs = Date.UTC(2026, 0, 1);

afterEach(() => sandbox.stop());

async function open(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({ lightWork: true, now: () => nowMs, seed: 1, ...options });
}

function pagesOf(body: unknown): unknown[] {
	return listOf(field(body, 'data')).map((page) => field(page, 'metadata.sourceURL'));
}

/** Walks the links; gives the pages and the answers. */
async function walk(first: string, most = 100): Promise<{ pages: unknown[]; slices: number }> {
	const pages: unknown[] = [];
	let slices = 0;
	for (let path: string | undefined = first; path !== undefined && slices < most; slices += 1) {
		const { body } = await ask(sandbox, 'GET', path);
		pages.push(...pagesOf(body));
		const next = field(body, 'next');
		path = typeof next === 'string' ? next.replace(sandbox.baseUrl, '') : undefined;
	}
	return { pages, slices };
}

it('gives 2,000 pages in 20 slices, in order and each once', async () => {
	await open();
	const id = await startedJob(sandbox, PATH, URL_2000);
	const { pages, slices } = await walk(`${PATH}/${id}`);
	expect(slices).toBe(20);
	expect(new Set(pages).size).toBe(2000);
	expect(pages.slice(0, 3)).toEqual([
		'http://site.example/',
		'http://site.example/light/1',
		'http://site.example/light/2',
	]);
	expect(pages.at(-1)).toBe('http://site.example/light/1999');
	expect(sandbox.stats()).toMatchObject({
		slicesServed: 20,
		calls: { crawlStart: 1, crawlStatus: 1, slice: 19 },
		polls: { total: 1 },
		pagesScraped: 2000,
	});
});

it('reads skip and limit, and keeps the limit in the link', async () => {
	await open({ sliceSize: 50 });
	const id = await startedJob(sandbox, PATH, URL_2000);
	const slice = await ask(sandbox, 'GET', `${PATH}/${id}?skip=10&limit=3`);
	expect(pagesOf(slice.body)).toEqual([10, 11, 12].map((at) => `http://site.example/light/${at}`));
	expect(field(slice.body, 'next')).toBe(`${sandbox.baseUrl}${PATH}/${id}?skip=13&limit=3`);
	expect((await walk(`${PATH}/${id}`)).slices).toBe(40);
	const beyond = await ask(sandbox, 'GET', `${PATH}/${id}?skip=5000`);
	expect([pagesOf(beyond.body), field(beyond.body, 'next')]).toEqual([[], undefined]);
	const odd = await ask(sandbox, 'GET', `${PATH}/${id}?skip=x&limit=-1`);
	expect(pagesOf(odd.body)).toHaveLength(50);
});

it.each([
	['https', (base: string) => base.replace('http:', 'https:')],
	['foreign', () => 'http://elsewhere.example'],
] as const)('may link to %s', async (nextStyle, host) => {
	await open({ nextStyle });
	const id = await startedJob(sandbox, PATH, URL_2000);
	const { body } = await ask(sandbox, 'GET', `${PATH}/${id}`);
	expect(field(body, 'next')).toBe(`${host(sandbox.baseUrl)}${PATH}/${id}?skip=100`);
});

it('may answer with the same slice for ever', async () => {
	await open({ nextStyle: 'same' });
	const id = await startedJob(sandbox, PATH, URL_2000);
	const { pages, slices } = await walk(`${PATH}/${id}`, 5);
	expect([slices, pages.length, new Set(pages).size]).toEqual([5, 500, 100]);
});

it('may know no slices (crawl-08, crawl-08b)', async () => {
	await open({ nextStyle: 'whole' });
	const id = await startedJob(sandbox, PATH, { ...URL_2000, limit: 300 });
	for (const query of ['', '?limit=2', '?skip=2&limit=3']) {
		const { body } = await ask(sandbox, 'GET', `${PATH}/${id}${query}`);
		expect([pagesOf(body).length, field(body, 'next')]).toEqual([300, undefined]);
	}
});

it('shows pages at the pace it is told, with a link while it runs', async () => {
	await open({ pagesPerSecond: 100 });
	const id = await startedJob(sandbox, PATH, { ...URL_2000, limit: 250 });
	const seen: unknown[] = [];
	for (let second = 0; second < 4; second += 1) {
		const { body } = await ask(sandbox, 'GET', `${PATH}/${id}?limit=1`);
		seen.push([field(body, 'status'), field(body, 'completed'), field(body, 'next') !== undefined]);
		nowMs += 1000;
	}
	expect(seen).toEqual([
		['scraping', 0, true],
		['scraping', 100, true],
		['scraping', 200, true],
		['completed', 250, true],
	]);
	expect(sandbox.stats().creditsUsed).toBe(250);
});

it('lasts as long as it is told, and keeps what was done when it is cancelled', async () => {
	await open({ jobDurationMs: ({ query }) => (query.includes('site') ? 10_000 : 0) });
	const id = await startedJob(sandbox, PATH, { ...URL_2000, limit: 100 });
	nowMs += 5000;
	await ask(sandbox, 'DELETE', `${PATH}/${id}`);
	nowMs += 60_000;
	const { body } = await ask(sandbox, 'GET', `${PATH}/${id}`);
	expect(body).toMatchObject({ status: 'cancelled', completed: 50, total: 100, creditsUsed: 50 });
	// The end of a cancelled job's pages is told by an empty slice.
	const next = String(field(body, 'next')).replace(sandbox.baseUrl, '');
	expect(pagesOf((await ask(sandbox, 'GET', next)).body)).toEqual([]);
	expect(sandbox.stats()).toMatchObject({ creditsUsed: 50, jobsRunning: 0 });
});

it('forgets the pages a day after the end', async () => {
	await open();
	const id = await startedJob(sandbox, PATH, { ...URL_2000, limit: 1 });
	nowMs += 86_400_000 - 1;
	expect((await ask(sandbox, 'GET', `${PATH}/${id}`)).status).toBe(200);
	nowMs += 1;
	expect((await ask(sandbox, 'GET', `${PATH}/${id}`)).status).toBe(404);
});

it('bears a thousand crawls at once', async () => {
	await open({ jobDurationMs: 1000 });
	for (let at = 0; at < 1000; at += 1) await startedJob(sandbox, PATH, URL_2000);
	expect(sandbox.stats()).toMatchObject({ jobsRunning: 1000, mostJobsAtOnce: 1000 });
	const { body } = await ask(sandbox, 'GET', '/v2/crawl/active');
	expect(listOf(field(body, 'crawls'))).toHaveLength(1000);
	nowMs += 1000;
	expect(sandbox.stats()).toMatchObject({ jobsRunning: 0, pagesScraped: 2_000_000 });
	sandbox.reset();
	expect(sandbox.stats()).toMatchObject({ pagesScraped: 0, slicesServed: 0, calls: {} });
});
