import type { INodeType } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.ts';
import { LOADER, runLoader, STORE } from './loaderRun';
import { scraped, startPageService } from './pageService';
import type { PageService } from './pageService';
import { after, builtPackage, RETRY, startSandbox } from './run';
import { binaryOf, itemWith } from './uploads';

let sandbox: Sandbox;
let service: PageService | undefined;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1 });
});

const pathsOf = () => sandbox.requests().map(({ path }) => path);
const hintsOf = (execution: Awaited<ReturnType<typeof runLoader>>['execution']) =>
	execution
		.hints(LOADER)
		.map(({ message }) => message)
		.join(' ');

describe('Web Data Loader', () => {
	it('loads the pages that a search finds', async () => {
		const search = { source: 'search', cut: 'pages', query: 'cargo bike battery', maxResults: 3 };
		const { execution, inserted } = await runLoader(sandbox, search);
		expect(execution.error).toBeUndefined();
		expect(inserted.length).toBeGreaterThan(1);
		for (const { pageContent, metadata } of inserted) {
			expect(pageContent.length).toBeGreaterThan(100);
			expect(metadata.url).toEqual(expect.stringContaining('http'));
		}
		expect(pathsOf()).toEqual(['/v2/search']);
	});

	it('searches once although the vector store is tried again', async () => {
		let tries = 0;
		const search = { source: 'search', query: 'cargo bike battery', maxResults: 3 };
		const { execution } = await runLoader(sandbox, search, {
			store: RETRY,
			onInsert: () => {
				tries += 1;
				if (tries === 1) throw new Error('the store is away');
			},
		});
		expect(execution.error).toBeUndefined();
		expect(pathsOf().filter((path) => path === '/v2/search')).toHaveLength(1);
	});

	it('loads the file of each item', async () => {
		const files = ['report.pdf', 'birds.csv'];
		const { execution, inserted } = await runLoader(
			sandbox,
			{ source: 'file', cut: 'pages' },
			{ items: files.map((name) => itemWith({ data: binaryOf(name) })) },
		);
		expect(execution.error).toBeUndefined();
		expect(inserted.map(({ metadata: { fileName, url } }) => [fileName, url])).toEqual(files.map((name) => [name, '']));
		expect(inserted[1]?.pageContent).toContain('| redshank | 412 |');
		expect(execution.items(STORE).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('cuts pages at headings, numbered within their page', async () => {
		const { inserted } = await runLoader(sandbox, { source: 'page', url: sandbox.siteUrl });
		const paths = inserted.map(({ metadata }) => String(metadata.headingPath));
		expect(paths).toContain('Cargo bikes for city deliveries > Where they work well');
		expect(inserted.map(({ metadata }) => metadata.position)).toEqual(inserted.map((_document, index) => index + 1));
		expect(new Set(inserted.map(({ metadata }) => metadata.hash)).size).toBe(1);
	});

	it('gives each document a link that opens its page there and marks it', async () => {
		const { inserted } = await runLoader(sandbox, { source: 'page', url: sandbox.siteUrl, maxCharacters: 400 });
		const links = inserted.map(({ metadata }) => String(metadata.link));
		expect(new Set(links).size).toBe(inserted.length);
		for (const [at, { pageContent }] of inserted.entries()) {
			const [, start, end] = /^http[^#]+#:~:text=([^,]+),(.+)$/.exec(links[at] ?? '') ?? [];
			// The words of a heading may stand in the menu above it.
			const words = pageContent.replace(/^(?:#+ .*\s+)+|[*`\\]/g, '').replace(/\s+/g, ' ');
			expect(words.startsWith(decodeURIComponent(start ?? ''))).toBe(true);
			expect(words).toContain(decodeURIComponent(end ?? '?'));
		}
	});

	it('names the pages that become no document', async () => {
		const page = (url: string, markdown: string, statusCode = 200) => ({
			markdown,
			metadata: { url, sourceURL: url, statusCode },
		});
		service = await startPageService({
			job: () => ({
				pages: [
					page('https://x.example/good', '# Good'),
					page('https://x.example/empty', ' '),
					page('https://x.example/gone', '# Not found', 404),
				],
				errors: [{ url: 'https://x.example/slow', error: 'Timed out', code: 'SCRAPE_TIMEOUT' }],
			}),
		});
		const crawl = { source: 'crawl', url: 'https://x.example/' };
		const { execution, inserted } = await runLoader(service, crawl);
		expect(execution.error).toBeUndefined();
		expect(inserted.map(({ pageContent }) => pageContent)).toEqual(['# Good']);
		const hints = hintsOf(execution);
		expect(hints).toContain(
			'2 pages could not be read, so no document was made: https://x.example/gone, https://x.example/slow.',
		);
		expect(hints).toContain('1 page had no text, so no document was made: https://x.example/empty.');
	});

	it('puts no data into documents, and says which pages have one text', async () => {
		const text = `Two sentences. ![chart](data:image/png;base64,${'iVBORw0KGgo'.repeat(10_000)}) And a chart.`;
		const names = ['a', 'b', 'c'].map((name) => `https://x.example/${name}`);
		service = await startPageService({
			job: () => ({ pages: names.map((url) => ({ ...scraped(url), markdown: text })) }),
		});
		const { execution, inserted } = await runLoader(service, { source: 'crawl', url: 'https://x.example/' });
		expect(new Set(inserted.map(({ pageContent }) => pageContent))).toEqual(
			new Set(['Two sentences. ![chart](image/png, left out) And a chart.']),
		);
		expect(hintsOf(execution)).toContain(
			`2 pages have the same text as one before, so the store holds that text more than once: ${names[1]}, ${names[2]}.`,
		);
	});

	it('is an error where nothing was loaded', async () => {
		const errors = [{ url: 'https://x.example/a', error: 'Timed out', code: 'SCRAPE_TIMEOUT' }];
		service = await startPageService({
			job: () => ({ pages: [{ ...scraped('https://x.example/b'), markdown: ' ' }], errors }),
		});
		const { execution, inserted } = await runLoader(service, { source: 'crawl', url: 'https://x.example/' });
		expect(execution.error?.message).toBe(
			'Nothing was loaded: 1 page could not be read, so no document was made: https://x.example/a. 1 page had no text, so no document was made: https://x.example/b.',
		);
		expect(inserted).toEqual([]);
		sandbox.faults.add({ step: 'search', kind: 'body', body: { success: true, data: { web: [] } } });
		const search = await runLoader(sandbox, { source: 'search', query: 'nothing at all' });
		sandbox.faults.clear();
		expect(search.execution.error?.message).toBe('Nothing was loaded: Search Results found no page.');
	});

	it('loads pages that look alike, and names those that it takes for another spelling', async () => {
		const urls = ['https://x.example/a?sid=12', 'https://x.example/a?sid=13', 'https://x.example/b'];
		const spelled = 'http://www.x.example/b/';
		service = await startPageService({ job: () => ({ pages: [...urls, spelled].map(scraped) }) });
		const crawl = { source: 'crawl', url: 'https://x.example/' };
		const { execution, inserted } = await runLoader(service, crawl);
		expect(inserted.map(({ metadata }) => metadata.url)).toEqual(urls);
		expect(hintsOf(execution)).toContain(
			`1 page had the address of a page that is loaded already, or probably another spelling of it, so no document was made: ${spelled} (as ${urls[2]}).`,
		);
	});

	it.each(['page', 'batch'])('of %s loses one document, not the load, where one URL fails', async (source) => {
		const items = ['/costs', '/nowhere.invalid', '/winter'].map((path) => ({
			json: {
				url: path.startsWith('/nowhere') ? 'https://nowhere.invalid/' : `${sandbox.siteUrl}${path}`,
			},
		}));
		const { execution, inserted } = await runLoader(sandbox, { source, url: '={{ $json.url }}' }, { items });
		expect(execution.error).toBeUndefined();
		expect(new Set(inserted.map(({ metadata }) => metadata.url)).size).toBe(2);
		expect(hintsOf(execution)).toContain('nowhere.invalid');
		const none = await runLoader(
			sandbox,
			{ source, url: '={{ $json.url }}' },
			{ items: [items[1] as never, items[1] as never] },
		);
		expect(none.execution.error).toBeDefined();
	});

	it('says so where there are more documents than a vector store of n8n can take', async () => {
		const url = 'https://x.example/';
		const page = { markdown: `# a\n${'b'.repeat(60)}\n`.repeat(100_001), metadata: { url, sourceURL: url } };
		service = await startPageService({ job: () => ({ pages: [page] }) });
		const { execution, inserted } = await runLoader(service, { source: 'crawl', url, maxCharacters: 100 });
		expect(execution.error?.message).toMatch(
			/would make 100001 documents, .* at most 100000: raise Max Characters or load fewer pages\.$/,
		);
		expect(inserted).toEqual([]);
	});

	it('cancels its crawl when the execution is stopped', async () => {
		service = await startPageService({ job: () => ({ looksLeft: 1000 }) });
		const stop = new AbortController();
		const crawl = { source: 'crawl', url: 'https://x.example/' };
		const running = runLoader(service, crawl, { signal: stop.signal });
		while (service.count('GET') === 0) await after(20);
		stop.abort();
		const { inserted } = await running;
		await after(300);
		expect(inserted).toEqual([]);
		expect(service.count('DELETE')).toBe(1);
	});

	it('loads every page again: a vector store that fails must not lose what has changed', async () => {
		const job = () => ({ pages: [scraped('https://x.example/')] });
		service = await startPageService({ job });
		const { nodeTypes } = await builtPackage();
		const { description } = nodeTypes.get('n8n-nodes-web-data.webDataLoader') as INodeType;
		expect(JSON.stringify(description)).not.toMatch(/onlyChanged|ignoredLines|storeAsFiles|webhook/);
		const crawl = { source: 'crawl', url: 'https://x.example/', options: { onlyChanged: true } };
		for (const mode of ['trigger', 'trigger'] as const) {
			const { inserted } = await runLoader(service, crawl, { mode });
			expect(inserted).toHaveLength(1);
		}
	});

	it.each([
		[{ cut: 'splitter' }, /text splitter/i],
		[{ maxCharacters: 5 }, /"Max Characters" must be a whole number from 100 to 100000/],
		[{ source: 'sitemap' }, /no source "sitemap"/],
		[{ url: '' }, /URL/],
	])('refuses %j before any request', async (wrong, message) => {
		const page = { source: 'page', url: sandbox.siteUrl, ...wrong };
		const { execution } = await runLoader(sandbox, page);
		expect(execution.error?.message).toMatch(message);
		expect(execution.error?.message).not.toMatch(/Error in sub-node/);
		expect(pathsOf()).toEqual([]);
	});
});
