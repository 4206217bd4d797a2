import { load } from 'cheerio/slim';
import type { CheerioAPI } from 'cheerio';

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

function makeAbsolute($: CheerioAPI, attribute: 'href' | 'src', baseUrl: string): void {
	$(`[${attribute}]`).each((_index, element) => {
		const value = $(element).attr(attribute)?.trim() ?? '';
		if (value === '' || /^(?:data|javascript|mailto|tel):/i.test(value)) return;
		if (URL.canParse(value, baseUrl)) $(element).attr(attribute, new URL(value, baseUrl).href);
	});
}

/** The page, or its main content alone, with absolute addresses (format `html`; recording scrape-02). */
export function cleanHtml(html: string, baseUrl: string, onlyMainContent: boolean): string {
	const $ = load(html, AS_WRITTEN);
	makeAbsolute($, 'href', baseUrl);
	makeAbsolute($, 'src', baseUrl);
	$(NEVER_CONTENT).remove();
	if (onlyMainContent) $(AROUND_CONTENT).remove();
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

/** What a page says, taken out of its HTML. */
export interface PageText {
	url: string;
	title: string;
	description: string;
	/** Absolute URL; empty where the page names none (as in recording dr-09b). */
	icon: string;
	/** The sentences of its paragraphs, in order. */
	sentences: string[];
}

const sentenceBounds = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentences of a paragraph; a full stop inside a number ends none. */
export function sentencesOf(paragraph: string): string[] {
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
	return {
		url,
		// Only the main content may have been kept: its first heading is then the title.
		title: $('title').first().text().trim() || $('h1').first().text().trim(),
		description: $('meta[name="description"]').attr('content')?.trim() ?? '',
		icon: absolute($('link[rel="icon"]').attr('href'), url),
		sentences: paragraphs.flatMap(sentencesOf),
	};
}

/** Facts about a page (shape documentMetadata); page-supplied names come on top. */
export type PageMetadata = Record<string, unknown>;

/** What the page's head says about it, in the shape of recording scrape-01. */
export function readMetadata(html: string, url: string): PageMetadata {
	const $ = load(html);
	const named = $('meta[name], meta[property]')
		.toArray()
		.map((element) => [$(element).attr('name') ?? $(element).attr('property'), $(element).attr('content') ?? '']);
	const icon = $('link[rel*="icon"]').first().attr('href');
	const title = $('title').first().text().trim();
	const language = $('html').attr('lang');
	return {
		...Object.fromEntries(named),
		...(title && { title }),
		...(icon && URL.canParse(icon, url) && { favicon: new URL(icon, url).href }),
		...(language && { language }),
	};
}
