import { startScript } from '../helpers/script';
import {
	crawlStart,
	errorText,
	hintsOf,
	jsonOf,
	KEY,
	NODE,
	retryNode,
	runNode,
	sourceItems,
	startedIds,
	startSandbox,
	urlsOf,
} from './run';
import { scraped, serve, service } from './pageService';
import type { PageServiceParts } from './pageService';

const site = (count: number) => Array.from({ length: count }, (_unused, index) => `https://site.example/${index}`);
const crawlOf = (count: number) => ({ job: () => ({ pages: site(count).map(scraped) }) });

describe('a crawl of 2,000 pages in 20 slices', () => {
	it('comes out complete, in order, without doubles', async () => {
		await serve({ job: () => ({ pages: site(2000).map(scraped), looksLeft: 1 }) });
		const execution = await runNode(service, crawlStart({ pageLimit: 2000 }));
		expect(execution.error).toBeUndefined();
		expect(urlsOf(execution.items(NODE))).toEqual(site(2000));
		expect(new Set(sourceItems(execution.items(NODE)))).toEqual(new Set([0]));
		expect(service.requests[0]).toMatchObject({
			path: '/v2/crawl',
			body: { url: 'https://site.example/', limit: 2000 },
			headers: { authorization: `Bearer ${KEY}` },
		});
		// Two checks the job with one page each, twenty slices, the list of the pages that it failed on.
		expect(service.requests.filter(({ query }) => query.limit === '1')).toHaveLength(2);
		expect(service.requests).toHaveLength(1 + 2 + 20 + 1);
		expect(hintsOf(execution)[0]).toBe(
			'1 job finished, 2000 pages (= 4000 credits). Results expire on 2026-11-21 20:48 (America/New_York).',
		);
	});

	it('also when slices fail with 500 and 429 in between', async () => {
		const failed = new Set<string>();
		await serve({
			...crawlOf(2000),
			instead: ({ query }) => {
				const { skip = '' } = query;
				if (!['300', '1200', '1900'].includes(skip) || failed.has(skip)) return undefined;
				failed.add(skip);
				return skip === '1200'
					? { status: 429, body: { success: false, error: 'Rate limit exceeded' } }
					: { status: 500, body: { success: false, error: 'Oops' } };
			},
		});
		const execution = await runNode(service, crawlStart());
		expect(execution.error).toBeUndefined();
		expect(urlsOf(execution.items(NODE))).toEqual(site(2000));
		expect(failed.size).toBe(3);
	});

	it('with links to itself as https or at another port, is read where the service is', async () => {
		await serve({ ...crawlOf(250), nextOrigin: () => 'https://127.0.0.1:9' });
		const execution = await runNode(service, crawlStart());
		expect(urlsOf(execution.items(NODE))).toEqual(site(250));
	});

	it('with links to another host, is read where the service is, and nothing goes elsewhere', async () => {
		const answer = { success: true, status: 'completed', data: [] };
		const elsewhere = await startScript(() => ({ body: answer }), '127.0.0.2');
		await serve({ ...crawlOf(250), nextOrigin: () => elsewhere.baseUrl });
		const execution = await runNode(service, crawlStart());
		expect(urlsOf(execution.items(NODE))).toEqual(site(250));
		expect(elsewhere.requests).toEqual([]);
	});

	it('is read again from its job, not crawled again, when a retry follows a failed read', async () => {
		let broken = true;
		await serve({
			...crawlOf(250),
			instead: ({ query }) =>
				broken && query.skip === '200' ? { status: 403, body: { error: 'Forbidden' } } : undefined,
		});
		const failed = await runNode(service, crawlStart());
		expect(errorText(failed)).toContain('Forbidden');
		broken = false;
		const retried = await retryNode(service, failed, crawlStart());
		expect(urlsOf(retried.items(NODE))).toEqual(site(250));
		expect(service.count('POST')).toBe(1);
		expect(hintsOf(retried).join(' ')).toContain('Reused 1 job');
	});
});

it('a crawl that is cancelled meanwhile fails, with its id and what to do', async () => {
	await serve({ job: () => ({ pages: site(3).map(scraped), state: 'cancelled' }) });
	const execution = await runNode(service, crawlStart());
	expect(errorText(execution)).toBe(
		'The crawl was cancelled. The crawl job-0 was cancelled: the service gives no reason. A retry starts a new job, and pays for it. The pages it has can be collected with Crawl · Get, this ID and the option On Failure.',
	);
});

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

	it.each(['get', 'cancel', 'getErrors'])('%s says so when the id is unknown', async (operation) => {
		await startOne({});
		const execution = await runNode(service, of(operation, { jobId: 'nobody' }));
		expect(errorText(execution)).toContain('The service does not know the crawl nobody');
	});

	it.each(['get', 'cancel', 'getErrors'])('%s sends no id that is no text', async (operation) => {
		await startOne({});
		for (const [jobId, shown] of [
			['={{ NaN }}', 'NaN'],
			['={{ [1] }}', 'a list'],
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

it('Get of one look says why where the plan’s limits let none through', async () => {
	const sandbox = await startSandbox({ seed: 1, lightWork: true });
	expect(errorText(await runNode(sandbox, crawlStart({ url: 'https://example.com', pageLimit: 2 })))).toBe('');
	sandbox.faults.add({ step: 'crawlStatus', kind: 'rateLimit', retryAfter: 1 });
	const [id = ''] = startedIds(sandbox);
	const get = { resource: 'crawl', operation: 'get', jobId: id, waitForCompletion: false };
	const execution = await runNode(sandbox, { ...get, options: { waitOptions: { maxWait: 3 } } });
	expect(errorText(execution)).toMatch(/limit/i);
	expect(execution.items(NODE)).toEqual([]);
});
