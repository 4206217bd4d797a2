import { load } from 'cheerio/slim';
import type { CheerioAPI } from 'cheerio';

/** Which parts of a page are wanted (shape scrapeOptions). */
interface Parts {
	onlyMainContent: boolean;
	includeTags?: readonly string[] | undefined;
	excludeTags?: readonly string[] | undefined;
}

const NEVER_CONTENT = 'head, script, style, noscript, template, meta, link';
/** What is around the content: elements and the usual names of their classes and ids. */
const AROUND_CONTENT = [
	'header, footer, nav, aside',
	'.header, .footer, .navbar, .navigation, .menu, .sidebar, .breadcrumbs, .cookie, .modal, .popup',
	'.ad, .ads, .advert, .social, .share, .widget',
	'#header, #footer, #nav, #sidebar, #breadcrumbs, #cookie, #ad, #social, #share',
].join(', ');

/** HTML is written with the letters it was read with, not with entities for all but ASCII. */
const AS_WRITTEN = { xml: { xmlMode: false, encodeEntities: 'utf8' } } as const;

/** The matches of a selector that a client made up; none where it makes no sense. */
function select($: CheerioAPI, selector: string) {
	try {
		return $(selector);
	} catch {
		return $([]);
	}
}

function makeAbsolute($: CheerioAPI, attribute: 'href' | 'src', baseUrl: string): void {
	$(`[${attribute}]`).each((_index, element) => {
		const value = $(element).attr(attribute)?.trim() ?? '';
		if (value === '' || /^(?:data|javascript|mailto|tel):/i.test(value)) return;
		if (URL.canParse(value, baseUrl)) $(element).attr(attribute, new URL(value, baseUrl).href);
	});
}

/** The wanted parts of the page with absolute addresses (format `html`; recording scrape-02). */
export function cleanHtml(html: string, baseUrl: string, parts: Parts): string {
	const whole = load(html, AS_WRITTEN);
	makeAbsolute(whole, 'href', baseUrl);
	makeAbsolute(whole, 'src', baseUrl);
	whole(NEVER_CONTENT).remove();
	let $ = whole;
	if (parts.includeTags?.length) {
		const kept = parts.includeTags.flatMap((selector) =>
			select(whole, selector)
				.toArray()
				.map((element) => whole.html(element)),
		);
		$ = load(`<div>${kept.join('')}</div>`, AS_WRITTEN, false);
	} else if (parts.onlyMainContent) {
		$(AROUND_CONTENT).remove();
	}
	for (const selector of parts.excludeTags ?? []) select($, selector).remove();
	return $.html().replace(/^<!doctype html>/i, '<!DOCTYPE html>');
}

function unique(values: ReadonlyArray<string | undefined>): string[] {
	return [...new Set(values.filter((value) => value !== undefined && value !== ''))].map(String);
}

/** The addresses that the HTML links to, absolute, http and https only, each once. */
export function linksIn(html: string, baseUrl: string): string[] {
	const $ = load(html);
	const base = $('base[href]').attr('href');
	const from = base && URL.canParse(base, baseUrl) ? new URL(base, baseUrl).href : baseUrl;
	const links = $('a[href]')
		.toArray()
		.map((element) => $(element).attr('href')?.trim() ?? '')
		.filter((href) => href !== '' && !href.startsWith('#') && URL.canParse(href, from))
		.map((href) => new URL(href, from))
		.filter(({ protocol }) => protocol === 'http:' || protocol === 'https:')
		.map(({ href }) => href);
	return unique(links);
}

/** The addresses of the images in the HTML, absolute, each once. */
export function imagesIn(html: string, baseUrl: string): string[] {
	const $ = load(html);
	const images = $('img[src]')
		.toArray()
		.map((element) => $(element).attr('src') ?? '')
		.map((src) => (URL.canParse(src, baseUrl) ? new URL(src, baseUrl).href : ''));
	return unique(images);
}

/** The values of an attribute at the matches of a selector. */
export function attributesIn(html: string, selector: string, attribute: string): string[] {
	const $ = load(html);
	return select($, selector)
		.toArray()
		.flatMap((element) => $(element).attr(attribute) ?? []);
}

/** What a page says, taken out of its HTML. */
export interface PageText {
	url: string;
	title: string;
	description: string;
	/** Absolute URL; empty where the page names none (as in recording dr-09b). */
	icon: string;
	/** The sentences of its paragraphs, in order. */
	sentences: string[];
	/** Absolute URLs of the pages it links to from its content. */
	links: string[];
}

const sentenceBounds = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentences of a paragraph; a full stop inside a number ends none. */
function sentencesOf(paragraph: string): string[] {
	return [...sentenceBounds.segment(paragraph)].map(({ segment }) => segment.trim()).filter(Boolean);
}

function absolute(href: string | undefined, baseUrl: string): string {
	return href && URL.canParse(href, baseUrl) ? new URL(href, baseUrl).href : '';
}

/** Takes title, description, icon, sentences and links out of a page; navigation and footer are left out. */
export function readPage(url: string, html: string): PageText {
	const $ = load(html);
	// Not every page that is scraped names its main part.
	const root = $('main').length > 0 ? 'main' : 'body';
	const paragraphs = $(`${root} p`)
		.toArray()
		.map((element) => $(element).text());
	const links = $(`${root} a[href]`)
		.toArray()
		.map((element) => absolute($(element).attr('href'), url));
	return {
		url,
		// Only the main content may have been kept: its first heading is then the title.
		title: $('title').first().text().trim() || $('h1').first().text().trim(),
		description: $('meta[name="description"]').attr('content')?.trim() ?? '',
		icon: absolute($('link[rel="icon"]').attr('href'), url),
		sentences: paragraphs.flatMap(sentencesOf),
		links: links.filter(Boolean),
	};
}

/** Facts about a page (shape documentMetadata); page-supplied names come on top. */
export type PageMetadata = Record<string, unknown>;

/** Named fields that the service makes of Open Graph tags (recording scrape-01, shape documentMetadata). */
const OPEN_GRAPH: Readonly<Record<string, string>> = {
	'og:title': 'ogTitle',
	'og:description': 'ogDescription',
	'og:url': 'ogUrl',
	'og:image': 'ogImage',
	'og:locale': 'ogLocale',
	'og:site_name': 'ogSiteName',
	'article:published_time': 'publishedTime',
	'article:modified_time': 'modifiedTime',
	'article:tag': 'articleTag',
	'article:section': 'articleSection',
};

/** What the page's head says about it, in the shape of recording scrape-01. */
export function readMetadata(html: string, url: string): PageMetadata {
	const $ = load(html);
	const given: Record<string, string> = {};
	const alternates: string[] = [];
	$('meta[name], meta[property]').each((_index, element) => {
		const name = $(element).attr('name') ?? $(element).attr('property') ?? '';
		const content = $(element).attr('content') ?? '';
		if (name === 'og:locale:alternate') alternates.push(content);
		else if (name !== '__proto__') given[name] ??= content;
	});
	const named = Object.entries(OPEN_GRAPH).flatMap(([tag, name]) =>
		given[tag] === undefined ? [] : [[name, given[tag]]],
	);
	const icon = $('link[rel="icon"]').attr('href') ?? $('link[rel*="icon"]').first().attr('href');
	const title = $('title').first().text().trim();
	const language = $('html').attr('lang');
	return {
		...given,
		...Object.fromEntries(named),
		...(title && { title }),
		...(icon && URL.canParse(icon, url) && { favicon: new URL(icon, url).href }),
		...(language && { language }),
		ogLocaleAlternate: alternates,
	};
}
