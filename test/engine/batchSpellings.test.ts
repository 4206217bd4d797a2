import { batchStart, jsonOf, NODE, runNode, sourceItems } from './run';
import { scraped, serve, service } from './pageService';
import type { PageServiceParts } from './pageService';

/** Spellings of one page. */
const SPELLINGS = [
	'https://site.example/a',
	'https://site.example/a/',
	'https://site.example/a#one',
	'http://www.site.example/a?utm_source=mail',
	'https://SITE.example:443/%61',
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
	const execution = await runNode(service, batchStart(), {
		items: urls.map((url) => ({ url })),
		node: { onError: 'continueErrorOutput' },
	});
	expect(execution.error).toBeUndefined();
	return { good: execution.items(NODE, 0), bad: execution.items(NODE, 1), execution };
};

describe('items with spellings of one page', () => {
	const plain = (url: string) => url.replace(/[#?].*$/, '').replace(/\/$/, '');

	it.each([
		['as they were sent', (url: string) => url],
		['without fragments and slashes', plain],
	])('send it once and all get it, where the service writes addresses %s', async (_how, written) => {
		await serve({ job: failing((url) => url.endsWith('/b'), written) });
		const urls = ['https://site.example/b', ...SPELLINGS, 'https://site.example/b/', 'https://site.example/c'];
		const { good, bad } = await run(urls);
		expect(service.requests[0]?.body.urls).toEqual([urls[0], SPELLINGS[0], urls.at(-1)]);
		expect(sourceItems(good)).toEqual([1, 2, 3, 4, 5, 7]);
		expect(jsonOf(good.slice(0, 5))).toEqual(Array(5).fill(good[0]?.json));
		expect(sourceItems(bad)).toEqual([0, 6]);
		for (const { json } of bad) expect(json.error).toContain('Dead: https://site.example/b');
	});

	it('have neither a page nor an error where the job has none', async () => {
		await serve({
			job: failing((url) => url === SPELLINGS[0]),
			instead: ({ path }) => (path.endsWith('/errors') ? { status: 403, body: { error: 'Forbidden' } } : undefined),
		});
		const { good, bad } = await run([...SPELLINGS, 'https://site.example/c']);
		expect(sourceItems(good)).toEqual([5]);
		expect(sourceItems(bad)).toEqual([0, 1, 2, 3, 4]);
		expect(bad[0]?.json.error).toContain('has neither a page nor an error for it');
		expect(bad[0]?.json.error).toContain('Its errors could not be read');
	});
});

it('fails an address that failed, although another one was redirected to it', async () => {
	const [old, failed] = ['https://site.example/old', 'https://site.example/new'];
	const page = { markdown: 'Text that the old address leads to', metadata: { url: failed } };
	await serve({ job: () => ({ pages: [page], errors: [errorOf(failed)] }) });
	const execution = await runNode(service, batchStart({}), {
		items: [{ url: old }, { url: failed }],
		node: { onError: 'continueRegularOutput' },
	});
	const items = execution.items(NODE);
	const errors = items.filter(({ json }) => json.error !== undefined);
	expect(sourceItems(errors)).toEqual([0, 1]);
	expect(errors[1]?.json.error).toContain(`Dead: ${failed}`);
	expect(jsonOf(items)).toContainEqual(expect.objectContaining({ markdown: page.markdown }));
});
