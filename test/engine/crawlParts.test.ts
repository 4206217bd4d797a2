import fc from 'fast-check';

import { errorText, jsonOf, NODE } from './research';
import { scraped, startPageService } from './pageService';
import type { PageService, PageServiceParts } from './pageService';
import { crawlStart, hintsOf, runPages, urlsOf } from './pagesRun';

let service: PageService;

afterEach(async () => await service.stop());

const site = (count: number) => Array.from({ length: count }, (_unused, index) => `https://site.example/${index}`);

const part = (fromPage: number, limit: number, more = {}) => ({
	resource: 'crawl',
	operation: 'get',
	jobId: 'job-0',
	returnAll: false,
	limit,
	fromPage,
	...more,
});

async function serve(count: number, parts: PageServiceParts = {}): Promise<void> {
	const job = () => ({ pages: site(count).map(scraped), looksLeft: 0 });
	service = await startPageService({ job, ...parts });
	await runPages(service, crawlStart({ waitForCompletion: false }));
	service.requests.length = 0;
}

/** Reads part after part, from where the one before says, as a loop in a workflow would. */
async function readInParts(limit: number): Promise<{ urls: unknown[]; numbers: unknown[] }> {
	const urls: unknown[] = [];
	const numbers: unknown[] = [];
	for (let from: unknown = 1, rounds = 0; typeof from === 'number'; rounds++) {
		expect(rounds).toBeLessThan(100);
		const items = (await runPages(service, part(from, limit))).items(NODE);
		urls.push(...urlsOf(items));
		numbers.push(...jsonOf(items).map(({ pageNumber }) => pageNumber));
		from = jsonOf(items).at(-1)?.nextPage;
		expect(jsonOf(items).filter((json) => 'nextPage' in json)).toHaveLength(1);
	}
	return { urls, numbers };
}

