import { expectLinear } from '../helpers/growth';
import { runLoader } from './loaderRun';
import { scraped, serve, service } from './pageService';
import { batchStart, crawlStart, errorText, hintsIn, NODE, runNode } from './run';
import type { PageServiceParts } from './pageService';

/**
 * Texts that a page, a server or a public form chooses, at a length and at four times that length: n8n polls and
 * answers webhooks in one process, so a standstill of one node is one of all workflows.
 */

const SITE = 'https://site.example/';

const crawlOf = (page: object): PageServiceParts => ({ job: () => ({ pages: [{ ...scraped(SITE), ...page }] }) });

const scrapeOf = (url: string) => ({ resource: 'page', operation: 'scrape', url });

const always = (body: object): PageServiceParts => ({ instead: () => ({ body }) });

it.each<[string, (size: number) => PageServiceParts, object]>([
	[
		'an error of a page, of blanks',
		(size) => crawlOf({ metadata: { ...scrapedMetadata(), error: `x${' '.repeat(size)}y` } }),
		crawlStart(),
	],
	[
		'an error of a page, of full stops',
		(size) => crawlOf({ metadata: { ...scrapedMetadata(), error: `x${'.'.repeat(size)}y` } }),
		crawlStart(),
	],
	[
		'a refusal, of full stops',
		(size) => ({ instead: () => ({ status: 400, body: { success: false, error: `x${'.'.repeat(size)}y` } }) }),
		crawlStart(),
	],
	[
		'a link in a map, of slashes',
		(size) => always({ success: true, links: [{ url: `${SITE}a${'/'.repeat(size)}b` }] }),
		{ resource: 'map', operation: 'map', url: SITE },
	],
	[
		'an address of a page that becomes a file, of slashes in its fragment',
		(size) => crawlOf({ metadata: { ...scrapedMetadata(), url: `${SITE}#${'/'.repeat(size)}b` } }),
		crawlStart({ scrapeOptions: { storeAsFiles: ['markdown'] } }),
	],
	[
		'lines of a watched page, of digits',
		(size) =>
			crawlOf({
				markdown: Array(Math.ceil(size / 4000))
					.fill('1'.repeat(1000))
					.join('\n'),
			}),
		crawlStart({ options: { onlyChanged: true, ignoredLines: String.raw`.*\d+.*ago` } }),
	],
])('%s', async (_what, parts, parameters) => {
	await expectLinear(30_000, async (size) => {
		await serve(parts(size));
		await runNode(service, parameters as never);
	});
});

function scrapedMetadata(): object {
	return scraped(SITE).metadata as object;
}

it.each<[string, (size: number) => string]>([
	['characters that nobody sees', (size) => `${SITE}${'\u200b'.repeat(size)}x`],
	['marks of expressions', (size) => '{{'.repeat(size)],
	['marks of sentences', (size) => `${SITE}${'。'.repeat(size)}x`],
])('a URL of a public form, of %s', async (_what, url) => {
	await serve(always({ success: true, data: scraped(SITE) }));
	await expectLinear(15_000, async (size) => {
		const settings = { items: [{ url: url(size) }], node: { onError: 'continueRegularOutput' as const } };
		await runNode(service, scrapeOf('={{ $json.url }}'), settings);
		await runNode(service, batchStart(), settings);
	});
});

it.each([
	['tables in one line', (size: number) => `${'a<table '.repeat(size / 8)}\``],
	['list marks', (size: number) => `${'- '.repeat(size / 2)}x`],
	['blanks', (size: number) => `a${' '.repeat(size)}b`],
	['backticks', (size: number) => '`'.repeat(size)],
])('a page for a vector store, of %s', async (_what, markdown) => {
	await expectLinear(40_000, async (size) => {
		await serve(crawlOf({ markdown: markdown(size) }));
		await runLoader(service, { source: 'crawl', url: SITE });
	});
});

it('ends with a job that counts one page and names new ones for ever, and says so', async () => {
	let asked = 0;
	await serve({
		instead: ({ method, query }) => {
			if (method !== 'GET' || asked++ > 200) return undefined;
			const from = Number(query.skip ?? 0);
			const data = Array.from({ length: 100 }, (_unused, at) => scraped(`${SITE}${from + at}`));
			const counts = { status: 'completed', total: 1, completed: 1 };
			return { body: { success: true, ...counts, data, next: `${SITE}?skip=${from + 100}` } };
		},
	});
	const execution = await runNode(service, crawlStart());
	expect(execution.error).toBeUndefined();
	expect(execution.items(NODE).length).toBeLessThan(1300);
	expect(hintsIn(execution)).toMatch(
		/named more and more pages, far beyond its own count, .* the crawl job-0 at page 1\d00\./,
	);
});

it('ends with a check of a monitor that tells ten pages and names new ones for ever', async () => {
	let asked = 0;
	await serve({
		instead: ({ method, path, query }) => {
			if (method !== 'GET' || !path.includes('/checks/') || asked++ > 200) return undefined;
			const from = Number(query.offset ?? 0);
			const pages = Array.from({ length: 100 }, (_unused, at) => ({ url: `${SITE}${from + at}`, status: 'new' }));
			const next = `${SITE}?limit=100&offset=${from + 100}`;
			return { body: { success: true, data: { status: 'completed', summary: { totalPages: 10 }, pages, next } } };
		},
	});
	const execution = await runNode(service, {
		resource: 'monitor',
		operation: 'getCheck',
		monitorId: '01a1ffce-e10c-74d8-b27b-cc3c68d5d343',
		jobId: '01a1ffce-e10c-74d8-b27b-cc3c68d5d344',
		returnAll: true,
	});
	expect(errorText(execution)).toBe('');
	expect(execution.items(NODE).length).toBeLessThan(1300);
	expect(hintsIn(execution)).toContain('far beyond its own count');
});

it('says in the end what the page had', async () => {
	await serve(crawlOf({ metadata: { ...scrapedMetadata(), error: `x${' '.repeat(150_000)}y` } }));
	const execution = await runNode(service, crawlStart());
	expect(hintsIn(execution)).toContain('1 page could not be read');
	expect(execution.items(NODE)).toHaveLength(1);
});
