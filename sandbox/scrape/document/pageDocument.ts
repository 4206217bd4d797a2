import { readPdf } from '../../files/storedFiles.ts';
import { attributesIn, cleanHtml, imagesIn, linksIn, readMetadata, readPage } from '../../html/cleanHtml.ts';
import type { PageMetadata } from '../../html/cleanHtml.ts';
import { toMarkdown, withoutInlineImages } from '../../html/markdown.ts';
import { readProduct } from '../../html/structuredData.ts';
import { unsupportedFile, isHtml, textOf } from '../../web/webClient.ts';
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
	/** Fields that only some files bring: pages of a PDF. */
	extra: Record<string, unknown>;
	facts: PageMetadata;
	pdfPages: number;
}

async function contentOfPdf(page: FetchedPage, options: ScrapeOptions): Promise<Content> {
	const parser = options.parsers?.find(({ type }) => type === 'pdf');
	if (options.parsers && !parser) {
		// An empty list of parsers asks for the file itself (shape parser).
		const base64 = page.bytes.toString('base64');
		return { rawHtml: base64, html: base64, markdown: base64, extra: {}, facts: {}, pdfPages: 1 };
	}
	const settings = parser?.type === 'pdf' ? parser : undefined;
	const { pages: all } = await readPdf(page.bytes).catch(() => {
		throw unsupportedFile(page.contentType);
	});
	const pages = all.slice(0, settings?.maxPages ?? all.length);
	const marked = pages.map((text, index) =>
		settings?.pageMarkers && index > 0 ? `<!-- Page ${index + 1} -->\n\n${text}` : text,
	);
	const markdown = marked.join('\n\n');
	return {
		rawHtml: markdown,
		html: markdown,
		markdown,
		extra: settings?.pages ? { pages: pages.map((text, index) => ({ pageNumber: index + 1, markdown: text })) } : {},
		facts: { numPages: pages.length, totalPages: all.length },
		pdfPages: pages.length,
	};
}

async function contentOf(page: FetchedPage, options: ScrapeOptions): Promise<Content> {
	const { contentType, url } = page;
	if (/\bpdf\b/i.test(contentType)) return await contentOfPdf(page, options);
	const text = textOf(page);
	if (isHtml(contentType)) {
		const html = cleanHtml(text, url, options);
		return {
			rawHtml: text,
			html,
			markdown: '',
			extra: {},
			facts: readMetadata(text, url),
			pdfPages: 1,
		};
	}
	if (/\bjson\b/i.test(contentType)) {
		const markdown = `\`\`\`json\n${text}\n\`\`\``;
		return { rawHtml: text, html: text, markdown, extra: {}, facts: {}, pdfPages: 1 };
	}
	if (/^text\/|\bxml\b|\bjavascript\b/i.test(contentType)) {
		return { rawHtml: text, html: text, markdown: text, extra: {}, facts: {}, pdfPages: 1 };
	}
	throw unsupportedFile(contentType);
}

function finishMarkdown(markdown: string, options: ScrapeOptions): string {
	const plain = options.removeBase64Images ? withoutInlineImages(markdown) : markdown;
	return options.redactPII ? redactPii(plain, options.redactPII) : plain;
}

/** Formats that need services of their own: no field, but a warning (docs/service-notes.md#servers-of-your-own). */
const NOT_HERE = ['menu', 'audio', 'video'] as const;

/** A page in the formats asked for. */
export interface Built {
	document: Record<string, unknown>;
	facts: PageMetadata;
	warnings: string[];
	/** Always made: change tracking and the search index need it too. */
	markdown: string;
	rawHtml: string;
	pdfPages: number;
}

/** Builds all formats that need nothing but the fetched page. Rejects with a ScrapeFailure for an unreadable file. */
export async function buildDocument(page: FetchedPage, options: ScrapeOptions): Promise<Built> {
	const { formats } = options;
	const content = await contentOf(page, options);
	const isPage = isHtml(page.contentType);
	const wantsMarkdown = formatOf(formats, 'markdown') !== undefined;
	const source = wantsMarkdown && isPage ? toMarkdown(content.html) : content.markdown;
	const markdown = finishMarkdown(source, options);
	const warnings = NOT_HERE.filter((name) => formatOf(formats, name)).map(
		(name) => `The format ${name} needs a service that is not set up here.`,
	);
	const product = formatOf(formats, 'product') && readProduct(content.rawHtml, page.url);
	if (formatOf(formats, 'product') && !product) warnings.push('No product was found on this page.');
	const attributes = formatOf(formats, 'attributes');
	return {
		document: {
			...(wantsMarkdown && { markdown }),
			...(formatOf(formats, 'html') && { html: content.html }),
			...(formatOf(formats, 'rawHtml') && { rawHtml: content.rawHtml }),
			...(formatOf(formats, 'links') && { links: linksIn(content.html, page.url) }),
			...(formatOf(formats, 'images') && { images: imagesIn(content.html, page.url) }),
			...(attributes && {
				attributes: attributes.selectors.map(({ selector, attribute }) => ({
					selector,
					attribute,
					values: attributesIn(content.rawHtml, selector, attribute),
				})),
			}),
			...(product && { product }),
			...(formatOf(formats, 'branding') && { branding: { colorScheme: 'light', colors: {}, fonts: [] } }),
			...pickFormats(content.html, page.url, formats),
			...content.extra,
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
export function pickJson(html: string, url: string, wish: { schema?: unknown; prompt?: string | undefined }): unknown {
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

type Redaction = NonNullable<ScrapeOptions['redactPII']>;

/** By rules alone: names and places, which need a model, stay. */
const RULES = [
	{ kind: 'EMAIL', pattern: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g },
	{
		kind: 'FINANCIAL',
		pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}\b|\b(?:\d{4}[ -]?){3}\d{4}\b/g,
	},
	{ kind: 'PHONE', pattern: /(?<![\w.])\+?\d{1,3}[ /-]\(?\d{2,5}\)?(?:[ /-]\d{2,5}){1,4}\b/g },
	{ kind: 'SECRET', pattern: /\b(?:sk|fc|ghp|xoxb)[-_][A-Za-z\d-]{16,}\b/g },
] as const;

/** The text with personal data masked (shape redactPIIOptions). */
function redactPii(text: string, redaction: Redaction): string {
	if (redaction === false) return text;
	const { entities, replaceStyle } = redaction === true ? { entities: undefined, replaceStyle: 'tag' } : redaction;
	let masked = text;
	for (const { kind, pattern } of RULES) {
		if (entities && !entities.includes(kind)) continue;
		masked = masked.replace(pattern, (found) => {
			if (replaceStyle === 'remove') return '';
			return replaceStyle === 'mask' ? '*'.repeat(found.length) : `<${kind}>`;
		});
	}
	return masked;
}
