/** One element of the list of active crawls (docs/service-notes.md#active-crawls; `created_at`: recording crawl-03). */
export interface ActiveCrawl {
	id: string;
	teamId: string;
	url: string;
	created_at: string;
	options: Record<string, unknown>;
}

/** The list of active crawls as tests and demos set it. */
export interface Crawls {
	/** Puts a crawl on the list; what is left out is filled in. Returns what takes it off again. */
	add(crawl: Partial<ActiveCrawl> & { url: string }): { crawl: ActiveCrawl; remove(): void };
	list(): ActiveCrawl[];
	clear(): void;
}

/** The options a crawl has where its start named none (recording crawl-03). */
function defaultOptions(): Record<string, unknown> {
	return {
		includePaths: [],
		excludePaths: [],
		limit: 10_000,
		allowExternalLinks: false,
		allowSubdomains: false,
		ignoreRobotsTxt: false,
		sitemap: 'include',
		deduplicateSimilarURLs: true,
		ignoreQueryParameters: false,
		regexOnFullURL: false,
		scrapeOptions: {
			formats: [{ type: 'markdown' }],
			onlyMainContent: true,
			waitFor: 0,
			mobile: false,
			skipTlsVerification: true,
			removeBase64Images: true,
			fastMode: false,
			blockAds: true,
			proxy: 'auto',
			storeInCache: true,
		},
	};
}

/** See `Crawls`. */
export function crawlList(now: () => number, newId: () => string, teamId: string): Crawls {
	const active = new Map<string, ActiveCrawl>();
	return {
		add(given) {
			const crawl: ActiveCrawl = {
				id: given.id ?? newId(),
				teamId: given.teamId ?? teamId,
				url: given.url,
				created_at: given.created_at ?? new Date(now()).toISOString(),
				options: given.options ?? defaultOptions(),
			};
			active.set(crawl.id, crawl);
			return { crawl, remove: () => void active.delete(crawl.id) };
		},
		list: () => [...active.values()],
		clear: () => active.clear(),
	};
}
