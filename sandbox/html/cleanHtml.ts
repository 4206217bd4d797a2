import { load } from 'cheerio/slim';
import type { CheerioAPI } from 'cheerio';

/** Which parts of a page are wanted (shape scrapeOptions). */
export interface Parts {
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
