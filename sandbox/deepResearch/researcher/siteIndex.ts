import MiniSearch from 'minisearch';

import { readPage } from '../../html/pageText.ts';
import { termsOf } from '../../text/terms.ts';
import { readSitemap } from '../../web/sitemap.ts';

/** Fetches the text behind a URL. Rejects for an answer that is no 200. */
export type FetchText = (url: string) => Promise<string>;

/** A page the search found. */
export interface Hit {
	url: string;
	title: string;
	score: number;
}

/** A search engine over the site. */
export interface SiteIndex {
	/** Best first; empty where nothing matches. */
	search(query: string): Hit[];
	/** All pages in the order of the sitemap. */
	pages: ReadonlyArray<{ url: string; title: string }>;
}

/** A word on more than this share of the pages says nothing about which of them fits: the site's own subject. */
const EVERYWHERE_SHARE = 0.7;

/** Reads the site's map, fetches every page on it and builds the index. */
export async function buildSiteIndex(siteUrl: string, fetchText: FetchText): Promise<SiteIndex> {
	const { urls } = readSitemap(await fetchText(`${siteUrl}/sitemap.xml`));
	const pages = await Promise.all(urls.map(async (url) => readPage(url, await fetchText(url))));
	const engine = new MiniSearch<{ url: string; title: string; description: string; text: string }>({
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
	engine.addAll(
		pages.map(({ url, title, description, sentences }) => ({
			url,
			title,
			description,
			text: sentences.join(' '),
		})),
	);
	const pagesHolding = new Map<string, number>();
	for (const { title, description, sentences } of pages) {
		for (const term of new Set(termsOf([title, description, ...sentences].join(' ')))) {
			pagesHolding.set(term, (pagesHolding.get(term) ?? 0) + 1);
		}
	}
	const isEverywhere = (term: string): boolean =>
		(pagesHolding.get(term) ?? 0) > pages.length * EVERYWHERE_SHARE;
	/** The words of the query that tell pages apart; all of them where none does. */
	const telling = (query: string): string => {
		const terms = termsOf(query);
		const rare = terms.filter((term) => !isEverywhere(term));
		return (rare.length > 0 ? rare : terms).join(' ');
	};
	const titles = new Map(pages.map(({ url, title }) => [url, title]));
	return {
		pages: pages.map(({ url, title }) => ({ url, title })),
		search: (query) =>
			engine.search(telling(query)).map(({ id, score }) => {
				const url = String(id);
				return { url, title: titles.get(url) ?? url, score };
			}),
	};
}
