import { pages2026 } from './recorded2026';
import { batchStart, crawlStart, jsonOf, NODE, runNode } from './run';
import { serve, service } from './pageService';

const [redirected = {}] = pages2026('scrape-63-redirect');
const metadata = redirected.metadata as Record<string, unknown>;

/** What every operation tells of the page, in this order. */
const PAGE = {
	url: 'http://site.fixture.test:8897/about',
	requestedUrl: 'http://site.fixture.test:8897/redirect',
	title: 'About the Society',
	description: 'About the Society - fixture page',
	language: 'en',
	markdown: redirected.markdown,
	statusCode: 200,
	scrapeId: metadata.scrapeId,
	creditsUsed: 1,
};

const asked = 'http://site.fixture.test:8897/redirect';
const { markdown } = redirected;

/** Runs an operation on a service that gives this page, whatever it is asked. */
async function itemOf(operation: string, more = {}) {
	await serve({
		job: () => ({ pages: [redirected] }),
		instead: ({ path }) => {
			if (path === '/v2/scrape') return { body: { success: true, data: redirected } };
			if (path !== '/v2/search') return undefined;
			const hit = { url: asked, title: PAGE.title, description: PAGE.description };
			return { body: { success: true, data: { web: [{ ...hit, markdown, metadata }] } } };
		},
	});
	const parameters = {
		scrape: { resource: 'page', operation: 'scrape', url: asked },
		crawl: crawlStart(),
		batch: batchStart({ url: asked }),
		search: { resource: 'search', operation: 'search', query: 'society', withContent: true },
	}[operation];
	const execution = await runNode(service, { ...parameters, ...more });
	expect(execution.error).toBeUndefined();
	return jsonOf(execution.items(NODE))[0] ?? {};
}

describe.each([
	['scrape', [], 'fullDocument'],
	['crawl', ['jobId', 'jobStatus'], 'fullPages'],
	['batch', ['jobId', 'jobStatus'], 'fullPages'],
	['search', ['source', 'position'], 'fullResults'],
])('a page of a %s', (operation, ends, full) => {
	it('is a full document when asked to: the same, and all metadata', async () => {
		const item = await itemOf(operation, { output: full });
		expect(item).toMatchObject({ ...PAGE, metadata });
		expect(Object.keys(item)).toEqual(expect.arrayContaining(ends));
	});
});

describe('results of a search', () => {
	const HITS = {
		web: [{ url: 'https://a.example/', title: 'A', description: 'About a' }],
		news: [
			{ url: 'https://b.example/', title: 'B', snippet: 'News of b', date: '2 hours ago' },
			{
				url: 'https://c.example/',
				title: 'C',
				snippet: 'News of c',
				imageUrl: 'https://i.example',
			},
		],
		images: [{ url: 'https://d.example/', title: 'D', imageUrl: 'https://d.example/d.png' }],
	};

	it('share their columns whatever they are, and leave none undefined', async () => {
		await serve({ instead: () => ({ body: { success: true, data: HITS } }) });
		const execution = await runNode(service, {
			resource: 'search',
			operation: 'search',
			query: 'a',
			sources: ['web', 'news', 'images'],
		});
		const results = jsonOf(execution.items(NODE));
		expect(results).toEqual([
			expect.objectContaining({
				description: 'About a',
				date: null,
				imageUrl: null,
				source: 'web',
			}),
			expect.objectContaining({ description: 'News of b', date: '2 hours ago', source: 'news' }),
			expect.objectContaining({ description: 'News of c', date: null, position: 2 }),
			expect.objectContaining({ description: null, imageUrl: 'https://d.example/d.png' }),
		]);
		for (const result of results) {
			expect(Object.keys(result)).toEqual(['url', 'title', 'description', 'date', 'imageUrl', 'source', 'position']);
		}
	});
});

describe('a file', () => {
	it.each([
		['https://a.example/report.pdf', 'pdf', 'a.example_report.pdf'],
		['https://a.example/Notes.MD', 'markdown', 'a.example_Notes.md'],
		['https://a.example/index.html', 'rawHtml', 'a.example_index.raw.html'],
		['https://a.example/report.pdf', 'screenshot', 'a.example_report.pdf.png'],
	])('of %s as %s is named once', async (url, kind, fileName) => {
		const pdf = Buffer.from('%PDF-1.7 test').toString('base64');
		const content = {
			pdf: { markdown: pdf },
			markdown: { markdown: 'Text' },
			rawHtml: { rawHtml: '<p>Hi' },
			screenshot: { screenshot: 'iVBORw0KGgoAAAANSUhEUgAA' },
		}[kind];
		await serve({ job: () => ({ pages: [{ ...content, metadata: { url, sourceURL: url } }] }) });
		const execution = await runNode(service, crawlStart({ scrapeOptions: { storeAsFiles: [kind] } }));
		expect(execution.items(NODE)[0]?.binary?.[kind]?.fileName).toBe(fileName);
	});
});
