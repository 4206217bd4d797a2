import robotsParser from 'robots-parser';
import { load } from 'cheerio/slim';

/** Questions about addresses that crawl and map ask alike. */

function bareHost(url: URL): string {
	return url.hostname.replace(/^www\./, '');
}

/** Whether both are on the same site; ports tell sites apart, `www.` does not. */
export function isSameSite(left: URL, right: URL): boolean {
	return bareHost(left) === bareHost(right) && left.port === right.port;
}

/** Whether the first is on a subdomain of the second's host. An address in numbers has none. */
export function isSubdomainOf(url: URL, of: URL): boolean {
	return bareHost(url).endsWith(`.${bareHost(of)}`) && url.port === of.port;
}

/** Without fragment, and without query where asked. */
export function withoutExtras(url: string, ignoresQuery: boolean): string {
	const plain = new URL(url);
	plain.hash = '';
	if (ignoresQuery) plain.search = '';
	return plain.href;
}

/** One key for addresses that mostly mean one page: http or https, with www. or without, index files, last slash. */
export function similarityKey(url: string): string {
	const { port, pathname, search } = new URL(url);
	const path = pathname.replace(/\/index\.(?:html?|php)$/i, '/').replace(/\/+$/, '');
	return `${bareHost(new URL(url))}:${port}${path}${search}`;
}

/** Without the slash at its end, as map gives addresses (recording map-01). */
export function withoutLastSlash(url: string): string {
	return url.replace(/\/+$/, '');
}

const FILES =
	/\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|json|xml|zip|gz|tar|mp[34]|webm|avi|woff2?|ttf|exe|dmg|iso)$/i;

/** Whether the path ends like a file that is no page: it is not worth a visit. */
export function looksLikeFile(url: URL): boolean {
	return FILES.test(url.pathname);
}

const IN_NUMBERS = /^(?:\d+(?:\.\d+){3}|\[.*\])$/;

/**
 * The domain above the address, where there is more to be found: the last two names of its host, or the
 * host where it is numbers. Undefined where the address is that already.
 */
export function higherDomain(url: string): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const { hostname, pathname } = new URL(url);
	const domain = IN_NUMBERS.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
	return pathname === '/' && hostname === domain ? undefined : domain;
}

/** The name a site may address the service by; it obeys `*` where it is not named. */
const DEFAULT_AGENT = 'FireCrawlAgent';

/** For a site without a robots.txt, and where it is to be ignored. */
export const NO_ROBOTS: Robots = { allows: () => true, sitemaps: [] };

/** Reads the robots.txt at this address (RFC 9309): groups by agent, `*` and `$`, the longest match decides. */
export function readRobots(robotsUrl: string, text: string, agent: string = DEFAULT_AGENT) {
	const rules = robotsParser(robotsUrl, text);
	return {
		/** Addresses of sitemaps it names. */
		sitemaps: rules.getSitemaps(),
		allows(url: string) {
			// The site's other names and its http addresses obey the same file.
			const { pathname, search } = new URL(url);
			return rules.isAllowed(new URL(pathname + search, robotsUrl).href, agent) ?? true;
		},
	};
}

export type Robots = ReturnType<typeof readRobots>;

/** What one sitemap file lists (sitemaps.org), in its order. */
interface Sitemap {
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

/** The sandbox's own site, under the name that a workflow can use anywhere. */
export const PUBLIC_SITE = 'https://example.com';

const OWN_NAMES = new Set(['example.com', 'www.example.com']);

/**
 * `example.com` is the sandbox's own site, so that one workflow runs at the real service and here, also
 * without the internet. The real example.com is a single page that nobody needs. `siteUrl` is where the
 * site listens.
 */
export function ownSite(siteUrl: string) {
	return {
		/** Whether the sandbox answers for this address itself. */
		has: (url: URL | string) => OWN_NAMES.has(new URL(url).hostname),
		/** Where the pages of the address are really asked for, and with which headers. */
		locate(url: string) {
			const { host, protocol, pathname, search } = new URL(url);
			return {
				url: `${siteUrl}${pathname}${search}`,
				headers: { host, 'x-forwarded-proto': protocol.replace(':', '') },
			};
		},
		/** The address as a search names it: a page of the sandbox by `example.com`, not by a local port. */
		publicUrl(url: string) {
			const { origin, hostname, pathname, search, hash } = new URL(url);
			if (origin !== new URL(siteUrl).origin && !OWN_NAMES.has(hostname)) return url;
			return `${PUBLIC_SITE}${pathname}${search}${hash}`;
		},
	};
}

export type OwnSite = ReturnType<typeof ownSite>;
