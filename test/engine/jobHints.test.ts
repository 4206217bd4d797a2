import type { ScriptAnswer, ScriptRequest } from '../helpers/script';
import { answer2026, pages2026 } from './recorded2026';
import { callTool, crawlStart, errorText, hintsOf, jsonOf, NODE, runNode, sourceItems, urlsOf } from './run';
import { scraped, serve, service } from './pageService';

const SITE = 'http://site.fixture.test:8897';
const crawlGet = (more = {}) => ({ resource: 'crawl', operation: 'get', jobId: 'job-0', ...more });

/** A service whose one job is answered as a real server of August 2026 did. */
const recordedJob =
	(status: object, errors: object = { errors: [], robotsBlocked: [] }) =>
	({ method, path }: ScriptRequest): ScriptAnswer | undefined => {
		if (method === 'POST') return undefined;
		return { body: path.endsWith('/errors') ? errors : status };
	};

const page = (name: string, more = {}) => {
	const { metadata, ...content } = scraped(`${SITE}/${name}`) as { metadata: object };
	return { ...content, metadata: { ...metadata, ...more } };
};
const failedOn = (name: string, code = 'SCRAPE_TIMEOUT', error = 'It took too long. Try again.') => ({
	id: `e-${name}`,
	url: `${SITE}/${name}`,
	code,
	error,
});

describe('a crawl that ends well without a page', () => {
	const failing = recordedJob(answer2026('crawl-41-status-page-fails'), answer2026('crawl-42-errors-page-fails'));

	it('is an error that names job, address, the reason and the remark of the service', async () => {
		await serve({ instead: failing });
		const execution = await runNode(service, crawlStart({ url: `${SITE}/reset` }));
		const { message = '', description } = execution.error ?? {};
		const text = `${message} ${String(description)}`;
		expect(text).toContain('job-0');
		expect(text).toContain(`${SITE}/reset`);
		expect(text).toContain('All scraping engines failed to retrieve content from this URL');
		expect(text).toContain('SCRAPE_ALL_ENGINES_FAILED');
		expect(text).toContain('Only 0 result(s) found.');
	});

	it('of three items, is the one that goes to the error branch', async () => {
		await serve({
			job: ({ url }) => ({ pages: String(url).includes('2') ? [] : [scraped(String(url))] }),
		});
		const execution = await runNode(service, crawlStart({ url: '={{ $json.url }}' }), {
			items: [1, 2, 3].map((number) => ({ url: `${SITE}/${number}` })),
			node: { onError: 'continueErrorOutput' },
		});
		expect(execution.error).toBeUndefined();
		expect(sourceItems(execution.items(NODE, 0))).toEqual([0, 2]);
		expect(sourceItems(execution.items(NODE, 1))).toEqual([1]);
		expect(execution.items(NODE, 1)[0]?.json).toMatchObject({
			error: expect.stringContaining(`The crawl job-1 of ${SITE}/2 ended without a page`),
			details: { jobId: 'job-1' },
		});
		expect(hintsOf(execution)[0]).toContain('1 of 3 items failed.');
	});

	it('says that robots.txt forbids it, where that is the reason', async () => {
		await serve({
			instead: recordedJob(answer2026('crawl-44-status-robots'), answer2026('crawl-45-errors-robots')),
		});
		const execution = await runNode(service, crawlGet());
		expect(`${errorText(execution)} ${String(execution.error?.description)}`).toContain(
			"blocked by the website's robots.txt",
		);
	});

	it('is an error, too, when the list of its errors cannot be had', async () => {
		await serve({
			job: () => ({ pages: [] }),
			instead: ({ path }) => (path.endsWith('/errors') ? { status: 404, body: '<html>Cannot GET' } : undefined),
		});
		const execution = await runNode(service, crawlStart());
		expect(`${errorText(execution)} ${String(execution.error?.description)}`).toContain('ended without a page');
	});
});

