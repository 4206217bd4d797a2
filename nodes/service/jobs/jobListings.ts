import type { JsonObject } from '../http/transport';

/** How the service lists the jobs of a kind, so that one is found whose start answer was lost. */
export interface JobListing {
	/** `endpoint` in the feed of what a team has started (`GET /v2/team/activity`, recording team-20). */
	readonly endpoint: string;
	/**
	 * What the feed may show as `target` of a start with this body: first what it does, then what it might
	 * show instead. Empty when it cannot be found there.
	 */
	targetsOf(body: JsonObject): string[];
	/** Lists the running ones: those of the list `entries`, by `url`. */
	readonly running?: { readonly path: string; readonly entries: string };
}

/** By the whole query (recording active-38). */
export const deepResearch: JobListing = {
	endpoint: 'deep_research',
	targetsOf: ({ query }) => texts([query]),
};

/** By its address, which keeps its #fragment in both lists (recordings active-33 and active-34). */
export const crawl: JobListing = {
	endpoint: 'crawl',
	targetsOf: ({ url }) => texts([url]),
	running: { path: '/v2/crawl/active', entries: 'crawls' },
};

/**
 * By the first address (recording active-31); when the service leaves that one out, maybe by another.
 * URLs that are added to a job make no new one.
 */
export const batchScrape: JobListing = {
	endpoint: 'batch_scrape',
	targetsOf: ({ urls, appendToId }) => (appendToId === undefined ? texts(urls) : []),
};

/** By the first address, without any by the whole prompt (recordings team-20 and active-40). */
export const agent: JobListing = {
	endpoint: 'agent',
	targetsOf: ({ urls, prompt }) => [...texts(urls), ...texts([prompt])],
};

/** By the first address; one with a prompt alone has no target (recording active-42). */
export const extract: JobListing = {
	endpoint: 'extract',
	targetsOf: ({ urls }) => texts(urls),
};

/** By its address (recording active-44). */
export const llmsTxt: JobListing = {
	endpoint: 'llmstxt',
	targetsOf: ({ url }) => texts([url]),
};

/**
 * One form for targets that ask for the same: an address in full, with its #fragment, which the lists
 * keep; any other text as it is.
 */
export function canonicalTarget(target: string): string {
	const text = target.trim();
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text;
	return new URL(text).href;
}

function texts(values: unknown): string[] {
	if (!Array.isArray(values)) return [];
	return values.filter((value): value is string => typeof value === 'string' && value !== '');
}
