import { readPdf } from '../../files/pdfText.ts';
import { attributesIn, cleanHtml, imagesIn, linksIn } from '../../html/cleanHtml.ts';
import { toMarkdown, withoutInlineImages } from '../../html/markdown.ts';
import { readMetadata } from '../../html/metadata.ts';
import { readBranding, readProduct } from '../../html/structuredData.ts';
import { unsupportedFile } from '../../web/scrapeFailure.ts';
import { isHtml, textOf } from '../../web/webClient.ts';
import { formatOf } from '../options/formats.ts';
import { pickFormats } from './pickedFormats.ts';
import { redactPii } from './redactPii.ts';
import type { PageMetadata } from '../../html/metadata.ts';
import type { FetchedPage } from '../../web/webClient.ts';
import type { ScrapeOptions } from '../options/scrapeOptions.ts';

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
		extra: settings?.pages
			? { pages: pages.map((text, index) => ({ pageNumber: index + 1, markdown: text })) }
			: {},
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
			...(formatOf(formats, 'branding') && {
				branding: readBranding(content.rawHtml, content.facts.favicon),
			}),
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