describe('a plain list without anything', () => {
	const MAP = { resource: 'map', operation: 'map', url: SITE };
	const SEARCH = { resource: 'search', operation: 'search', query: 'tides' };
	it.each([
		['map', MAP, answer2026('map-04-sitemap-skip'), `no links for ${SITE}`, 'Only 0 result(s)'],
		['search', SEARCH, answer2026('search-17-no-results'), 'no results for tides', ''],
		[
			'list of errors',
			crawlGet({ operation: 'getErrors' }),
			{ errors: [], robotsBlocked: [] },
			'no failed pages of the crawl job-0',
			'',
		],
		[
			'list of crawls',
			{ resource: 'crawl', operation: 'getActive' },
			{ success: true, crawls: [] },
			'no active crawls',
			'',
		],
	])('%s: no items, and a hint that says so', async (_name, parameters, body, says, remark) => {
		await serve({ instead: () => ({ body }) });
		const execution = await runNode(service, parameters);
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)).toEqual([]);
		expect(hintsOf(execution).join(' ')).toContain(`Nothing was found: ${says}`);
		expect(hintsOf(execution).join(' ')).toContain(remark);
	});

	it('is an item for an AI agent, which sees no hints', async () => {
		await serve({ instead: () => ({ body: answer2026('map-04-sitemap-skip') }) });
		const { text } = await callTool(service, {
			parameters: { ...MAP, url: "={{ $fromAI('url') }}" },
			args: { url: SITE },
			path: 'invoke',
		});
		expect(text).toContain(`There are no links for ${SITE}`);
		expect(text).toContain('Only 0 result(s) found.');
	});
});

describe('pages that a job failed on', () => {
	const partly = {
		job: () => ({
			pages: [page('a'), page('b')],
			errors: [
				...['c', 'd', 'e', 'f'].map((name) => failedOn(name)),
				failedOn('secret', 'CRAWL_DENIAL', 'Blocked by robots.txt.'),
			],
		}),
	};
	const FAILED = `4 pages failed: ${SITE}/c: It took too long (SCRAPE_TIMEOUT); ${SITE}/d: It took too long (SCRAPE_TIMEOUT); ${SITE}/e: It took too long (SCRAPE_TIMEOUT); and 1 more. Crawl · Get Errors lists them.`;
	const DENIED = `1 page left out, because the robots.txt of the site forbids it: ${SITE}/secret.`;

	it.each([['pages'], ['fullPages'], ['job'], ['status']])(
		'are counted in a hint, with the first three reasons: output %s',
		async (output) => {
			await serve(partly);
			const execution = await runNode(service, crawlStart({ output }));
			expect(hintsOf(execution)).toEqual(expect.arrayContaining([FAILED, DENIED]));
			expect(service.count('GET', '/errors')).toBe(1);
		},
	);

	it('are told apart from those that a path rule leaves out, or that the service does not support', async () => {
		const path =
			"This URL's path (/x) does not match any of the regex patterns you provided in the includePaths parameter.";
		await serve({
			job: () => ({
				pages: [page('a')],
				errors: [
					failedOn('c', 'CRAWL_DENIAL', path),
					failedOn('d', 'CRAWL_DENIAL', 'EXCLUDE_PATTERN'),
					failedOn('e', 'CRAWL_DENIAL', 'This website is not supported.'),
				],
			}),
		});
		const told = hintsOf(await runNode(service, crawlStart()));
		expect(told).toEqual(
			expect.arrayContaining([
				`2 pages left out by a rule of the crawl: ${SITE}/c: No pattern of Include Paths matches this page; ${SITE}/d: A pattern of Exclude Paths matches this page.`,
				`1 page failed: ${SITE}/e: The service does not support this site (CRAWL_DENIAL). Crawl · Get Errors lists them.`,
			]),
		);
		expect(told.join(' ')).not.toContain('robots');
	});

	it('are told by Get as well, with and without waiting', async () => {
		await serve(partly);
		await runNode(service, crawlStart({ waitForCompletion: false }));
		for (const waitForCompletion of [true, false]) {
			const execution = await runNode(service, crawlGet({ waitForCompletion }));
			expect(hintsOf(execution)).toEqual(expect.arrayContaining([FAILED, DENIED]));
		}
	});

	it('are items when asked to, with their reason where no node takes it for an error', async () => {
		await serve(partly);
		const execution = await runNode(service, crawlStart({ options: { failedPages: true } }));
		const items = jsonOf(execution.items(NODE));
		expect(urlsOf(execution.items(NODE))).toEqual(
			['a', 'b', 'c', 'd', 'e', 'f', 'secret'].map((name) => `${SITE}/${name}`),
		);
		expect(items[2]).toEqual({
			url: `${SITE}/c`,
			requestedUrl: `${SITE}/c`,
			title: null,
			description: null,
			language: null,
			pageError: 'It took too long. Try again.',
			code: 'SCRAPE_TIMEOUT',
			cause: 'failed',
			statusCode: null,
			scrapeId: 'e-c',
			creditsUsed: null,
			jobId: 'job-0',
			jobStatus: 'completed',
		});
		expect(items[6]).toMatchObject({ cause: 'robots' });
	});

	it.each([
		['the server has no such list', { status: 404, body: '<html>Cannot GET' }],
		['it is refused for the limit', { status: 429, body: { error: 'Rate limit exceeded' } }],
		['it fails', { status: 500, body: { error: 'Oops' } }],
		['it is nonsense', { body: { errors: 'many' } }],
	])('never make the run fail, and are asked for once: %s', async (_name, answer) => {
		await serve({
			job: () => ({ pages: [page('a')] }),
			instead: ({ path }) => (path.endsWith('/errors') ? answer : undefined),
		});
		const items = [1, 2, 3].map((number) => ({ url: `${SITE}/${number}` }));
		const began = performance.now();
		const parameters = crawlStart({ url: '={{ $json.url }}' });
		const execution = await runNode(service, parameters, { items });
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)).toHaveLength(3);
		expect(service.count('GET', '/errors')).toBeLessThanOrEqual(3);
		expect(hintsOf(execution).join(' ')).toContain('Could not check 3 jobs for failed pages');
		expect(performance.now() - began).toBeLessThan(15_000);
	});
});

