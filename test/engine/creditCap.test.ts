import { startPageService } from './pageService';
import type { PageService } from './pageService';
import { batchStart, crawlStart, hintsOf, retryPages, runPages } from './pagesRun';
import { errorText, NODE } from './research';

let service: PageService;

beforeEach(async () => {
	service = await startPageService({
		instead: ({ path, body }) =>
			path === '/v2/scrape'
				? { body: { success: true, data: { metadata: { url: body.url } } } }
				: undefined,
	});
});
afterEach(async () => await service.stop());

const SCRAPE = { resource: 'page', operation: 'scrape', url: '={{ $json.url }}' };
const items = (count: number) =>
	Array.from({ length: count }, (_unused, index) => ({ url: `https://a.example/${index}` }));

describe('Max Credits (This Run)', () => {
	it.each([
		['crawls', crawlStart({ pageLimit: 100, options: { maxCredits: 299 } }), 3, '300 credits'],
		['a batch that items share', batchStart({ options: { maxCredits: 2 } }), 3, '3 credits'],
		['scrapes', { ...SCRAPE, scrapeOptions: { maxCredits: 2 } }, 3, '3 credits'],
	])('sends nothing of %s that may cost more', async (_what, parameters, count, sum) => {
		const execution = await runPages(service, parameters, { items: items(count) });
		expect(errorText(execution)).toContain(`This run may cost up to ${sum}`);
		expect(errorText(execution)).toContain('Nothing was sent, and nothing was paid.');
		expect(service.requests).toEqual([]);
	});

	it.each([
		['crawls', crawlStart({ options: { maxCredits: 299 } })],
		['scrapes', { ...SCRAPE, scrapeOptions: { maxCredits: 2 } }],
	])('says so of each item with "continue on error": %s', async (_what, parameters) => {
		const execution = await runPages(service, parameters, {
			items: items(3),
			node: { onError: 'continueErrorOutput' },
		});
		expect(execution.error).toBeUndefined();
		const failed = execution.items(NODE, 1);
		expect(failed.map(({ json }) => json.error)).toEqual(
			Array(3).fill(expect.stringContaining('This run may cost up to')),
		);
		expect(service.requests).toEqual([]);
	});

	it('is not made wider by a limit below zero, which the service takes', async () => {
		const execution = await runPages(
			service,
			crawlStart({
				pageLimit: 10,
				options: { maxCredits: 100, additionalFields: '={{ $json.fields }}' },
			}),
			{ items: [{ fields: '{ "limit": -1000 }' }, { fields: '{ "limit": 900 }' }] },
		);
		expect(errorText(execution)).toContain('This run may cost up to 901 credits');
		expect(service.requests).toEqual([]);
	});

	it('is asked for when its expression gives nothing: it is not lifted', async () => {
		const parameters = crawlStart({ options: { maxCredits: '={{ $json.budget }}' } });
		const execution = await runPages(service, parameters, { items: [{}] });
		expect(errorText(execution)).toContain('"Max Credits (This Run)" is required');
		expect(service.requests).toEqual([]);
	});

	it('lets through what stays below, and says what it does not count', async () => {
		const execution = await runPages(
			service,
			{ ...SCRAPE, scrapeOptions: { maxCredits: 3 } },
			{ items: items(3) },
		);
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)).toHaveLength(3);
		expect(hintsOf(execution)).toContainEqual(
			expect.stringContaining('does not count the further pages of PDF files'),
		);
	});

	it('does not count what an earlier try has paid for', async () => {
		let isBroken = true;
		await service.stop();
		service = await startPageService({
			job: ({ url }) =>
				isBroken && url === 'https://a.example/2' ? { state: 'failed' } : { state: 'completed' },
		});
		const parameters = crawlStart({
			url: '={{ $json.url }}',
			pageLimit: 100,
			options: { maxCredits: 300 },
		});
		const run = { items: items(3) };
		const failed = await runPages(service, parameters, run);
		expect(errorText(failed)).toContain('failed');
		isBroken = false;
		const lower = { ...parameters, options: { maxCredits: 100 } };
		const retried = await retryPages(service, failed, lower, run);
		expect(retried.error).toBeUndefined();
		expect(service.count('POST')).toBe(4);
	});
});
