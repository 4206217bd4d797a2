import type { Sandbox } from '../../sandbox/server.ts';
import { LOADER, retryLoader, runLoader, shownPages, STORE } from './loaderRun';
import { RETRY, startSandbox } from './run';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1 });
});

const starts = () => sandbox.requests().filter(({ method }) => method === 'POST').length;
const crawl = () => ({
	source: 'crawl',
	cut: 'pages',
	url: sandbox.siteUrl,
	pageLimit: 4,
	options: { crawlEntireDomain: true },
});

describe('Web Data Loader', () => {
	it('loads the pages of a crawl as documents for a vector store', async () => {
		const { execution, inserted } = await runLoader(sandbox, crawl());
		expect(execution.error).toBeUndefined();
		expect(inserted).toHaveLength(4);
		for (const { pageContent, metadata } of inserted) {
			expect(pageContent).toMatch(/^# \w/);
			expect(pageContent).not.toMatch(/^=+$/m);
			expect(metadata).toEqual({
				url: expect.stringContaining('http'),
				title: expect.any(String),
				headingPath: '',
				hash: expect.stringMatching(/^[0-9a-f]{32}$/),
				fetchedAt: expect.stringMatching(/^\d{4}-.*Z$/),
				position: 1,
				link: metadata.url,
			});
		}
		expect(shownPages(execution)).toHaveLength(4);
		expect(
			execution
				.hints(LOADER)
				.map(({ message }) => message)
				.join(' '),
		).toMatch(/4 pages/);
	});

	it('loads a batch of pages, each for the item that asked for it', async () => {
		const { inserted: pages } = await runLoader(sandbox, crawl());
		const urls = pages.map(({ metadata }) => String(metadata.url));
		sandbox.reset();
		const { execution, inserted } = await runLoader(
			sandbox,
			{ source: 'batch', cut: 'pages', url: '={{ $json.url }}' },
			{ items: urls.map((url) => ({ json: { url } })) },
		);
		expect(execution.error).toBeUndefined();
		expect(inserted.map(({ metadata }) => metadata.url)).toEqual(urls);
		expect(execution.items(STORE).map(({ pairedItem }) => pairedItem)).toEqual(urls.map((_url, item) => ({ item })));
		expect(starts()).toBe(1);
	});

	it.each([1, 1.3])(
		'inserts each document once into a vector store of version %d with several items',
		async (typeVersion) => {
			const page = { source: 'page', cut: 'pages', url: '={{ $json.url }}' };
			const found = await runLoader(sandbox, crawl());
			const urls = found.inserted.slice(0, 2).map(({ metadata }) => String(metadata.url));
			sandbox.reset();
			const { execution, inserted } = await runLoader(sandbox, page, {
				items: urls.map((url) => ({ json: { url } })),
				store: { typeVersion },
			});
			expect(execution.error).toBeUndefined();
			expect(inserted).toHaveLength(2);
			expect(starts()).toBe(2);
		},
	);

	it('makes one document of a page that two items name in two spellings', async () => {
		const urls = [sandbox.siteUrl, `${sandbox.siteUrl}/#top`];
		const { execution, inserted } = await runLoader(
			sandbox,
			{ source: 'page', cut: 'pages', url: '={{ $json.url }}' },
			{ items: urls.map((url) => ({ json: { url } })) },
		);
		expect(execution.error).toBeUndefined();
		expect(inserted).toHaveLength(1);
		expect(
			execution
				.hints(LOADER)
				.map(({ message }) => message)
				.join(' '),
		).toContain('had the address of a page that is loaded already');
	});

	it('asks once for what all items ask for alike', async () => {
		const items = [{ json: {} }, { json: {} }, { json: {} }];
		const { inserted } = await runLoader(sandbox, crawl(), { items });
		expect(inserted).toHaveLength(4);
		expect(starts()).toBe(1);
	});

	it('pays for nothing again when the vector store fails and is tried again', async () => {
		let tries = 0;
		const { execution, inserted } = await runLoader(sandbox, crawl(), {
			store: RETRY,
			onInsert: () => {
				tries += 1;
				if (tries === 1) throw new Error('the store is away');
			},
		});
		expect(execution.error).toBeUndefined();
		expect([tries, inserted.length, starts()]).toEqual([2, 4, 1]);
	});

	it('pays for nothing again when a failed execution is retried', async () => {
		const failed = await runLoader(sandbox, crawl(), {
			onInsert: () => {
				throw new Error('the store is away');
			},
		});
		expect(failed.execution.error?.message).toContain('the store is away');
		const { execution, inserted } = await retryLoader(sandbox, failed.execution, crawl());
		expect(execution.error).toBeUndefined();
		expect([inserted.length, starts()]).toEqual([4, 1]);
	});

	it('refuses bad input before any request, in its own words', async () => {
		const { execution } = await runLoader(sandbox, { ...crawl(), url: '' });
		expect(execution.error?.message).toMatch(/URL/);
		expect(execution.error).toMatchObject({ node: { name: LOADER } });
		expect(sandbox.requests()).toHaveLength(0);
	});
});
