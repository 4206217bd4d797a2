import fc from 'fast-check';

import { jsonOf, NODE, sourceItems } from './research';
import { scraped, startPageService } from './pageService';
import type { PageService, PageServiceParts } from './pageService';
import { batchStart, hintsOf, runPages } from './pagesRun';

let service: PageService;

const serve = async (parts: PageServiceParts = {}) => {
	service = await startPageService(parts);
};

afterEach(async () => await service.stop());

/** Addresses that only differ in fragment, slash at the end or scheme. */
const NEAR = [
	'https://site.example/a',
	'https://site.example/a/',
	'https://site.example/a#one',
	'https://site.example/a#two',
	'http://site.example/a',
	'http://site.example/a/',
];

/** The page of an address: the text says whose it is, whatever address the service writes. */
const pageOf = (url: string, written = url) => ({
	...scraped(written),
	markdown: `Text of ${url}`,
	metadata: { scrapeId: `scrape ${url}`, sourceURL: written, url: written },
});

const errorOf = (url: string) => ({ url, error: `Dead: ${url}`, code: 'SCRAPE_TIMEOUT' });

/** A batch of which these addresses fail; the service writes addresses of pages and of errors so. */
const failing = (
	isDead: (url: string) => boolean,
	written: (url: string) => string = (url) => url,
): PageServiceParts['job'] => {
	return ({ urls = [] }) => {
		const given = urls as string[];
		const alive = given.filter((url) => !isDead(url));
		return {
			pages: alive.map((url) => pageOf(url, written(url))).reverse(),
			errors: given.filter(isDead).map((url) => errorOf(written(url))),
		};
	};
};

const run = async (urls: string[]) => {
	const execution = await runPages(service, batchStart(), {
		items: urls.map((url) => ({ url })),
		node: { onError: 'continueErrorOutput' },
	});
	expect(execution.error).toBeUndefined();
	return { good: execution.items(NODE, 0), bad: execution.items(NODE, 1), execution };
};

describe('items whose addresses differ only in fragment, slash or scheme', () => {
	it.each(NEAR.slice(1).map((near) => [near, NEAR[0]]))(
		'never get the page of the other: %s fails, %s does not',
		async (dead = '', alive = '') => {
			await serve({ job: failing((url) => url === dead) });
			for (const urls of [
				[dead, alive],
				[alive, dead],
			]) {
				const { good, bad } = await run(urls);
				expect(jsonOf(good)).toMatchObject([{ url: alive, markdown: `Text of ${alive}` }]);
				expect(sourceItems(good)).toEqual([urls.indexOf(alive)]);
				expect(jsonOf(bad)).toMatchObject([{ error: expect.stringContaining(`Dead: ${dead}`) }]);
				expect(sourceItems(bad)).toEqual([urls.indexOf(dead)]);
			}
		},
	);

	it('each get their own page, or fail, whichever of them fail', async () => {
		const sets = fc.record({
			urls: fc.shuffledSubarray(NEAR, { minLength: 1 }),
			dead: fc.subarray(NEAR),
		});
		await fc.assert(
			fc.asyncProperty(sets, async ({ urls, dead }) => {
				await serve({ job: failing((url) => dead.includes(url)) });
				const { good, bad } = await run(urls);
				await service.stop();
				const texts = good.map(({ json }) => json.markdown);
				const alive = urls.filter((url) => !dead.includes(url));
				expect(texts).toEqual(alive.map((url) => `Text of ${url}`));
				expect(sourceItems(good)).toEqual(alive.map((url) => urls.indexOf(url)));
				expect(sourceItems(bad)).toHaveLength(urls.length - alive.length);
			}),
			{ numRuns: 10 },
		);
	});

	it('share no page where the list of errors cannot be had', async () => {
		await serve({
			job: failing((url) => url === NEAR[1]),
			instead: ({ path }) =>
				path.endsWith('/errors') ? { status: 403, body: { error: 'Forbidden' } } : undefined,
		});
		const { good, bad } = await run(NEAR.slice(0, 2));
		expect(sourceItems(good)).toEqual([0]);
		expect(bad[0]?.json.error).toContain('has neither a page nor an error for it');
		expect(bad[0]?.json.error).toContain('Its errors could not be read');
	});

	it('share the page where the service has made one of them and names no failure', async () => {
		await serve({
			job: ({ urls = [] }) => ({ pages: [pageOf((urls as string[])[0] ?? '')] }),
		});
		const { good, bad } = await run(NEAR.slice(0, 3));
		expect(sourceItems(good)).toEqual([0, 1, 2]);
		expect(bad).toEqual([]);
	});

	it('share no page where the service counts more pages than it gives', async () => {
		const data = [pageOf(NEAR[0] ?? '')];
		await serve({
			instead: ({ method, path }) => {
				if (method !== 'GET' || path.endsWith('/errors')) return undefined;
				return { body: { success: true, status: 'completed', completed: 2, total: 2, data } };
			},
		});
		const { good, bad } = await run(NEAR.slice(0, 2));
		expect(sourceItems(good)).toEqual([0]);
		expect(sourceItems(bad)).toEqual([1]);
	});
});

describe('near addresses that the service writes in the same way, of which one fails,', () => {
	const plain = (url: string) => url.replace(/#.*$/, '').replace(/\/$/, '');

	it('give nobody a page that may be of the other, and put it out for both', async () => {
		await serve({ job: failing((url) => url === NEAR[0], plain) });
		const urls = ['https://site.example/other', ...NEAR.slice(0, 2)];
		const { good, bad } = await run(urls);
		expect(sourceItems(bad)).toEqual([1, 2]);
		for (const { json } of bad) {
			expect(json.error).toContain(
				'1 page and 1 error for addresses that it writes in the same way',
			);
		}
		expect(good.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			[{ item: 1 }, { item: 2 }],
		]);
	});

	it('get a page each where none fails', async () => {
		await serve({ job: failing(() => false, plain) });
		const { good, bad, execution } = await run(NEAR.slice(0, 4));
		expect(sourceItems(good)).toEqual([0, 1, 2, 3]);
		expect(new Set(good.map(({ json }) => json.markdown)).size).toBe(4);
		expect(bad).toEqual([]);
		expect(hintsOf(execution).join()).not.toContain('failed');
	});
});

it('an address that was sent once for several items is theirs in each spelling', async () => {
	await serve({ job: failing((url) => url.endsWith('/b')) });
	const { good, bad } = await run([
		'https://SITE.example/a',
		'https://site.example:443/a',
		'https://site.example/b',
		'https://site.example/b',
	]);
	expect(sourceItems(good)).toEqual([0, 1]);
	expect(sourceItems(bad)).toEqual([2, 3]);
	expect(service.requests[0]?.body.urls).toHaveLength(2);
});

it('fails an address that failed, although another one was redirected to it', async () => {
	const [old, failed] = ['https://site.example/old', 'https://site.example/new'];
	const page = { markdown: 'Text that the old address leads to', metadata: { url: failed } };
	await serve({ job: () => ({ pages: [page], errors: [errorOf(failed)] }) });
	const execution = await runPages(service, batchStart({}), {
		items: [{ url: old }, { url: failed }],
		node: { onError: 'continueRegularOutput' },
	});
	const items = execution.items(NODE);
	const errors = items.filter(({ json }) => json.error !== undefined);
	expect(sourceItems(errors)).toEqual([0, 1]);
	expect(errors[1]?.json.error).toContain(`Dead: ${failed}`);
	expect(jsonOf(items)).toContainEqual(expect.objectContaining({ markdown: page.markdown }));
});
