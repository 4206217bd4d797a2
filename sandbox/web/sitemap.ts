import { load } from 'cheerio/slim';

/** What one sitemap file lists (sitemaps.org), in its order. */
export interface Sitemap {
	/** Whether the addresses are those of further sitemaps, not of pages. */
	isIndex: boolean;
	urls: string[];
}

/** Reads a sitemap or an index of sitemaps; a text that is neither lists nothing. */
export function readSitemap(xml: string): Sitemap {
	const $ = load(xml, { xml: true });
	const urls = $('sitemap > loc, url > loc')
		.toArray()
		.map((loc) => $(loc).text().trim());
	return { isIndex: $('sitemapindex').length > 0, urls };
}
