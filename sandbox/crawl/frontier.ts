import {
	isSameSite,
	isSubdomainOf,
	looksLikeFile,
	similarityKey,
	withoutExtras,
} from '../web/addresses.ts';
import type { WorkQueue } from '../jobs/inParallel.ts';
import type { Robots } from '../web/robots.ts';
import type { CrawlRequest } from './crawlRequest.ts';

/** A page to visit. */
export interface Visit {
	url: string;
	/** Link hops from the start; start page and sitemap pages have 0. */
	depth: number;
	/** On another site: its links are not followed. */
	isExternal: boolean;
	/** Only looked through for links: the start page where the path rules leave it out. */
	isOnlyLooked: boolean;
}

/** Which pages a crawl goes to, in the order in which they were found. */
export interface Frontier extends WorkQueue<Visit> {
	/** Adds the start page; false where robots.txt refuses it. */
	addStart(): boolean;
	add(url: string, depth: number): void;
	/** How many were added for the result. */
	found(): number;
	/** What robots.txt refused, each once (recording crawl-07). */
	robotsBlocked: string[];
}

/** Decides by the crawl's rules which links are followed (shape crawlOptions). */
export function frontier(request: CrawlRequest, robots: Robots | undefined): Frontier {
	const start = new URL(request.url);
	const startKey = (url: string): string =>
		request.deduplicateSimilarURLs ? similarityKey(url) : url;
	const includes = request.includePaths.map((pattern) => new RegExp(pattern));
	const excludes = request.excludePaths.map((pattern) => new RegExp(pattern));
	const seen = new Set<string>();
	const queue: Visit[] = [];
	const robotsBlocked: string[] = [];
	let found = 0;

	const fitsPatterns = (url: URL): boolean => {
		const text = request.regexOnFullURL ? url.href : url.pathname;
		if (excludes.some((pattern) => pattern.test(text))) return false;
		return includes.length === 0 || includes.some((pattern) => pattern.test(text));
	};

	/** Whether the page is on the site that is crawled; undefined where it may not be visited at all. */
	const placeOf = (url: URL): 'inside' | 'outside' | undefined => {
		if (looksLikeFile(url)) return undefined;
		if (isSameSite(url, start)) {
			const isBelow = url.pathname.startsWith(start.pathname);
			return request.crawlEntireDomain || isBelow ? 'inside' : undefined;
		}
		if (request.allowSubdomains && isSubdomainOf(url, start)) return 'inside';
		// One hop to other sites, but not to their home pages.
		return request.allowExternalLinks && url.pathname !== '/' ? 'outside' : undefined;
	};

	const push = (visit: Visit): void => {
		queue.push(visit);
		if (!visit.isOnlyLooked) found += 1;
	};

	return {
		robotsBlocked,
		found: () => found,
		take: () => queue.shift(),
		addStart() {
			seen.add(startKey(request.url));
			const isAllowed = robots?.allows(request.url) ?? true;
			if (!isAllowed) {
				robotsBlocked.push(request.url);
				return false;
			}
			const isOnlyLooked = !fitsPatterns(start);
			push({ url: request.url, depth: 0, isExternal: false, isOnlyLooked });
			return true;
		},
		add(given, depth) {
			if (found >= request.limit) return;
			if (depth > (request.maxDiscoveryDepth ?? Infinity)) return;
			const url = withoutExtras(given, request.ignoreQueryParameters);
			const key = startKey(url);
			if (seen.has(key)) return;
			const parsed = new URL(url);
			const place = placeOf(parsed);
			if (!place || !fitsPatterns(parsed)) return;
			seen.add(key);
			if (robots && !robots.allows(url)) {
				robotsBlocked.push(url);
				return;
			}
			push({ url, depth, isExternal: place === 'outside', isOnlyLooked: false });
		},
	};
}
