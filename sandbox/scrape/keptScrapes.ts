import type { PageDocument } from './document/pageDocument.ts';
import type { FetchedPage } from '../web/webClient.ts';
import { formatOf } from './options/formats.ts';
import type { ScrapeOptions } from './options/scrapeOptions.ts';

const MAX_KEPT = 1000;

/** Documents of single scrapes, to be asked for again by their id. Holds the latest so many. */
export function keptScrapes() {
	const documents = new Map<string, PageDocument>();
	return {
		keep(document: PageDocument) {
			documents.set(String(document.metadata.scrapeId), document);
			for (const oldest of documents.keys()) {
				if (documents.size <= MAX_KEPT) return;
				documents.delete(oldest);
			}
		},
		find: (scrapeId: string) => documents.get(scrapeId),
		clear: () => documents.clear(),
	};
}

const MAX_PAGES = 1000;
const BIGGEST_PAGE = 256 * 1024;

/** How old a cached copy may be where the request does not say: 2 days (docs/service-notes.md#lifetimes). */
export const DEFAULT_MAX_AGE_MS = 172_800_000;

/** Copies of pages as they were fetched. Holds so many pages; the oldest go first. */
export function pageCache() {
	const pages = new Map<string, { page: FetchedPage; atMs: number }>();
	return {
		/** The copy, if there is one of an age within the bounds, in milliseconds. */
		find(
			key: string,
			age: { least: number; most: number },
			nowMs: number,
		): { page: FetchedPage; atMs: number } | undefined {
			const found = pages.get(key);
			if (!found) return undefined;
			const isOf = nowMs - found.atMs;
			return isOf >= age.least && isOf < age.most ? found : undefined;
		},
		keep(key: string, page: FetchedPage, nowMs: number) {
			if (page.bytes.length > BIGGEST_PAGE) return;
			pages.delete(key);
			pages.set(key, { page, atMs: nowMs });
			for (const oldest of pages.keys()) {
				if (pages.size <= MAX_PAGES) return;
				pages.delete(oldest);
			}
		},
		clear: () => pages.clear(),
	};
}

export type PageCache = ReturnType<typeof pageCache>;

const DEAR_FORMATS = ['json', 'question', 'query', 'highlights', 'audio', 'video'] as const;
const DEAR = 4;

/** What a page costs with these settings (docs/service-notes.md#prices; recordings scrape-01, scrape-03). */
export function pageCredits(
	options: Pick<ScrapeOptions, 'formats' | 'redactPII' | 'lockdown'> & {
		zeroDataRetention?: boolean | undefined;
	},
	pdfPages = 1,
): number {
	const { formats } = options;
	const dear = DEAR_FORMATS.filter((name) => formatOf(formats, name)).length;
	const tracksJson = formatOf(formats, 'changeTracking')?.modes.includes('json') ?? false;
	return (
		Math.max(1, pdfPages) +
		DEAR * dear +
		(tracksJson && !formatOf(formats, 'json') ? DEAR : 0) +
		(options.redactPII ? DEAR : 0) +
		(options.zeroDataRetention ? 1 : 0) +
		(options.lockdown ? DEAR : 0)
	);
}
