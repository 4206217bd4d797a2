import { crawlStart, errorText, jsonOf, NODE, runNode, urlsOf } from './run';
import { scraped, serve, service } from './pageService';
import type { PageServiceParts } from './pageService';

const site = (count: number) => Array.from({ length: count }, (_unused, index) => `https://site.example/${index}`);

describe('a job that was started elsewhere', () => {
	const of = (operation: string, more = {}) => ({
		resource: 'crawl',
		operation,
		jobId: 'job-0',
		...more,
	});

	const startOne = async (parts: PageServiceParts) => {
		await serve(parts);
		await runNode(service, crawlStart({ waitForCompletion: false }));
		service.requests.length = 0;
	};

	it('Get collects all pages, or up to a limit with no more slices than needed', async () => {
		await startOne({ job: () => ({ pages: site(2000).map(scraped), looksLeft: 0 }) });
		expect(urlsOf((await runNode(service, of('get'))).items(NODE))).toEqual(site(2000));
		service.requests.length = 0;
		const some = await runNode(service, of('get', { returnAll: false, limit: 150 }));
		expect(urlsOf(some.items(NODE))).toEqual(site(150));
		// One check and two slices: the pages that it failed on are told with the last part.
		expect(service.requests).toHaveLength(1 + 2);
	});

	it('Get of a running job tells what there is and does not wait', async () => {
		await startOne({ job: () => ({ looksLeft: 1000 }) });
		const execution = await runNode(service, of('get', { output: 'status' }));
		expect(jsonOf(execution.items(NODE))).toMatchObject([{ id: 'job-0', status: 'scraping' }]);
		expect(service.requests).toHaveLength(1);
	});

	it('Get Errors lists the pages it failed on', async () => {
		const error = { id: 'e', url: 'https://site.example/x', code: 'SCRAPE_TIMEOUT', error: 'Slow' };
		await startOne({ job: () => ({ errors: [error] }) });
		const execution = await runNode(service, of('getErrors'));
		expect(jsonOf(execution.items(NODE))).toEqual([
			{
				jobId: 'job-0',
				url: 'https://site.example/x',
				cause: 'failed',
				code: 'SCRAPE_TIMEOUT',
				message: 'Slow',
				timestamp: null,
				id: 'e',
			},
		]);
	});

	it.each(['get', 'cancel', 'getErrors'])('%s says so when the id is unknown', async (operation) => {
		await startOne({});
		const execution = await runNode(service, of(operation, { jobId: 'nobody' }));
		expect(errorText(execution)).toContain('The service does not know the crawl nobody');
	});

	it.each(['get', 'cancel', 'getErrors'])('%s sends no id that is no text', async (operation) => {
		await startOne({});
		for (const [jobId, shown] of [
			['={{ NaN }}', 'NaN'],
			['={{ [1] }}', '[1]'],
		]) {
			const execution = await runNode(service, of(operation, { jobId }));
			expect(errorText(execution)).toContain(`"Job ID" must be text, but it is ${shown}. Nothing was sent.`);
		}
		expect(service.requests).toEqual([]);
	});

	it.each(['get', 'cancel', 'getErrors'])('%s sends no id that is none', async (operation) => {
		await startOne({});
		const execution = await runNode(service, of(operation, { jobId: '../active' }));
		expect(errorText(execution)).toContain('"Job ID" must be the ID of a crawl');
		expect(service.requests).toEqual([]);
	});
});
