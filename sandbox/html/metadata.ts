import { load } from 'cheerio/slim';

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
