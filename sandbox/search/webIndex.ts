import MiniSearch from 'minisearch';

import { readPage } from '../html/pageText.ts';
import { termsOf } from '../text/terms.ts';
import { fetchRobots, fetchSitemap } from '../web/siteFiles.ts';
import { textOf } from '../web/webClient.ts';
import type { PageText } from '../html/pageText.ts';
import type { OwnSite } from '../web/ownSite.ts';
import type { WebClient } from '../web/webClient.ts';

/** What the search knows of the web: the sandbox's own site, and pages that it has scraped. */
export interface WebIndex {
	/** Notes a page that was scraped; it is read when a search comes. */
	note(url: string, html: string): void;
	/** The pages that fit, best first. Reads the sandbox's own site at the first search. */
	search(query: string): Promise<PageText[]>;
	/** What is known of a page. */
	find(url: string): PageText | undefined;
	clear(): void;
}

const MAX_NOTED = 500;
const BIGGEST_NOTED = 50_000;

function buildEngine(): MiniSearch<{
	url: string;
	title: string;
	description: string;
	text: string;
}> {
	return new MiniSearch({
		idField: 'url',
		fields: ['title', 'description', 'text'],
		tokenize: termsOf,
		processTerm: (term) => term,
		searchOptions: {
			boost: { title: 3, description: 2 },
			prefix: (term) => term.length > 3,
			fuzzy: (term) => (term.length > 5 ? 0.2 : false),
		},
	});
}

/** See `WebIndex`. */
export function webIndex(siteUrl: string, web: WebClient, own: OwnSite): WebIndex {
	const noted = new Map<string, string>();
	const pages = new Map<string, PageText>();
	let engine = buildEngine();
	let ownSite: Promise<void> | undefined;

	const take = (url: string, html: string): void => {
		const page = readPage(url, html);
		if (pages.has(url)) engine.discard(url);
		pages.set(url, page);
		const { title, description, sentences } = page;
		engine.add({ url, title, description, text: sentences.join(' ') });
	};

	const readOwnSite = async (): Promise<void> => {
		const robots = await fetchRobots(web, siteUrl);
		const urls = await fetchSitemap(web, siteUrl, robots);
		const fetched = await Promise.all(urls.map((url) => web.fetch(url)));
		for (const page of fetched)
			if (page.status === 200) take(own.publicUrl(page.url), textOf(page));
	};

	return {
		note(url, html) {
			if (html.length > BIGGEST_NOTED) return;
			const name = own.publicUrl(url);
			noted.delete(name);
			noted.set(name, html);
			for (const oldest of noted.keys()) {
				if (noted.size <= MAX_NOTED) return;
				noted.delete(oldest);
			}
		},
		async search(query) {
			ownSite ??= readOwnSite().catch((error: unknown) => {
				// The next search may have better luck.
				ownSite = undefined;
				throw error;
			});
			await ownSite;
			for (const [url, html] of noted) {
				// The search has read its own site already.
				if (own.has(url)) pages.set(url, readPage(url, html));
				else take(url, html);
			}
			noted.clear();
			return engine.search(query).flatMap(({ id }) => pages.get(String(id)) ?? []);
		},
		find(url) {
			const name = own.publicUrl(url);
			const html = noted.get(name);
			return html === undefined ? pages.get(name) : readPage(name, html);
		},
		clear() {
			noted.clear();
			pages.clear();
			engine = buildEngine();
			ownSite = undefined;
		},
	};
}
