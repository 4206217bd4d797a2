import { load } from 'cheerio/slim';
import robotsParser from 'robots-parser';
import { textOf } from './webClient.ts';
import type { WebClient } from './webClient.ts';

/** The name a site may address the service by; it obeys `*` where it is not named. */
const AGENT = 'FireCrawlAgent';

async function textAt(web: WebClient, url: string, signal: AbortSignal | undefined): Promise<string> {
	try {
		const page = await web.fetch(url, { signal });
		return page.status === 200 ? textOf(page) : '';
	} catch {
		signal?.throwIfAborted();
		return '';
	}
}

/** The robots.txt of the page's site (RFC 9309); one that cannot be had allows everything. */
export async function fetchRobots(web: WebClient, pageUrl: string, signal?: AbortSignal) {
	const robotsUrl = new URL('/robots.txt', pageUrl).href;
	const rules = robotsParser(robotsUrl, await textAt(web, robotsUrl, signal));
	return {
		/** Addresses of sitemaps it names. */
		sitemaps: rules.getSitemaps(),
		allows(url: string) {
			// The site's other names and its http addresses obey the same file.
			const { pathname, search } = new URL(url);
			return rules.isAllowed(new URL(pathname + search, robotsUrl).href, AGENT) ?? true;
		},
	};
}

/** The pages on the site's sitemap (sitemaps.org), in their order: the one robots.txt names, else /sitemap.xml. */
export async function fetchSitemap(
	web: WebClient,
	pageUrl: string,
	robots: { sitemaps: readonly string[] },
	signal?: AbortSignal,
): Promise<string[]> {
	const named = robots.sitemaps.find((url) => URL.canParse(url)) ?? new URL('/sitemap.xml', pageUrl).href;
	const $ = load(await textAt(web, named, signal), { xml: true });
	const urls = $('url > loc')
		.toArray()
		.map((loc) => $(loc).text().trim());
	return urls.filter((url) => /^https?:\/\//i.test(url) && URL.canParse(url));
}
