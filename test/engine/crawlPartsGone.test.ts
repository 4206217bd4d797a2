import { jsonOf, NODE } from './research';
import { scraped, startPageService } from './pageService';
import type { PageService } from './pageService';
import { crawlStart, hintsOf, runPages, urlsOf } from './pagesRun';

let service: PageService;

afterEach(async () => await service.stop());

const COUNT = 300;
const url = (place: number) => `https://site.example/${place}`;

/** A service that leaves pages that are gone out of its lists; its links count their places all the same. */
async function serve(gone: readonly number[]): Promise<void> {
	service = await startPageService({
		instead: ({ method, path, query }) => {
			if (method !== 'GET' || path.endsWith('/errors')) return undefined;
			const skip = Number(query.skip ?? 0);
			const end = Math.min(COUNT, skip + Math.min(100, Number(query.limit ?? 100)));
			const limit = query.limit === undefined ? '' : `&limit=${query.limit}`;
			const places = Array.from({ length: end - skip }, (_unused, index) => skip + index);
			const data = places.filter((place) => !gone.includes(place)).map((place) => scraped(url(place)));
			const body = { success: true, status: 'completed', completed: COUNT, total: COUNT, data };
			return { body: end < COUNT ? { ...body, next: `http://x/?skip=${end}${limit}` } : body };
		},
	});
	await runPages(service, crawlStart({ waitForCompletion: false }));
}

/** Reads part after part, from where the one before says, as a loop in a workflow would. */
async function readInParts(more: { limit: number; output?: string }) {
	const items: ReturnType<typeof jsonOf> = [];
	let missing = 0;
	let rounds = 0;
	for (let fromPage: unknown = 1; typeof fromPage === 'number'; rounds++) {
		expect(rounds).toBeLessThan(60);
		const parameters = { resource: 'crawl', operation: 'get', jobId: 'job-0', returnAll: false };
		const execution = await runPages(service, { ...parameters, ...more, fromPage });
		items.push(...jsonOf(execution.items(NODE)));
		for (const text of hintsOf(execution)) {
			missing += Number(/(\d+) pages? that the service counts did not come/.exec(text)?.[1] ?? 0);
		}
		fromPage = items.at(-1)?.nextPage;
	}
	return { items, missing, rounds };
}

describe('a job that is read in parts, where the service leaves pages out that are gone', () => {
	it.each([13, 40, 120])('gives each page once, in order, in parts of %i', async (limit) => {
		const gone = [5, limit, 290];
		await serve(gone);
		const { items, missing } = await readInParts({ limit });
		const there = Array.from({ length: COUNT }, (_unused, place) => place);
		const expected = there.filter((place) => !gone.includes(place)).map(url);
		expect(urlsOf(items.map((json) => ({ json })))).toEqual(expected);
		const numbers = items.map(({ pageNumber }) => Number(pageNumber));
		expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
		expect(missing).toBe(gone.length);
	});

	it('takes no round more for the last part', async () => {
		await serve([290]);
		expect((await readInParts({ limit: 100 })).rounds).toBe(3);
	});

	it('puts each page into one file only', async () => {
		await serve([5, 290, 299]);
		const { items, missing } = await readInParts({ limit: 120, output: 'file' });
		expect(items.map(({ pagesInFile }) => pagesInFile)).toEqual([120, 120, 57]);
		expect(missing).toBe(3);
	});

	it('goes on behind places that are all empty', async () => {
		const gone = Array.from({ length: 130 }, (_unused, index) => 20 + index);
		await serve(gone);
		const { items } = await readInParts({ limit: 100 });
		expect(urlsOf(items.map((json) => ({ json })))).toHaveLength(COUNT - gone.length);
	});
});
