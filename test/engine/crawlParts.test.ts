import fc from 'fast-check';

import { crawlStart, errorText, hintsOf, jsonOf, NODE, runNode, urlsOf } from './run';
import { scraped, startPageService } from './pageService';
import type { PageService, PageServiceParts } from './pageService';

let service: PageService;

const addressOf = (place: number) => `https://site.example/${place}`;
const site = (count: number) => Array.from({ length: count }, (_unused, index) => addressOf(index));

const part = (fromPage: unknown, limit: number, more = {}) => ({
	resource: 'crawl',
	operation: 'get',
	jobId: 'job-0',
	returnAll: false,
	limit,
	fromPage: fromPage as number,
	options: { onFailure: 'output' },
	...more,
});

async function serve(count: number, parts: PageServiceParts = {}): Promise<void> {
	const job = () => ({ pages: site(count).map(scraped), looksLeft: 0 });
	service = await startPageService({ job, ...parts });
	await runNode(service, crawlStart({ waitForCompletion: false }));
	service.requests.length = 0;
}

interface Listed {
	/** How many places the results of the job have. */
	places: number;
	/** Places of pages that are gone: `null` in the list, or left out of it; links count them all the same. */
	gone?: (place: number) => boolean;
	asNull?: boolean;
	/** How many pages the service says that there are; default: all places. */
	completed?: number;
	creditsUsed?: number;
	status?: string;
	/** The link to more pages stays for ever, as on a cancelled job. */
	isEndless?: boolean;
}

/** A service with one job whose list of pages is like this; every page costs a credit. */
async function serveListed(listed: Listed): Promise<void> {
	const { places, gone = () => false, asNull, completed = places, creditsUsed, status = 'completed' } = listed;
	await serve(0, {
		instead: ({ method, path, query }) => {
			if (method !== 'GET' || path.endsWith('/errors')) return undefined;
			const skip = Number(query.skip ?? 0);
			const end = Math.max(skip, Math.min(places, skip + Math.min(20, Number(query.limit ?? 20))));
			const link = (listed.isEndless === true || end < places) && { next: `http://x/?skip=${end}` };
			const slice = Array.from({ length: end - skip }, (_unused, index) => skip + index);
			const pageAt = (place: number) => {
				const page = scraped(addressOf(place));
				return { ...page, metadata: { ...(page.metadata as object), creditsUsed: 1 } };
			};
			const data = slice.flatMap((place) => (!gone(place) ? [pageAt(place)] : asNull === true ? [null] : []));
			const counts = { completed, total: completed, ...(creditsUsed !== undefined && { creditsUsed }) };
			return { body: { success: true, status, ...counts, data, ...link } };
		},
	});
}

/** Reads part after part, from where the one before says, as a loop in a workflow would. */
async function readInParts(limit: number, more = {}) {
	const items: ReturnType<typeof jsonOf> = [];
	const hints: string[] = [];
	let rounds = 0;
	for (let from: unknown = 1; typeof from === 'number'; rounds++) {
		expect(rounds).toBeLessThan(100);
		const execution = await runNode(service, part(from, limit, more));
		expect(execution.error).toBeUndefined();
		const own = jsonOf(execution.items(NODE));
		expect(own.filter((json) => 'nextPage' in json)).toHaveLength(1);
		items.push(...own);
		hints.push(...hintsOf(execution));
		from = own.at(-1)?.nextPage;
	}
	const urls = items.map(({ url }) => url).filter((url) => url !== undefined);
	const numbers = items.map(({ pageNumber }) => pageNumber).filter((number) => number !== undefined);
	return { items, urls, numbers, rounds, hints };
}

