import { batchStart, crawlStart, hintsOf, runNode } from './run';
import { scraped, startPageService } from './pageService';
import type { PageService } from './pageService';

let service: PageService;

const SITE = 'https://site.example/';
const PDF = Buffer.from('%PDF-1.7 test').toString('base64');

/** A service of which each page has this content only. */
async function serve(content: object): Promise<void> {
	const page = { ...scraped(SITE), ...content };
	service = await startPageService({
		job: () => ({ pages: [page, { ...page, metadata: scraped(`${SITE}b`).metadata }] }),
		instead: ({ path }) => {
			if (path === '/v2/scrape' || path === '/v2/parse') {
				return { body: { success: true, data: page } };
			}
			if (path !== '/v2/search') return undefined;
			const images = [{ url: SITE, imageUrl: SITE }];
			return { body: { success: true, data: { web: [page, page], images } } };
		},
	});
}

const OPERATIONS = {
	scrape: { resource: 'page', operation: 'scrape', url: SITE },
	crawl: crawlStart(),
	batch: batchStart({ urlsFrom: 'list', urls: `${SITE}, ${SITE}b` }),
	search: { resource: 'search', operation: 'search', query: 'a', withContent: true },
};

type Name = keyof typeof OPERATIONS;

const hintsFor = async (operation: Name, more: object) => {
	const execution = await runNode(service, { ...OPERATIONS[operation], ...more });
	expect(execution.error).toBeUndefined();
	return hintsOf(execution).join('\n');
};

describe('what was asked for and did not come', () => {
	it.each([
		['scrape', 1],
		['crawl', 2],
		['batch', 2],
		['search', 2],
	] as const)('is named once, with how many pages: %s', async (operation, pages) => {
		await serve({});
		const hints = await hintsFor(operation, { formats: ['markdown', 'menu', 'screenshot'] });
		for (const format of ['menu', 'screenshot']) {
			const text = pages === 1 ? `1 page has no ${format}.` : `${pages} pages have no ${format}.`;
			expect(hints.split(text)).toHaveLength(2);
		}
	});

	it.each(['scrape', 'crawl', 'batch', 'search'] as const)(
		'is not named where the answer is empty for good: %s',
		async (operation) => {
			await serve({ links: [], images: [], json: null, product: null, highlights: [] });
			const formats = ['markdown', 'links', 'images', 'product'];
			expect(await hintsFor(operation, { formats })).not.toContain('did not give');
		},
	);

	it('is the text that a server without redaction leaves empty', async () => {
		await serve({ markdown: '' });
		const scrapeOptions = { rareOptions: { redactPII: {} } };
		const hints = await hintsFor('scrape', { scrapeOptions });
		expect(service.requests[0]?.body).toHaveProperty('redactPII');
		expect(hints).toMatch(/1 page has no text\.\sA server without the service for Redact/);
	});
});

describe('the Markdown of a PDF file that is stored as it is', () => {
	it('is said to be missing, and why', async () => {
		await serve({ markdown: PDF });
		for (const operation of ['scrape', 'crawl'] as const) {
			const hints = await hintsFor(operation, { scrapeOptions: { storeAsFiles: ['pdf'] } });
			expect(hints).toMatch(/\d PDF files? came without Markdown, because Store as Files/);
		}
	});
});
