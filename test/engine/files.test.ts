import { binaryText } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { scraped, startPageService } from './pageService';
import type { PageService, PageServiceParts } from './pageService';
import { callTool, crawlStart, NODE, runNode, startSandbox } from './run';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

const SCRAPE = { resource: 'page', operation: 'scrape' };
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Answers of the service that hold this page. */
function answerWith(data: Record<string, unknown>) {
	sandbox.faults.add({
		step: 'scrape',
		kind: 'body',
		httpStatus: 200,
		body: { success: true, data },
	});
}

const store = (...storeAsFiles: string[]) => ({ scrapeOptions: { storeAsFiles } });

describe('files of a page', () => {
	it('are Markdown and HTML, named after the page, instead of JSON', async () => {
		const execution = await runNode(sandbox, {
			...SCRAPE,
			url: sandbox.siteUrl,
			formats: ['markdown', 'rawHtml'],
			...store('markdown', 'rawHtml'),
		});
		expect(execution.error).toBeUndefined();
		const [item] = execution.items(NODE);
		expect(item?.binary?.markdown).toMatchObject({
			fileName: expect.stringMatching(/^127\.0\.0\.1.*\.md$/),
			mimeType: 'text/markdown',
		});
		expect(binaryText(item, 'rawHtml')).toMatch(/<html/i);
		expect(item?.json).not.toHaveProperty('markdown');
	});

	it('are screenshots of a page, and of each page of a crawl', async () => {
		const parameters = { url: 'https://example.com/', formats: ['screenshot'], ...store('screenshot') };
		const page = await runNode(sandbox, { ...SCRAPE, ...parameters });
		const crawl = await runNode(sandbox, crawlStart({ ...parameters, pageLimit: 3 }));
		const pictures = [page, crawl].flatMap((execution) =>
			execution.items(NODE).map(({ binary }) => binary?.screenshot),
		);
		expect(pictures).toHaveLength(4);
		for (const picture of pictures) {
			expect(picture?.mimeType).toBe('image/png');
			expect(picture?.data.startsWith('iVBORw0KGgo')).toBe(true);
		}
	});

	it.each([
		['base64', PIXEL],
		['a data URI', `data:image/png;base64,${PIXEL}`],
	])('are screenshots that come as %s', async (_what, screenshot) => {
		answerWith({ screenshot, metadata: { url: 'https://example.com/a' } });
		const execution = await runNode(sandbox, {
			...SCRAPE,
			url: 'example.com/a',
			formats: ['screenshot'],
			...store('screenshot'),
		});
		const [item] = execution.items(NODE);
		expect(item?.binary?.screenshot).toMatchObject({
			fileName: 'example.com_a.png',
			mimeType: 'image/png',
		});
		expect(item?.json).not.toHaveProperty('screenshot');
	});

	it('are screenshots behind a link, which are fetched without the key', async () => {
		const link = `${sandbox.siteUrl}/`;
		answerWith({ screenshot: link, actions: { screenshots: ['http://127.0.0.1:9/gone.png'] } });
		const execution = await runNode(sandbox, {
			...SCRAPE,
			url: 'example.com',
			...store('screenshot'),
		});
		expect(execution.error).toBeUndefined();
		const [item] = execution.items(NODE);
		expect(binaryText(item, 'screenshot')).toMatch(/<html/i);
		expect(item?.json.screenshot).toBe(link);
		expect(item?.json.filesNotStored).toEqual([
			{
				field: 'screenshot_1',
				url: 'http://127.0.0.1:9/gone.png',
				reason: expect.stringContaining('fetched from http://127.0.0.1:9: nothing answers there'),
			},
		]);
	});

	it('are none for an AI agent: it reads links and text, and no data', async () => {
		answerWith({ markdown: 'Text of the page', screenshot: PIXEL });
		for (const path of ['invoke', 'request'] as const) {
			const { text } = await callTool(sandbox, {
				parameters: { ...SCRAPE, url: "={{ $fromAI('url') }}", ...store('markdown', 'screenshot') },
				args: { url: 'example.com' },
				path,
			});
			expect(text).toContain('Text of the page');
			expect(text).toContain('(image/png, left out)');
			expect(text).not.toContain(PIXEL);
		}
	});

	it('are PDF files that were not parsed', async () => {
		const pdf = Buffer.from('%PDF-1.7 test').toString('base64');
		answerWith({ markdown: pdf, metadata: { contentType: 'application/pdf' } });
		const execution = await runNode(sandbox, {
			...SCRAPE,
			url: 'https://example.com/file.pdf',
			scrapeOptions: { parsers: {}, storeAsFiles: ['pdf'] },
		});
		const [item] = execution.items(NODE);
		expect(binaryText(item, 'pdf')).toBe('%PDF-1.7 test');
		expect(item?.json).not.toHaveProperty('markdown');
	});
});

describe('files of jobs', () => {
	let service: PageService;
	const serve = async (parts: PageServiceParts = {}) => {
		service = await startPageService(parts);
	};

	const withPicture = (url: string) => ({ ...scraped(url), screenshot: PIXEL, rawHtml: '<p>Hi' });

	it('are taken out of each page of a crawl', async () => {
		const urls = ['https://site.example/a', 'https://site.example/b'];
		await serve({ job: () => ({ pages: urls.map(withPicture) }) });
		const execution = await runNode(service, crawlStart(store('screenshot', 'rawHtml')));
		expect(execution.error).toBeUndefined();
		const items = execution.items(NODE);
		expect(items.map(({ binary }) => binary?.screenshot?.fileName)).toEqual([
			'site.example_a.png',
			'site.example_b.png',
		]);
		expect(items.map((item) => binaryText(item, 'rawHtml'))).toEqual(['<p>Hi', '<p>Hi']);
		expect(items[0]?.json).toMatchObject({ url: urls[0], markdown: `Text of ${urls[0]}` });
		expect(items[0]?.json).not.toHaveProperty('screenshot');
		expect(items[0]?.json).not.toHaveProperty('rawHtml');
	});

	it.each([
		['pages', {}],
		['one item for the job', { output: 'job' }],
	])('are none for an AI agent that crawls: %s', async (_what, parameters) => {
		const page = {
			...withPicture('https://site.example/a'),
			actions: { screenshots: [PIXEL], pdfs: [] },
		};
		await serve({ job: () => ({ pages: [page] }) });
		const { text } = await callTool(service, {
			parameters: {
				...crawlStart(parameters),
				url: "={{ $fromAI('url') }}",
				...store('screenshot'),
			},
			args: { url: 'https://site.example/' },
			path: 'invoke',
		});
		expect(text).toContain('Text of https://site.example/a');
		expect(text).toContain('(image/png, left out)');
		expect(text).not.toContain(PIXEL);
	});
});
