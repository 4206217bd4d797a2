import { notInCache, timedOut, unreachable } from '../web/webClient.ts';
import type { FetchedPage, WebClient } from '../web/webClient.ts';
import { formatOf } from './options/formats.ts';
import { DEFAULT_MAX_AGE_MS } from './keptScrapes.ts';
import type { PageCache } from './keptScrapes.ts';
import { performActions, pictureOf } from './pictures.ts';
import type { ActionResults } from './pictures.ts';
import type { ScrapeOptions } from './options/scrapeOptions.ts';

/** What fetching needs. */
export interface FetchParts {
	now(): number;
	/** Divides waits, but no timeouts: fetching takes the time it takes. */
	speed: number;
	web: WebClient;
	/** Whether it takes pictures and performs actions. */
	hasBrowser: boolean;
	cache: PageCache;
	pause(ms: number): Promise<void>;
}

/** A page with how it was had. */
export interface FetchedForScrape {
	page: FetchedPage;
	/** Missing for a page that came fresh. */
	cachedAtMs?: number;
	picture?: Buffer;
	actions?: ActionResults;
	/** What was asked for and could not be done without a browser. */
	unsupported: string[];
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** The copy that the request allows for; throws where it allows for nothing else and there is none. */
function fromCache(parts: FetchParts, key: string, options: ScrapeOptions): FetchedForScrape | undefined {
	const cacheOnly = options.lockdown === true || options.minAge !== undefined;
	const mayUseCache =
		cacheOnly ||
		!(
			options.actions?.length ||
			formatOf(options.formats, 'screenshot') ||
			formatOf(options.formats, 'changeTracking') ||
			options.headers
		);
	if (!mayUseCache) return undefined;
	const age = {
		least: options.minAge ?? 0,
		most: options.lockdown ? Infinity : (options.maxAge ?? DEFAULT_MAX_AGE_MS),
	};
	const found = parts.cache.find(key, age, parts.now());
	if (found) return { page: found.page, cachedAtMs: found.atMs, unsupported: [] };
	if (options.lockdown) throw notInCache('SCRAPE_LOCKDOWN_CACHE_MISS');
	if (options.minAge !== undefined) throw notInCache('SCRAPE_NO_CACHED_DATA');
	return undefined;
}

async function fetchFresh(
	parts: FetchParts,
	url: string,
	options: ScrapeOptions,
	signal: AbortSignal,
): Promise<FetchedForScrape> {
	const picture = formatOf(options.formats, 'screenshot');
	const actions = options.actions ?? [];
	// Without a browser actions fail the scrape (recording scrape-10), a picture is only missing (scrape-09).
	if (actions.length > 0 && !parts.hasBrowser) throw unreachable();
	if (options.waitFor > 0) await parts.pause(options.waitFor / parts.speed);
	const headers = {
		...(options.location?.languages && { 'accept-language': options.location.languages.join(',') }),
		...options.headers,
	};
	const verifyTls = !options.skipTlsVerification;
	const page = await parts.web.fetch(url, { headers, signal, verifyTls });
	if (parts.hasBrowser) {
		return {
			page,
			...(picture && { picture: pictureOf(picture, options.mobile) }),
			...(actions.length > 0 && { actions: performActions(actions, page, options.mobile) }),
			unsupported: [],
		};
	}
	const pictureName = picture?.fullPage ? 'screenshot@fullScreen' : 'screenshot';
	return { page, unsupported: picture ? [pictureName] : [] };
}

/** Fetches the page from the cache or afresh. Rejects with a ScrapeFailure. */
export async function fetchForScrape(
	parts: FetchParts,
	url: string,
	options: ScrapeOptions,
	stop: AbortSignal | undefined,
): Promise<FetchedForScrape> {
	const key = `${options.mobile ? 'mobile ' : ''}${url}`;
	const cached = fromCache(parts, key, options);
	if (cached) return cached;
	const timeout = AbortSignal.timeout(options.timeout ?? DEFAULT_TIMEOUT_MS);
	const signal = stop ? AbortSignal.any([timeout, stop]) : timeout;
	try {
		const fetched = await fetchFresh(parts, url, options, signal);
		const mayKeep = options.storeInCache && !options.actions?.length && !options.headers;
		if (mayKeep && fetched.page.status === 200) parts.cache.keep(key, fetched.page, parts.now());
		return fetched;
	} catch (error) {
		stop?.throwIfAborted();
		if (timeout.aborted) throw timedOut();
		throw error;
	}
}
