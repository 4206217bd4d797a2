import { jsonOf, NODE } from './research';
import { scraped, startPageService } from './pageService';
import type { PageService } from './pageService';
import { crawlStart, hintsOf, runPages } from './pagesRun';

let service: PageService;

afterEach(async () => await service.stop());

const COUNT = 4;

/** A job of four pages of 1 credit each; `creditsUsed` is what its status says. */
async function serve(creditsUsed: number): Promise<void> {
	service = await startPageService({
		instead: ({ method, path, query }) => {
			if (method !== 'GET' || path.endsWith('/errors')) return undefined;
			const skip = Number(query.skip ?? 0);
			const end = Math.max(skip, Math.min(COUNT, skip + Number(query.limit ?? COUNT)));
			const data = Array.from({ length: end - skip }, (_unused, index) => {
				const page = scraped(`https://site.example/${skip + index}`);
				return { ...page, metadata: { ...(page.metadata as object), creditsUsed: 1 } };
			});
			const link = end < COUNT && { next: `http://x/?skip=${end}` };
			const counts = { completed: COUNT, total: COUNT, creditsUsed };
			return { body: { success: true, status: 'completed', ...counts, data, ...link } };
		},
	});
	await runPages(service, crawlStart({ waitForCompletion: false }));
}

const get = async (more: { returnAll?: boolean; limit?: number; fromPage?: number }) => {
	const parameters = { resource: 'crawl', operation: 'get', jobId: 'job-0', output: 'job' };
	const execution = await runPages(service, { ...parameters, ...more });
	return { item: jsonOf(execution.items(NODE))[0], hints: hintsOf(execution).join() };
};

const part = (fromPage: number) => ({ returnAll: false, limit: 2, fromPage });

describe('what a job cost whose status does not say it', () => {
	it.each([1, 3])('is not told of a part of its pages, from page %i', async (fromPage) => {
		await serve(-1);
		const { item, hints } = await get(part(fromPage));
		expect(item?.pages).toHaveLength(2);
		expect(item).not.toHaveProperty('creditsUsed');
		expect(hints).not.toContain('credit');
	});

	it('is the sum of its pages where all are read', async () => {
		await serve(-1);
		const { item, hints } = await get({ returnAll: true });
		expect(item).toMatchObject({ creditsUsed: 4 });
		expect(hints).toContain('4 pages (= 4 credits)');
	});

	it('is the sum of its pages where one part has all of them', async () => {
		await serve(-1);
		expect((await get({ ...part(1), limit: 4 })).item).toMatchObject({ creditsUsed: 4 });
	});
});

it('what the status says that the whole job cost is told with each part', async () => {
	await serve(7);
	expect((await get(part(1))).item).toMatchObject({ creditsUsed: 7, nextPage: 3 });
	expect((await get(part(3))).item).toMatchObject({ creditsUsed: 7, nextPage: null });
});
