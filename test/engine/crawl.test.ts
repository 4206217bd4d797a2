import { startScript } from '../helpers/script';
import { crawlStart, errorText, hintsOf, jsonOf, KEY, NODE, retryNode, runNode, sourceItems, urlsOf } from './run';
import { scraped, serve, service } from './pageService';

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

describe('a crawl that is cancelled meanwhile', () => {
	const cancelled = {
		job: () => ({ pages: site(3).map(scraped), state: 'cancelled' }),
	};

	it('fails, with its id and what to do', async () => {
		await serve(cancelled);
		const execution = await runNode(service, crawlStart());
		expect(errorText(execution)).toBe(
			'The crawl was cancelled. The crawl job-0 was cancelled: the service gives no reason. A retry starts a new job, and pays for it. The pages it has can be collected with Crawl · Get, this ID and the option On Failure.',
		);
	});

	it('gives the pages it has when asked to, slice by slice', async () => {
		await serve({ job: () => ({ pages: site(1250).map(scraped), state: 'cancelled' }) });
		const waitOptions = { onFailure: 'output' };
		const execution = await runNode(service, crawlStart({ options: { waitOptions } }));
		expect(execution.error).toBeUndefined();
		expect(hintsOf(execution)[0]).toContain('1 job ended early, 1250 pages');
		expect(jsonOf(execution.items(NODE))).toMatchObject(
			site(1250).map((url) => ({ url, jobId: 'job-0', jobStatus: 'cancelled' })),
		);
	});

	it('tells its state in one item when it has no pages', async () => {
		await serve({ job: () => ({ pages: [], state: 'failed' }) });
		const waitOptions = { onFailure: 'output' };
		const execution = await runNode(service, crawlStart({ options: { waitOptions } }));
		expect(jsonOf(execution.items(NODE))).toMatchObject([{ id: 'job-0', status: 'failed' }]);
	});
});

describe('outputs', () => {
	it('one item per page: what it is, its content, how it was had, its job', async () => {
		await serve({});
		const execution = await runNode(service, crawlStart());
		expect(jsonOf(execution.items(NODE))).toEqual([
			{
				url: 'https://site.example/',
				title: 'Title of https://site.example/',
				description: null,
				language: null,
				markdown: 'Text of https://site.example/',
				statusCode: null,
				scrapeId: 'scrape https://site.example/',
				creditsUsed: null,
				jobId: 'job-0',
				jobStatus: 'completed',
			},
		]);
	});

	it('one item per job with all pages', async () => {
		await serve(crawlOf(250));
		const execution = await runNode(service, crawlStart({ output: 'job' }));
		const [item] = jsonOf(execution.items(NODE)) as Array<{ pages: Array<{ url: string }> }>;
		expect(item).toMatchObject({ id: 'job-0', status: 'completed', completed: 250 });
		expect(item?.pages.map(({ url }) => url)).toEqual(site(250));
	});

	it('status only reads no pages', async () => {
		await serve(crawlOf(250));
		const execution = await runNode(service, crawlStart({ output: 'status' }));
		expect(jsonOf(execution.items(NODE))).toEqual([
			{
				id: 'job-0',
				status: 'completed',
				total: 250,
				completed: 250,
				creditsUsed: 500,
				expiresAt: '2026-11-22T01:48:17.000Z',
			},
		]);
		// One check, and the list of the pages that it failed on.
		expect(service.count('GET')).toBe(2);
	});

	it('without waiting, the id at once', async () => {
		await serve({});
		const execution = await runNode(service, crawlStart({ waitForCompletion: false }));
		expect(jsonOf(execution.items(NODE))).toEqual([{ id: 'job-0', url: 'https://site.example/' }]);
		expect(service.requests).toHaveLength(1);
	});

	it('an unfinished crawl gives what there is when Max Wait is reached', async () => {
		await serve({ job: () => ({ looksLeft: 1000 }) });
		const waitOptions = { maxWait: 1, onTimeout: 'output' };
		const execution = await runNode(service, crawlStart({ options: { waitOptions } }));
		expect(jsonOf(execution.items(NODE))).toMatchObject([{ jobStatus: 'scraping' }]);
	});
});

it('Preview Options shows what a prompt becomes', async () => {
	const data = { includePaths: ['blog/.*'], limit: 20 };
	await serve({ instead: () => ({ body: { success: true, data } }) });
	const execution = await runNode(service, {
		resource: 'crawl',
		operation: 'previewOptions',
		url: 'https://site.example',
		prompt: 'only the blog',
	});
	expect(jsonOf(execution.items(NODE))).toEqual([data]);
	expect(service.requests).toMatchObject([{ path: '/v2/crawl/params-preview', body: { prompt: 'only the blog' } }]);
});

it('sends what was set, and nothing else', async () => {
	await serve({});
	await runNode(
		service,
		crawlStart({
			pageLimit: 7,
			options: {
				includePaths: 'docs/.*\nblog/a{1,2}',
				delay: 0.5,
				sitemap: 'skip',
				webhook: { target: { url: 'https://hook.example', events: ['completed'] } },
				rareOptions: { zeroDataRetention: true },
			},
			scrapeOptions: { onlyMainContent: false },
			formats: ['markdown', 'links'],
		}),
	);
	expect(service.requests[0]?.body).toEqual({
		url: 'https://site.example/',
		limit: 7,
		includePaths: ['docs/.*', 'blog/a{1,2}'],
		delay: 0.5,
		sitemap: 'skip',
		webhook: { url: 'https://hook.example', events: ['completed'] },
		zeroDataRetention: true,
		scrapeOptions: { onlyMainContent: false, formats: ['markdown', 'links'] },
	});
});
