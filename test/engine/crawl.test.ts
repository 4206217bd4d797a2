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
