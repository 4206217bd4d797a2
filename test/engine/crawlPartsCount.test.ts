import fc from 'fast-check';

import { jsonOf, NODE } from './research';
import { scraped, startPageService } from './pageService';
import type { PageService } from './pageService';
import { crawlStart, hintsOf, runPages, urlsOf } from './pagesRun';

let service: PageService;

afterEach(async () => await service.stop());

const site = (count: number) => Array.from({ length: count }, (_unused, index) => `https://site.example/${index}`);

interface Counting {
	/** How many pages there are, and how many the service says that there are. */
	pages: number;
	completed: number;
	status?: string;
	/** Whether the link to more pages stays for ever, as on a cancelled job. */
	isEndless?: boolean;
}

async function serve({ pages, completed, status = 'completed', isEndless }: Counting) {
	service = await startPageService({
		instead: ({ method, path, query }) => {
			if (method !== 'GET' || path.endsWith('/errors')) return undefined;
			const skip = Number(query.skip ?? 0);
			const end = Math.max(skip, Math.min(pages, skip + Math.min(20, Number(query.limit ?? 20))));
			const link = (isEndless === true || end < pages) && { next: `http://x/?skip=${end}` };
			const data = site(pages).slice(skip, end).map(scraped);
			return { body: { success: true, status, completed, total: completed, data, ...link } };
		},
	});
	await runPages(service, crawlStart({ waitForCompletion: false }));
	service.requests.length = 0;
}

const part = (fromPage: number, limit: number, more = {}) => ({
	resource: 'crawl',
	operation: 'get',
	jobId: 'job-0',
	returnAll: false,
	options: { onFailure: 'output' },
	limit,
	fromPage,
	...more,
});

/** Reads part after part, from where the one before says, as a loop in a workflow would. */
async function readInParts(limit: number, more = {}) {
	const items: ReturnType<typeof jsonOf> = [];
	const hints: string[] = [];
	let rounds = 0;
	for (let from: unknown = 1; typeof from === 'number'; rounds++) {
		expect(rounds).toBeLessThan(50);
		const execution = await runPages(service, part(from, limit, more));
		expect(execution.error).toBeUndefined();
		items.push(...jsonOf(execution.items(NODE)));
		hints.push(...hintsOf(execution));
		from = items.at(-1)?.nextPage;
	}
	const urls = items.map(({ url }) => url).filter((url) => url !== undefined);
	return { items, urls, rounds, hints: hints.join() };
}

describe('a job of which the service counts too few pages', () => {
	it('is read in parts up to its last page', async () => {
		await serve({ pages: 200, completed: 50 });
		const { urls, rounds } = await readInParts(50);
		expect(urls).toEqual(site(200));
		expect(rounds).toBe(4);
	});

	it.each(['job', 'file'])('is read so as %s, too', async (output) => {
		await serve({ pages: 70, completed: 10 });
		const { items } = await readInParts(40, { output });
		const sizes = items.map(({ pages, pagesInFile }) => (Array.isArray(pages) ? pages.length : pagesInFile));
		expect(sizes).toEqual([40, 30]);
	});

	it('is read at once up to its last page', async () => {
		await serve({ pages: 70, completed: 10 });
		const execution = await runPages(service, part(1, 1, { returnAll: true }));
		expect(urlsOf(execution.items(NODE))).toEqual(site(70));
	});

	it('gives each page once, in order, whatever the sizes and the count', async () => {
		const sizes = fc.record({
			pages: fc.integer({ min: 1, max: 60 }),
			completed: fc.nat(60),
			limit: fc.integer({ min: 12, max: 40 }),
		});
		await fc.assert(
			fc.asyncProperty(sizes, async ({ pages, completed, limit }) => {
				await serve({ pages, completed });
				const { urls } = await readInParts(limit);
				await service.stop();
				expect(urls).toEqual(site(pages));
			}),
			{ numRuns: 8 },
		);
	});
});

describe('a job of which the service counts all pages', () => {
	it('takes no part more, and no request', async () => {
		await serve({ pages: 60, completed: 60 });
		const { rounds, urls } = await readInParts(20);
		expect([rounds, urls.length]).toEqual([3, 60]);
	});

	it('ends with an empty part where a cancelled job names more pages for ever', async () => {
		await serve({ pages: 40, completed: 40, status: 'cancelled', isEndless: true });
		const { rounds, urls } = await readInParts(20);
		expect([rounds, urls.length]).toEqual([3, 40]);
	});
});
