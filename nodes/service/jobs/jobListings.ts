import type { JsonObject } from '../http/transport';

/** The service's list of the jobs of a kind, by which one is found whose start answer was lost. */
export interface JobListing {
	/** Has all that were started, also those that have ended, newest first. */
	readonly started: ListRoute;
	/**
	 * The targets that the lists may show for a start with this body: first what they do, then what they might show
	 * instead. Empty when it cannot be found there.
	 */
	targetsOf(body: JsonObject): string[];
	/** The part of a start that the lists show where they do not show all that it asked for; default: its address. */
	readonly shows?: string;
	/** Has those that run, with all that was asked for. */
	readonly running?: ListRoute;
}

/** A list of jobs at the service. */
export interface ListRoute {
	readonly path: string;
	readonly query?: JsonObject;
	/** Field of the answer that is the list. */
	readonly entries: string;
	/** Field of an entry that tells what was asked for. */
	readonly target: string;
	/** The parameters that ask for the part after this answer; undefined after the last. `count`: entries so far. */
	next?(answer: JsonObject, count: number): JsonObject | undefined;
}

/** Entries of one answer, as many as the service gives (recordings team-27, monitor-23). */
const PART = 100;

/** The feed of what a team has started (recording team-20). */
function feed(endpoint: string): ListRoute {
	return {
		path: '/v2/team/activity',
		query: { endpoint, limit: PART },
		entries: 'data',
		target: 'target',
		next: ({ cursor, has_more: hasMore }) =>
			hasMore !== false && typeof cursor === 'string' && cursor !== '' ? { cursor } : undefined,
	};
}

/** By the whole query (recording active-38). */
export const deepResearchListing: JobListing = {
	started: feed('deep_research'),
	shows: 'query',
	targetsOf: ({ query }) => texts([query]),
};

/** By its address, which keeps its #fragment in both lists (recordings active-33 and active-34). */
export const crawlListing: JobListing = {
	started: feed('crawl'),
	targetsOf: ({ url }) => texts([url]),
	running: { path: '/v2/crawl/active', entries: 'crawls', target: 'url' },
};

/**
 * By the first address (recording active-31); when the service leaves that one out, maybe by another.
 * URLs that are added to a job make no new one.
 */
export const batchScrapeListing: JobListing = {
	started: feed('batch_scrape'),
	targetsOf: ({ urls, appendToId }) => (appendToId === undefined ? texts(urls) : []),
};

/** By the first address, without any by the whole prompt (recordings team-20 and active-40). */
export const agentListing: JobListing = {
	started: feed('agent'),
	shows: 'address or prompt',
	targetsOf: ({ urls, prompt }) => [...texts(urls), ...texts([prompt])],
};

/** By the first address; one with a prompt alone has no target (recording active-42). */
export const extractListing: JobListing = {
	started: feed('extract'),
	targetsOf: ({ urls }) => texts(urls),
};

/** Single pages, by their address (recording team-24): they have no state, and none runs on for long. */
export const scrapeListing: JobListing = {
	started: feed('scrape'),
	targetsOf: ({ url }) => texts([url]),
};

/** By its address (recording active-44). */
export const llmsTxtListing: JobListing = {
	started: feed('llmstxt'),
	targetsOf: ({ url }) => texts([url]),
};

/** In the list of its own monitor, where those that a schedule began stand as well (recording monitor-91). */
export const monitorCheckListing: JobListing = {
	started: {
		path: '/v2/monitor/{monitorId}/checks',
		query: { limit: PART },
		entries: 'data',
		target: 'trigger',
		next: ({ data }, count) => (Array.isArray(data) && data.length >= PART ? { offset: count } : undefined),
	},
	targetsOf: () => ['manual'],
	shows: 'monitor',
};

/** Monitors, by their name: a list of what is there, newest first. */
export const monitorListing: JobListing = {
	started: {
		path: '/v2/monitor',
		query: { limit: PART },
		entries: 'data',
		target: 'name',
		next: ({ data }, count) => (Array.isArray(data) && data.length > 0 ? { offset: count } : undefined),
	},
	targetsOf: ({ name }) => texts([name]),
	shows: 'name',
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
