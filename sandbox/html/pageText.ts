import { load } from 'cheerio/slim';

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
	return [...sentenceBounds.segment(paragraph)]
		.map(({ segment }) => segment.trim())
		.filter(Boolean);
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
