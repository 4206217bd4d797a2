import { batchStart, crawlStart, hintsOf, runNode } from './run';
import { itemWith, noteOf, runParse } from './uploads';
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
		const text = `Missing formats, with the number of pages: menu (${pages}), screenshot (${pages}). The service did not return them.`;
		expect(hints.split(text)).toHaveLength(2);
	});

	it.each(['scrape', 'crawl', 'batch', 'search'] as const)(
		'is not named where the answer is empty for good: %s',
		async (operation) => {
			await serve({ links: [], images: [], json: null, product: null, highlights: [] });
			const formats = ['markdown', 'links', 'images', 'product'];
			expect(await hintsFor(operation, { formats })).not.toContain('did not give');
		},
	);

	it('is named where an answer has another name, only without one', async () => {
		await serve({ answer: 'Yes' });
		const asked = { formats: ['question'], question: 'Is it?' };
		expect(await hintsFor('scrape', asked)).not.toContain('did not give');
		await serve({});
		expect(await hintsFor('scrape', asked)).toContain('question (1)');
	});

	it('is the text that a server without redaction leaves empty', async () => {
		await serve({ markdown: '' });
		const scrapeOptions = { rareOptions: { redactPII: {} } };
		const hints = await hintsFor('scrape', { scrapeOptions });
		expect(service.requests[0]?.body).toHaveProperty('redactPII');
		expect(hints).toContain('markdown (1). The service did not return them. A server without the service for Redact');
	});

	it('is named of a parsed file, as what the service remarks of it is', async () => {
		await serve({ warning: 'Only the first pages were read.' });
		const item = itemWith({ data: noteOf('<p>Hi') });
		const execution = await runParse(service, [item], { formats: ['markdown', 'summary'] });
		expect(execution.error).toBeUndefined();
		const hints = hintsOf(execution);
		expect(hints).toContain('Missing formats, with the number of pages: summary (1). The service did not return them.');
		expect(hints).toContain('The service says: Only the first pages were read.');
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

	it('is not missed where it was not asked for', async () => {
		await serve({ markdown: PDF, links: [] });
		const more = { formats: ['links'], scrapeOptions: { storeAsFiles: ['pdf'] } };
		expect(await hintsFor('scrape', more)).not.toContain('PDF');
	});
});
