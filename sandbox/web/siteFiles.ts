import { readRobots, readSitemap } from './addresses.ts';
import type { Robots } from './addresses.ts';
import { textOf } from './webClient.ts';
import type { WebClient } from './webClient.ts';

/** How deep and how wide an index of sitemaps is followed. */
const DEEPEST_INDEX = 2;
const MAX_SITEMAPS = 50;

async function textAt(web: WebClient, url: string, signal: AbortSignal | undefined): Promise<string> {
	try {
		const page = await web.fetch(url, { signal });
		return page.status === 200 ? textOf(page) : '';
	} catch {
		signal?.throwIfAborted();
		return '';
	}
}

/** The robots.txt of the page's site; one that cannot be had allows everything. */
export async function fetchRobots(
	web: WebClient,
	pageUrl: string,
	agent?: string,
	signal?: AbortSignal,
): Promise<Robots> {
	const robotsUrl = new URL('/robots.txt', pageUrl).href;
	return readRobots(robotsUrl, await textAt(web, robotsUrl, signal), agent);
}

/** The pages on the site's sitemaps, in their order: those robots.txt names, else /sitemap.xml. */
export async function fetchSitemap(
	web: WebClient,
	pageUrl: string,
	robots: Robots,
	signal?: AbortSignal,
): Promise<string[]> {
	const pages = new Set<string>();
	const read = new Set<string>();
	const readInto = async (url: string, depth: number): Promise<void> => {
		if (read.has(url) || read.size >= MAX_SITEMAPS) return;
		read.add(url);
		const { isIndex, urls } = readSitemap(await textAt(web, url, signal));
		for (const to of urls) {
			if (!/^https?:\/\//i.test(to) || !URL.canParse(to)) continue;
			if (!isIndex) pages.add(to);
			else if (depth < DEEPEST_INDEX) await readInto(to, depth + 1);
		}
	};
	const named = robots.sitemaps.filter((url) => URL.canParse(url));
	for (const url of named.length > 0 ? named : [new URL('/sitemap.xml', pageUrl).href]) {
		await readInto(url, 0);
	}
	return [...pages];
}
