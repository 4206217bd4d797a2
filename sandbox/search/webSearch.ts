import { rankPages, termsOf } from '../text/rankSentences.ts';
import { readPage } from '../html/cleanHtml.ts';
import type { PageText } from '../html/cleanHtml.ts';
import type { SearchRequest } from './searchRequest.ts';
import { fetchRobots, fetchSitemap } from '../web/siteFiles.ts';
import { textOf } from '../web/webClient.ts';
import type { WebClient } from '../web/webClient.ts';
import type { OwnSite } from '../web/addresses.ts';

/** Hits by kind; a kind without hits is left out (recordings search-03, search-06). */
export type Hits = Partial<Record<'web' | 'news' | 'images', Array<Record<string, unknown>>>>;

function hostFits(page: PageText, domains: readonly string[]): boolean {
	const { host, hostname } = new URL(page.url);
	return domains.some((domain) => host === domain || hostname === domain || hostname.endsWith(`.${domain}`));
}

/** The sentence of the page that fits the query best. */
function snippetOf(page: PageText, query: string): string {
	const wanted = new Set(termsOf(query));
	const score = (text: string): number => termsOf(text).filter((term) => wanted.has(term)).length;
	const best = [...page.sentences].sort((left, right) => score(right) - score(left))[0];
	return best && score(best) > 0 ? best : page.description;
}

/** Hits of the search by the request's kinds, without their content. `pages` come best first. */
export async function webSearch(
	request: SearchRequest,
	search: (query: string) => Promise<PageText[]>,
	nowMs: number,
): Promise<Hits> {
	// A marker for tests of "nothing found" (recording search-03).
	if (request.query.includes('[empty]')) return {};
	const [include, exclude] = [request.includeDomains, request.excludeDomains];
	const category = request.categories[0]?.type;
	const pages = (await search(request.query)).filter(
		(page) =>
			(!include || hostFits(page, include)) &&
			(!exclude || !hostFits(page, exclude)) &&
			(category !== 'github' || new URL(page.url).hostname === 'github.com') &&
			(category !== 'pdf' || page.url.endsWith('.pdf')),
	);
	const best = pages.slice(0, request.limit);
	const hits: Hits = {};
	if (best.length === 0) return hits;
	for (const { type } of request.sources) {
		if (type === 'web') {
			hits.web = best.map((page) => ({
				url: page.url,
				title: page.title,
				description: page.description || snippetOf(page, request.query),
				...(category && { category }),
			}));
		}
		if (type === 'news') {
			hits.news = best.map((page, index) => ({
				title: page.title,
				url: page.url,
				snippet: snippetOf(page, request.query),
				date: new Date(nowMs - index * 86_400_000).toISOString().slice(0, 10),
				position: index + 1,
			}));
		}
		if (type === 'images') {
			const pictured = best.filter(({ icon }) => icon !== '');
			hits.images = pictured.map((page, index) => ({
				title: page.title,
				imageUrl: page.icon,
				imageWidth: 32,
				imageHeight: 32,
				url: page.url,
				position: index + 1,
			}));
		}
	}
	return hits;
}

const MAX_NOTED = 500;
const BIGGEST_NOTED = 50_000;

/** What the search knows of the web: the sandbox's own site, and pages that it has scraped. */
export function webIndex(siteUrl: string, web: WebClient, own: OwnSite) {
	const noted = new Map<string, string>();
	const pages = new Map<string, PageText>();
	let ownSite: Promise<void> | undefined;

	const take = (url: string, html: string): void => {
		pages.set(url, readPage(url, html));
	};

	const readOwnSite = async (): Promise<void> => {
		const robots = await fetchRobots(web, siteUrl);
		const urls = await fetchSitemap(web, siteUrl, robots);
		const fetched = await Promise.all(urls.map((url) => web.fetch(url)));
		for (const page of fetched) if (page.status === 200) take(own.publicUrl(page.url), textOf(page));
	};

	return {
		/** Notes a page that was scraped; it is read when a search comes. */
		note(url: string, html: string) {
			if (html.length > BIGGEST_NOTED) return;
			const name = own.publicUrl(url);
			noted.delete(name);
			noted.set(name, html);
			for (const oldest of noted.keys()) {
				if (noted.size <= MAX_NOTED) return;
				noted.delete(oldest);
			}
		},
		/** The pages that fit, best first. Reads the sandbox's own site at the first search. */
		async search(query: string) {
			ownSite ??= readOwnSite().catch((error: unknown) => {
				// The next search may have better luck.
				ownSite = undefined;
				throw error;
			});
			await ownSite;
			for (const [url, html] of noted) take(url, html);
			noted.clear();
			return rankPages(query, [...pages.values()]);
		},
		/** All of them, in any order, as of the latest search. */
		all: () => [...pages.values()],
		/** What is known of a page. */
		find(url: string): PageText | undefined {
			const name = own.publicUrl(url);
			const html = noted.get(name);
			return html === undefined ? pages.get(name) : readPage(name, html);
		},
		clear() {
			noted.clear();
			pages.clear();
			ownSite = undefined;
		},
	};
}

export type WebIndex = ReturnType<typeof webIndex>;