describe('what a job costs', () => {
	const completed = answer2026('crawl-05-status-completed');

	it('is what its pages say when the service says -1', async () => {
		await serve({ instead: recordedJob(completed) });
		const execution = await runNode(service, crawlStart());
		expect(hintsOf(execution)[0]).toMatch(/^1 job finished, 3 pages \(= 3 credits\)\./);
		const job = await runNode(service, crawlStart({ output: 'job' }));
		expect(jsonOf(job.items(NODE))[0]).toMatchObject({ creditsUsed: 3 });
	});
});

describe('pages that answered with an HTTP error', () => {
	const [missing = {}] = pages2026('scrape-60-page-404');
	const TEXT = '1 page answered with an HTTP error: 500 (1).';

	it('are counted in the hint of a crawl, by status', async () => {
		await serve({
			job: () => ({ pages: [missing, page('broken', { statusCode: 500 }), page('good')] }),
		});
		expect(hintsOf(await runNode(service, crawlStart()))).toContain(TEXT);
	});
});

describe('what is not complete', () => {
	it('says so: Get of a running crawl without waiting', async () => {
		await serve({ instead: recordedJob(answer2026('crawl-03-status-scraping')) });
		const execution = await runNode(service, crawlGet());
		expect(execution.items(NODE)).toHaveLength(2);
		expect(hintsOf(execution)).toContain('The output is incomplete: the crawl job-0 is "scraping", 2 of 12 pages.');
	});

	it('says so: the pages that a cancelled crawl has', async () => {
		await serve({ job: () => ({ pages: [page('a')], state: 'cancelled' }) });
		const options = { waitOptions: { onFailure: 'output' } };
		const execution = await runNode(service, crawlStart({ options }));
		expect(hintsOf(execution)[0]).toContain('1 job ended early, 1 page');
		expect(hintsOf(execution).join(' ')).toContain('The output is incomplete: the crawl job-0 is "cancelled"');
	});

	it('says so: a limit of Get', async () => {
		await serve({ job: () => ({ pages: ['a', 'b', 'c'].map((name) => page(name)) }) });
		await runNode(service, crawlStart({ waitForCompletion: false }));
		const execution = await runNode(service, crawlGet({ returnAll: false, limit: 2 }));
		expect(hintsOf(execution)[0]).toMatch(/^1 job finished, 2 of 3 pages/);
	});

	it.each(['failed', 'cancelled', 'completed', 'scraping'])(
		'Status Only gives the state of a crawl that is %s',
		async (status) => {
			await serve({
				instead: recordedJob({
					status,
					completed: 1,
					total: 2,
					...(status === 'failed' && { error: 'Why' }),
				}),
			});
			const execution = await runNode(service, crawlGet({ output: 'status' }));
			expect(execution.error).toBeUndefined();
			expect(jsonOf(execution.items(NODE))[0]).toMatchObject({
				id: 'job-0',
				status,
				...(status === 'failed' && { reason: 'Why' }),
			});
		},
	);
});

it('says "3 of 5 items failed" for scrapes', async () => {
	await serve({
		instead: ({ body: { url } }) =>
			/[123]$/.test(String(url))
				? { status: 500, body: answer2026('scrape-62-reset') }
				: { body: answer2026('scrape-01-default') },
	});
	const execution = await runNode(
		service,
		{ resource: 'page', operation: 'scrape', url: '={{ $json.url }}' },
		{
			items: [1, 2, 3, 4, 5].map((number) => ({ url: `${SITE}/${number}` })),
			node: { onError: 'continueRegularOutput' },
		},
	);
	expect(hintsOf(execution)[0]).toBe('2 pages (= 2 credits). 3 of 5 items failed.');
});
