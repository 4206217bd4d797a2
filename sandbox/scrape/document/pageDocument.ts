import { extractText, getDocumentProxy } from 'unpdf';
import { cleanHtml, imagesIn, linksIn, readMetadata, readPage } from '../../html/cleanHtml.ts';
import type { PageMetadata } from '../../html/cleanHtml.ts';
import { toMarkdown } from '../../html/markdown.ts';
import { readProduct } from '../../html/structuredData.ts';
import { isHtml, promptInjection, textOf, unsupportedFile } from '../../web/webClient.ts';
import type { FetchedPage } from '../../web/webClient.ts';
import { formatOf } from '../options/formats.ts';
import type { Format } from '../options/formats.ts';
import type { ScrapeOptions } from '../options/scrapeOptions.ts';
import { fillSchema } from '../../text/fillSchema.ts';
import { rankSentences, termsOf } from '../../text/rankSentences.ts';
import type { Finding } from '../../text/rankSentences.ts';

/** One page as the service gives it: the formats asked for, and facts about the page (shape document). */
export type PageDocument = Record<string, unknown> & { metadata: PageMetadata };

/** What a page holds before formats are picked: its HTML as received and its Markdown. */
interface Content {
	rawHtml: string;
	html: string;
	markdown: string;
	facts: PageMetadata;
	pdfPages: number;
}

const plainContent = (text: string, markdown = text): Content => {
	return { rawHtml: text, html: text, markdown, facts: {}, pdfPages: 1 };
};

/** Says nothing on the console about what is odd in a file. */
const ERRORS_ONLY = 0;

/** The text of each page of a PDF; empty where a page has none, as a scanned one. Rejects for a file that is none. */
async function readPdf(bytes: Buffer): Promise<string[]> {
	// A copy: the reader takes the memory over.
	const file = await getDocumentProxy(new Uint8Array(bytes), { verbosity: ERRORS_ONLY });
	try {
		return (await extractText(file, { mergePages: false })).text;
	} finally {
		await file.loadingTask.destroy();
	}
}

async function contentOfPdf({ bytes, contentType }: FetchedPage, { parsers }: ScrapeOptions): Promise<Content> {
	// An empty list of parsers asks for the file itself (shape parser).
	if (parsers && !parsers.some(({ type }) => type === 'pdf')) return plainContent(bytes.toString('base64'));
	const pages = await readPdf(bytes).catch(() => {
		throw unsupportedFile(contentType);
	});
	const facts = { numPages: pages.length, totalPages: pages.length };
	return { ...plainContent(pages.join('\n\n')), facts, pdfPages: pages.length };
}

async function contentOf(page: FetchedPage, options: ScrapeOptions): Promise<Content> {
	const { contentType, url } = page;
	if (/\bpdf\b/i.test(contentType)) return await contentOfPdf(page, options);
	const text = textOf(page);
	if (isHtml(contentType)) {
		const html = cleanHtml(text, url, options.onlyMainContent);
		return { rawHtml: text, html, markdown: '', facts: readMetadata(text, url), pdfPages: 1 };
	}
	if (/\bjson\b/i.test(contentType)) return plainContent(text, `\`\`\`json\n${text}\n\`\`\``);
	if (/^text\/|\bxml\b|\bjavascript\b/i.test(contentType)) return plainContent(text);
	throw unsupportedFile(contentType);
}

/** Formats that need services of their own: no field, but a warning (docs/reference/service-notes.md#servers-of-your-own). */
const NOT_HERE = ['attributes', 'branding', 'menu', 'audio', 'video'] as const;

/** A page in the formats asked for. */
interface Built {
	document: Record<string, unknown>;
	facts: PageMetadata;
	warnings: string[];
	/** Always made: change tracking needs it too. */
	markdown: string;
	rawHtml: string;
	pdfPages: number;
}

/** What the sandbox takes for an order to a language model. */
const GIVES_ORDERS = /\b(ignore|disregard) (all |any )?(previous|prior|earlier) instructions\b/i;

/** Builds all formats that need nothing but the fetched page. Rejects with a ScrapeFailure for an unreadable file. */
export async function buildDocument(page: FetchedPage, options: ScrapeOptions): Promise<Built> {
	const { formats } = options;
	const content = await contentOf(page, options);
	const isPage = isHtml(page.contentType);
	const wantsMarkdown = formatOf(formats, 'markdown') !== undefined;
	const markdown = wantsMarkdown && isPage ? toMarkdown(content.html) : content.markdown;
	if (options.checkPromptInjection && GIVES_ORDERS.test(content.rawHtml || markdown)) throw promptInjection();
	const warnings = NOT_HERE.filter((name) => formatOf(formats, name)).map(
		(name) => `The format ${name} needs a service that is not set up here.`,
	);
	const product = formatOf(formats, 'product') && readProduct(content.rawHtml, page.url);
	if (formatOf(formats, 'product') && !product) warnings.push('No product was found on this page.');
	return {
		document: {
			...(wantsMarkdown && { markdown }),
			...(formatOf(formats, 'html') && { html: content.html }),
			...(formatOf(formats, 'rawHtml') && { rawHtml: content.rawHtml }),
			...(formatOf(formats, 'links') && { links: linksIn(content.html, page.url) }),
			...(formatOf(formats, 'images') && { images: imagesIn(content.html, page.url) }),
			...(product && { product }),
			...pickFormats(content.html, page.url, formats),
		},
		facts: content.facts,
		warnings,
		markdown,
		rawHtml: content.rawHtml,
		pdfPages: content.pdfPages,
	};
}

// The formats for which the service asks a language model. The sandbox has none: it picks sentences of the page
// and fills schemas with them.

const SUMMARY_SENTENCES = 3;
const HIGHLIGHTS = 3;

interface PickedFormats {
	[field: string]: unknown;
	summary?: string;
	json?: unknown;
	answer?: string;
	highlights?: string;
}

/** The page's sentences, those first that deal with the wish. */
function findings(html: string, url: string, wish: string): Finding[] {
	const page = readPage(url, html);
	const wanted = termsOf(wish);
	const topic = `${page.title} ${page.description}`;
	return rankSentences([page], wanted.length > 0 ? wanted : termsOf(topic));
}

/** The structured data for a schema, a prompt or both; undefined where neither is given (recording scrape-27). */
function pickJson(html: string, url: string, wish: { schema?: unknown; prompt?: string | undefined }): unknown {
	if (wish.schema === undefined && wish.prompt === undefined) return undefined;
	return fillSchema(wish.schema, findings(html, url, wish.prompt ?? ''));
}

/** What the formats ask for of summary, json, answer and highlights. */
function pickFormats(html: string, url: string, formats: readonly Format[]): PickedFormats {
	const picked: PickedFormats = {};
	const best = (wish: string, most: number): string[] =>
		findings(html, url, wish)
			.slice(0, most)
			.map(({ text }) => text);
	if (formatOf(formats, 'summary')) {
		picked.summary = best('', SUMMARY_SENTENCES).join(' ') || readPage(url, html).description;
	}
	const json = formatOf(formats, 'json');
	if (json) {
		const value = pickJson(html, url, json);
		if (value !== undefined) picked.json = value;
	}
	const question = formatOf(formats, 'question')?.question ?? formatOf(formats, 'query')?.prompt;
	if (question !== undefined) picked.answer = best(question, 1).join(' ');
	const highlights = formatOf(formats, 'highlights');
	if (highlights) picked.highlights = best(highlights.query, HIGHLIGHTS).join('\n\n');
	return picked;
}