describe('a job that is read in parts', () => {
	it('gives each page once, in order, whatever the sizes', async () => {
		const sizes = fc.record({
			count: fc.integer({ min: 1, max: 60 }),
			sliceSize: fc.integer({ min: 1, max: 30 }),
			limit: fc.integer({ min: 1, max: 70 }),
		});
		await fc.assert(
			fc.asyncProperty(sizes, async ({ count, sliceSize, limit }) => {
				fc.pre(count / limit < 8);
				await serve(count, { sliceSize });
				const { urls, numbers } = await readInParts(limit);
				await service.stop();
				expect(urls).toEqual(site(count));
				expect(numbers).toEqual(site(count).map((_url, index) => index + 1));
			}),
			{ numRuns: 15 },
		);
	});

	it('asks for the pages of the part alone', async () => {
		await serve(500);
		const execution = await runPages(service, part(301, 100));
		expect(urlsOf(execution.items(NODE))).toEqual(site(500).slice(300, 400));
		expect(service.requests.map(({ path, query }) => [path, query.skip])).toEqual([
			['/v2/crawl/job-0', undefined],
			['/v2/crawl/job-0', '300'],
		]);
	});

	it.each([
		['does not read skip', 1],
		['gives all pages at once', 1000],
	])('is right where a server %s', async (_what, sliceSize) => {
		await serve(20, {
			sliceSize,
			instead: ({ method, query }) => {
				if (method !== 'GET' || query.limit !== undefined) return undefined;
				const data = site(20).map(scraped);
				return { body: { success: true, status: 'completed', completed: 20, total: 20, data } };
			},
		});
		const { urls } = await readInParts(100);
		expect(urls).toEqual(site(20));
		const later = (await runPages(service, part(13, 100))).items(NODE);
		expect(urlsOf(later)).toEqual(site(20).slice(12));
	});

	it('gives a part that begins with the first page again, which a batch may hold twice', async () => {
		const urls = [...site(12), ...site(8)];
		await serve(20, { job: () => ({ pages: urls.map(scraped), looksLeft: 0 }) });
		const later = (await runPages(service, part(13, 100))).items(NODE);
		expect(urlsOf(later)).toEqual(site(8));
	});

	it('says the state of a job that has no page there, so that a loop ends and nothing is silent', async () => {
		await serve(20);
		const execution = await runPages(service, part(21, 100));
		expect(jsonOf(execution.items(NODE))).toMatchObject([
			{ id: 'job-0', status: 'completed', completed: 20, nextPage: null },
		]);
	});

	it('goes on from where a running job is', async () => {
		await serve(20);
		const job = { pages: site(20).map(scraped), looksLeft: 1000 };
		await service.stop();
		service = await startPageService({ job: () => job });
		await runPages(service, crawlStart({ waitForCompletion: false }));
		const items = jsonOf((await runPages(service, part(1, 100))).items(NODE));
		expect(items.at(-1)).toMatchObject({ jobStatus: 'scraping', pageNumber: 1, nextPage: 2 });
	});

	it('tells the next part in the item of the whole job, too', async () => {
		await serve(20);
		const [item] = jsonOf((await runPages(service, part(1, 5, { output: 'job' }))).items(NODE));
		expect(item).toMatchObject({ id: 'job-0', nextPage: 6 });
		expect(item?.pages).toHaveLength(5);
	});

	it.each([
		['pages', 0],
		['pages', 2],
		['file', 0],
		['file', 2],
		['job', 0],
	])('tells once, with the last part, which pages failed: %s, %i looks before the end', async (output, looksLeft) => {
		const error = {
			url: 'https://site.example/broken',
			error: 'Timed out',
			code: 'SCRAPE_TIMEOUT',
		};
		const job = () => ({ pages: site(12).map(scraped), errors: [error], looksLeft });
		await serve(12, { job });
		const hints: string[] = [];
		const items: ReturnType<typeof jsonOf> = [];
		for (let from: unknown = 1; typeof from === 'number'; from = items.at(-1)?.nextPage) {
			const parameters = part(from, 5, { output, options: { failedPages: true } });
			const execution = await runPages(service, parameters);
			items.push(...jsonOf(execution.items(NODE)));
			hints.push(...hintsOf(execution));
		}
		expect(hints.filter((text) => text.includes('Timed out'))).toHaveLength(1);
		const failed = items.filter(({ url }) => url === error.url);
		expect(failed).toHaveLength(output === 'pages' ? 1 : 0);
		if (output === 'pages') expect(items.at(-1)).toMatchObject({ url: error.url, nextPage: null });
		const counts = items.map(({ pagesFailed }) => pagesFailed).filter((count) => count !== undefined);
		expect(counts).toEqual(output === 'file' ? [1] : []);
	});

	it('refuses a page before the first', async () => {
		await serve(1);
		const execution = await runPages(service, part(0, 5));
		expect(errorText(execution)).toMatch(/From Page/);
		expect(service.requests).toHaveLength(0);
	});

	it.each([
		['empty, as nextPage is after the last part', '={{ null }}', /From Page.*empty/],
		['a text', '={{ "next" }}', /From Page.*whole number.*"next"/],
		['negative', -1, /From Page.*at least 1.*-1/],
		['between two pages', 1.5, /From Page.*whole number.*1\.5/],
	])('refuses a From Page that is %s', async (_what, fromPage, text) => {
		await serve(20);
		const execution = await runPages(service, { ...part(1, 5), fromPage });
		expect(errorText(execution)).toMatch(text);
		expect(service.requests).toHaveLength(0);
	});

	it('takes a From Page that an expression has as text', async () => {
		await serve(20);
		const execution = await runPages(service, { ...part(1, 5), fromPage: '={{ "11" }}' });
		expect(urlsOf(execution.items(NODE))).toEqual(site(20).slice(10, 15));
	});

	it.each([20, 40, 200, 240])('ends on the border of slices and parts with %d pages', async (count) => {
		await serve(count, { sliceSize: 20 });
		expect((await readInParts(40)).urls).toEqual(site(count));
	});

	it('goes on where the service breaks off, and tells what never came', async () => {
		await serve(50, {
			sliceSize: 10,
			instead: ({ method, query }) => {
				if (method !== 'GET' || query.skip !== '20') return undefined;
				return { body: { success: true, status: 'completed', completed: 50, total: 50, data: [] } };
			},
		});
		const first = jsonOf((await runPages(service, part(1, 40))).items(NODE));
		expect(first.at(-1)).toMatchObject({ pageNumber: 20, nextPage: 21 });
		const second = await runPages(service, part(21, 40));
		expect(jsonOf(second.items(NODE))).toMatchObject([{ status: 'completed', nextPage: null }]);
		expect(hintsOf(second).join()).toMatch(/30 pages that the service counts did not come/);
		expect((await runPages(service, part(31, 40))).items(NODE)).toHaveLength(20);
	});

	it('leaves no page out and gives none twice where places in the results are empty', async () => {
		// As the service counts them: the link to the next slice skips the empty places, too.
		const rows = site(60).map((url, index) => (index % 7 === 3 ? null : scraped(url)));
		await serve(0, {
			instead: ({ method, path, query }) => {
				if (method !== 'GET' || path.endsWith('/errors')) return undefined;
				const skip = Number(query.skip ?? 0);
				const end = Math.min(60, skip + Math.min(20, Number(query.limit ?? 20)));
				const next = `http://x/?skip=${end}`;
				const data = rows.slice(skip, end);
				const body = { success: true, status: 'completed', completed: 60, total: 60, data };
				return { body: end < 60 ? { ...body, next } : body };
			},
		});
		const { urls, numbers } = await readInParts(13);
		const there = site(60).filter((_url, index) => index % 7 !== 3);
		expect(urls).toEqual(there);
		expect(numbers).toEqual(there.map((url) => site(60).indexOf(url) + 1));
	});

	it('asks for a job whose pages have expired, and says that they are gone', async () => {
		await serve(20);
		service.jobs.clear();
		const execution = await runPages(service, part(11, 5)).finally(() => vi.restoreAllMocks());
		expect(errorText(execution)).toMatch(/crawl job-0 is gone: .*404.*has expired/);
	});
});
