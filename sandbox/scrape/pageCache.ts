import type { FetchedPage } from '../web/webClient.ts';

/** Copies of pages as they were fetched. */
export interface PageCache {
	/** The copy, if there is one of an age within the bounds, in milliseconds. */
	find(
		key: string,
		age: { least: number; most: number },
		nowMs: number,
	): { page: FetchedPage; atMs: number } | undefined;
	keep(key: string, page: FetchedPage, nowMs: number): void;
	clear(): void;
}

const MAX_PAGES = 1000;
const BIGGEST_PAGE = 256 * 1024;

/** How old a cached copy may be where the request does not say: 2 days (docs/service-notes.md#lifetimes). */
export const DEFAULT_MAX_AGE_MS = 172_800_000;

/** See `PageCache`. Holds so many pages; the oldest go first. */
export function pageCache(): PageCache {
	const pages = new Map<string, { page: FetchedPage; atMs: number }>();
	return {
		find(key, age, nowMs) {
			const found = pages.get(key);
			if (!found) return undefined;
			const isOf = nowMs - found.atMs;
			return isOf >= age.least && isOf < age.most ? found : undefined;
		},
		keep(key, page, nowMs) {
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
