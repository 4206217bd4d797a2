import { isHtml, notInCache, timedOut, unreachable } from '../web/webClient.ts';
import type { FetchedPage, WebClient } from '../web/webClient.ts';
import { buildDocument } from './document/pageDocument.ts';
import type { PageDocument } from './document/pageDocument.ts';
import { formatOf } from './options/formats.ts';
import { pageCredits } from './keptScrapes.ts';
import { refuseRouted } from './routedSites.ts';
import type { ChangeHistory } from './document/changeHistory.ts';
import type { ScrapeOptions } from './options/scrapeOptions.ts';

/** A page that was scraped. */
export interface Scraped {
	document: PageDocument;
	/** Final address and HTML as received, for a crawler to find links in; empty where it is no page. */
	url: string;
	html: string;
	credits: number;
}

/** What a scrape may be told besides its options. */
interface ScrapeCall {
	/** Address of the service, for the links to pictures. */
	serviceUrl: string;
	signal?: AbortSignal | undefined;
	/** The id under which it is kept. Default: a new one. */
	scrapeId?: string;
}

/** Scrapes one page. Rejects with a ScrapeFailure. */
export type Scrape = (url: string, options: ScrapeOptions, call: ScrapeCall) => Promise<Scraped>;

interface ScraperParts {
	now(): number;
	newId(): string;
	web: WebClient;
	/** Whether it takes pictures and performs actions. */
	hasBrowser: boolean;
	history: ChangeHistory;
}

/** Where the picture is served; no part of the service's contract. */
export const PICTURE_PATH = '/_sandbox/picture.png';

/** The picture of every page, a grey point: no browser is behind it. */
export const PICTURE = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGM4AwAAzgDNj8HpvAAAAABJRU5ErkJggg==',
	'base64',
);

const DEFAULT_TIMEOUT_MS = 60_000;

/** Fetches the page in time. There is no cache, so that a request for what is in it is refused. */
async function fetchPage(
	web: WebClient,
	url: string,
	{ lockdown, minAge, headers = {}, timeout = DEFAULT_TIMEOUT_MS }: ScrapeOptions,
	stop: AbortSignal | undefined,
): Promise<FetchedPage> {
	if (lockdown) throw notInCache('SCRAPE_LOCKDOWN_CACHE_MISS');
	if (minAge !== undefined) throw notInCache('SCRAPE_NO_CACHED_DATA');
	const late = AbortSignal.timeout(timeout);
	try {
		return await web.fetch(url, { headers, signal: stop ? AbortSignal.any([late, stop]) : late });
	} catch (error) {
		stop?.throwIfAborted();
		throw late.aborted ? timedOut() : error;
	}
}

/** See `Scrape`. */
export function scraper({ now, newId, web, hasBrowser, history }: ScraperParts): Scrape {
	return async (url, options, call) => {
		refuseRouted(url);
		// Without a browser actions fail the scrape (recording scrape-10), a picture is only missing (scrape-09).
		if (options.actions?.length && !hasBrowser) throw unreachable();
		const page = await fetchPage(web, url, options, call.signal);
		const built = await buildDocument(page, options);
		const credits = pageCredits(options, built.pdfPages);
		const picture = formatOf(options.formats, 'screenshot');
		const tracked = formatOf(options.formats, 'changeTracking');
		const name = picture?.fullPage ? 'screenshot@fullScreen' : 'screenshot';
		const warnings = [
			...(picture && !hasBrowser
				? [`The engine used does not support the following features: ${name} -- your scrape may be partial.`]
				: []),
			...built.warnings,
		];
		const document: PageDocument = {
			...built.document,
			...(picture && hasBrowser && { screenshot: call.serviceUrl + PICTURE_PATH }),
			...(tracked && { changeTracking: history.compare(url, page.status, built.markdown, tracked, now()) }),
			metadata: {
				...built.facts,
				scrapeId: call.scrapeId ?? newId(),
				sourceURL: url,
				url: page.url,
				statusCode: page.status,
				contentType: page.contentType,
				proxyUsed: 'basic',
				cacheState: 'miss',
				creditsUsed: credits,
			},
			...(warnings.length > 0 && { warning: warnings.join(' ') }),
		};
		return { document, url: page.url, html: isHtml(page.contentType) ? built.rawHtml : '', credits };
	};
}
