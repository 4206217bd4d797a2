import { sentencesOf } from '../html/cleanHtml.ts';
import type { PageText } from '../html/cleanHtml.ts';
import { FIRM_PAGES, PAGES } from '../site/pages.ts';
import type { SitePage } from '../site/pages.ts';
import { WEEKLY_PAGES } from '../site/weeks.ts';
import { rankPages } from '../text/rankSentences.ts';
import { PUBLIC_SITE } from '../web/addresses.ts';
import type { SearchRequest } from './searchRequest.ts';

const sentencesOn = ({ sections }: SitePage): string[] =>
	sections.flatMap(({ paragraphs }) => paragraphs.flatMap(sentencesOf));

/** What the search knows of the web: the sandbox's own site. */
export const OWN_PAGES: readonly PageText[] = PAGES.map((page) => ({
	url: PUBLIC_SITE + page.path,
	title: page.title,
	description: page.description,
	icon: `${PUBLIC_SITE}/favicon.svg`,
	sentences: sentencesOn(page),
}));

/** Pages of the firms whose name is asked for, which is the first part of their host. */
function firmPagesFor(query: string): PageText[] {
	const words = new Set(query.toLowerCase().match(/\p{L}+/gu));
	return FIRM_PAGES.filter(({ path }) => words.has(new URL(path).hostname.replace(/\..*/, ''))).map((page) => {
		return { url: page.path, title: page.title, description: page.description, icon: '', sentences: sentencesOn(page) };
	});
}

/** The pages that change from week to week are found by searches alone: other jobs research the site as it always is. */
const FOUND_PAGES: readonly PageText[] = [
	...OWN_PAGES,
	...WEEKLY_PAGES.map(({ path, ...page }) => ({
		...page,
		url: PUBLIC_SITE + path,
		icon: `${PUBLIC_SITE}/favicon.svg`,
	})),
];

/** Hits by kind; a kind without hits is left out (recordings search-03, search-06). */
export type Hits = Partial<Record<'web' | 'news', Array<Record<string, unknown>>>>;

const DAY_MS = 86_400_000;

/** Hits of the search by the request's kinds, best first, without their content. No picture is found. */
export function webSearch({ query, limit, sources, categories }: SearchRequest, nowMs: number): Hits {
	const hits: Hits = {};
	// A marker for tests of "nothing found" (recording search-03).
	const best = query.includes('[empty]')
		? []
		: rankPages(query, [...firmPagesFor(query), ...FOUND_PAGES]).slice(0, limit);
	if (best.length === 0) return hits;
	const [category] = categories;
	for (const { type } of sources) {
		if (type === 'web') {
			hits.web = best.map(({ url, title, description }) => {
				return { url, title, description, ...(category && { category: category.type }) };
			});
		}
		if (type === 'news') {
			hits.news = best.map(({ url, title, description }, index) => {
				const date = new Date(nowMs - index * DAY_MS).toISOString().slice(0, 10);
				return { title, url, snippet: description, date, position: index + 1 };
			});
		}
	}
	return hits;
}