describe('a job that is read in parts', () => {
	it('gives each page once, in order, whatever the sizes and the count of the service', async () => {
		const sizes = fc.record({
			count: fc.integer({ min: 1, max: 60 }),
			sliceSize: fc.integer({ min: 1, max: 30 }),
			limit: fc.integer({ min: 1, max: 70 }),
			completed: fc.option(fc.nat(60), { nil: undefined }),
		});
		await fc.assert(
			fc.asyncProperty(sizes, async ({ count, sliceSize, limit, completed }) => {
				fc.pre(count / limit < 8);
				if (completed === undefined) await serve(count, { sliceSize });
				else await serveListed({ places: count, completed });
				const { urls, numbers } = await readInParts(limit);
				await service.stop();
				expect(urls).toEqual(site(count));
				expect(numbers).toEqual(site(count).map((_url, index) => index + 1));
			}),
			{ numRuns: 25 },
		);
	});

	it('asks for the pages of the part alone', async () => {
		await serve(500);
		const execution = await runNode(service, part(301, 100));
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
		const later = (await runNode(service, part(13, 100))).items(NODE);
		expect(urlsOf(later)).toEqual(site(20).slice(12));
	});

	it('goes on from where a running job is', async () => {
		await serve(20, { job: () => ({ pages: site(20).map(scraped), looksLeft: 1000 }) });
		const items = jsonOf((await runNode(service, part(1, 100))).items(NODE));
		expect(items.at(-1)).toMatchObject({ jobStatus: 'scraping', pageNumber: 1, nextPage: 2 });
	});

	it.each([
		['pages', 0],
		['pages', 2],
		['file', 2],
		['job', 0],
	])('tells once, with the last part, which pages failed: %s, %i looks before the end', async (output, looksLeft) => {
		const error = { url: 'https://site.example/broken', error: 'Timed out', code: 'SCRAPE_TIMEOUT' };
		await serve(12, { job: () => ({ pages: site(12).map(scraped), errors: [error], looksLeft }) });
		const { items, hints } = await readInParts(5, { output, options: { failedPages: true } });
		expect(hints.filter((text) => text.includes('Timed out'))).toHaveLength(1);
		const failed = items.filter(({ url }) => url === error.url);
		expect(failed).toHaveLength(output === 'pages' ? 1 : 0);
		if (output === 'pages') expect(items.at(-1)).toMatchObject({ url: error.url, nextPage: null });
		const counts = items.map(({ pagesFailed }) => pagesFailed).filter((count) => count !== undefined);
		expect(counts).toEqual(output === 'file' ? [1] : []);
	});

	it.each(['pages', 'job', 'file'])('counts no page where From Page is behind the last: %s', async (output) => {
		await serve(8);
		const execution = await runNode(service, part(20, 5, { output }));
		expect(errorText(execution)).toBe('');
		expect(hintsOf(execution).join(' ')).toContain('1 job finished, 0 of 8 pages');
	});

	it.each([
		['empty, as nextPage is after the last part', '={{ null }}', /From Page.*empty/],
		['a text', '={{ "next" }}', /From Page.*whole number.*"next"/],
		['before the first', 0, /From Page.*at least 1.*0/],
		['between two pages', 1.5, /From Page.*whole number.*1\.5/],
	])('refuses a From Page that is %s', async (_what, fromPage, text) => {
		await serve(20);
		const execution = await runNode(service, part(fromPage, 5));
		expect(errorText(execution)).toMatch(text);
		expect(service.requests).toHaveLength(0);
	});

	it('goes on where the service breaks off, and tells what never came', async () => {
		await serve(50, {
			sliceSize: 10,
			instead: ({ method, query }) => {
				if (method !== 'GET' || query.skip !== '20') return undefined;
				return { body: { success: true, status: 'completed', completed: 50, total: 50, data: [] } };
			},
		});
		const first = jsonOf((await runNode(service, part(1, 40))).items(NODE));
		expect(first.at(-1)).toMatchObject({ pageNumber: 20, nextPage: 21 });
		const second = await runNode(service, part(21, 40));
		expect(jsonOf(second.items(NODE))).toMatchObject([{ status: 'completed', nextPage: null }]);
		expect(hintsOf(second).join()).toMatch(/30 pages that the service counts did not come/);
		expect((await runNode(service, part(31, 40))).items(NODE)).toHaveLength(20);
	});

	it('asks for a job whose pages have expired, and says that they are gone', async () => {
		await serve(20);
		service.jobs.clear();
		const execution = await runNode(service, part(11, 5));
		expect(errorText(execution)).toMatch(/crawl job-0 is gone: .*404.*has expired/);
	});
});

describe('places whose pages are gone', () => {
	it.each([
		[13, true],
		[13, false],
		[120, false],
	])('leave no page out and give none twice, in parts of %i, shown as null: %s', async (limit, asNull) => {
		const gone = (place: number) => place % 7 === 3 || place === limit || place === 290;
		await serveListed({ places: 300, gone, asNull });
		const { urls, numbers, hints } = await readInParts(limit);
		const there = Array.from({ length: 300 }, (_unused, place) => place).filter((place) => !gone(place));
		expect(urls).toEqual(there.map(addressOf));
		expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => Number(one) - Number(other)));
		const counts = hints.map((text) =>
			Number(/(\d+) pages? that the service counts did not come/.exec(text)?.[1] ?? 0),
		);
		expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300 - there.length);
	});

	it('do not end a job, also where a whole part of them is gone', async () => {
		await serveListed({ places: 300, gone: (place) => place >= 20 && place < 150 });
		expect((await readInParts(100)).urls).toHaveLength(170);
	});
});

describe('a job of which the service counts', () => {
	it.each(['job', 'file'])('too few pages is read up to its last page, as %s', async (output) => {
		await serveListed({ places: 70, completed: 10 });
		const { items } = await readInParts(40, { output });
		const sizes = items.map(({ pages, pagesInFile }) => (Array.isArray(pages) ? pages.length : pagesInFile));
		expect(sizes).toEqual([40, 30]);
	});

	it('too few pages is read up to its last page, at once', async () => {
		await serveListed({ places: 70, completed: 10 });
		const execution = await runNode(service, part(1, 1, { returnAll: true }));
		expect(urlsOf(execution.items(NODE))).toEqual(site(70));
	});

	it('all pages takes no part more, also where a cancelled job names more pages for ever', async () => {
		for (const more of [{}, { status: 'cancelled', isEndless: true }]) {
			await serveListed({ places: 40, ...more });
			const { rounds, urls } = await readInParts(20);
			expect([rounds, urls.length]).toEqual(['status' in more ? 3 : 2, 40]);
			await service.stop();
		}
	});
});

describe('what a job cost', () => {
	const get = async (more: object) => {
		const execution = await runNode(service, part(1, 2, { output: 'job', ...more }));
		return { item: jsonOf(execution.items(NODE))[0], hints: hintsOf(execution).join() };
	};

	it('is the sum of its pages where its status does not say it, and of a part is not told', async () => {
		await serveListed({ places: 4, creditsUsed: -1 });
		for (const fromPage of [1, 3]) {
			const { item, hints } = await get({ fromPage });
			expect(item?.pages).toHaveLength(2);
			expect(item).not.toHaveProperty('creditsUsed');
			expect(hints).not.toContain('credit');
		}
		const { item, hints } = await get({ returnAll: true });
		expect(item).toMatchObject({ creditsUsed: 4 });
		expect(hints).toContain('4 pages (= 4 credits)');
		expect((await get({ limit: 4 })).item).toMatchObject({ creditsUsed: 4 });
	});
});
