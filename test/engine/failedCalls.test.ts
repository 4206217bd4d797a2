import { startPageService } from './pageService';
import type { PageService } from './pageService';
import { runPages } from './pagesRun';
import { errorText, NODE } from './research';

let service: PageService;

afterEach(async () => await service.stop());

const URL = 'https://site.example/';

describe('an answer that says success: false with HTTP 200', () => {
	it.each([
		['map', { resource: 'map', operation: 'map', url: URL }, { links: [] }],
		['search', { resource: 'search', operation: 'search', query: 'q' }, { data: { web: [] } }],
		['scrape', { resource: 'page', operation: 'scrape', url: URL }, { data: {} }],
	])("is an error in the service's own words: %s", async (_what, parameters, empty) => {
		const failed = { success: false, error: 'Something went wrong', ...empty };
		service = await startPageService({ instead: () => ({ body: failed }) });
		const execution = await runPages(service, parameters);
		expect(errorText(execution)).toContain('Something went wrong');
		expect(execution.items(NODE)).toEqual([]);
	});

	it('is an error also where it gives no reason', async () => {
		service = await startPageService({
			instead: () => ({ body: { success: false, links: [] } }),
		});
		const execution = await runPages(service, { resource: 'map', operation: 'map', url: URL });
		expect(errorText(execution)).toContain('says that it failed, and not why');
	});
});
