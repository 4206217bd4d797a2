/** A page that could not be had, as the service words it. */
export class ScrapeFailure extends Error {
	readonly httpStatus: number;
	readonly code: string;

	constructor(httpStatus: number, code: string, message: string) {
		super(message);
		this.name = 'ScrapeFailure';
		this.httpStatus = httpStatus;
		this.code = code;
	}
}

/** No answer, or none this server can get (recordings scrape-07, scrape-10, scrape-11, batch-07b). */
export function unreachable(): ScrapeFailure {
	return new ScrapeFailure(
		500,
		'SCRAPE_ALL_ENGINES_FAILED',
		"All scraping engines failed! -- Double check the URL to make sure it's not broken. If the issue persists, contact us at help@firecrawl.com.",
	);
}

/** The request's `timeout` has passed (recording scrape-08). */
export function timedOut(): ScrapeFailure {
	return new ScrapeFailure(
		408,
		'SCRAPE_TIMEOUT',
		'Scrape timed out after waiting in the concurrency limit queue',
	);
}

/** The cache has nothing that `minAge` or `lockdown` allow (shape errorCode; wording the sandbox's own). */
export function notInCache(
	code: 'SCRAPE_NO_CACHED_DATA' | 'SCRAPE_LOCKDOWN_CACHE_MISS',
): ScrapeFailure {
	return new ScrapeFailure(404, code, 'No cached data is available for this URL.');
}

/** The start page of a crawl that robots.txt refuses, on a server of 2026 (recording crawl-45). */
export function deniedByRobots(): ScrapeFailure {
	return new ScrapeFailure(
		403,
		'CRAWL_DENIAL',
		"This URL is blocked by the website's robots.txt file, which instructs crawlers not to access this page. Firecrawl respects robots.txt by default. To crawl this URL anyway, set ignoreRobotsTxt: true in your crawl request (note: this may violate the website's crawling policies).",
	);
}

/** An action did not work, say for an element that never came (shape errorCode; wording the sandbox's own). */
export function actionFailed(message: string): ScrapeFailure {
	return new ScrapeFailure(500, 'SCRAPE_ACTION_ERROR', message);
}

/** A file that no parser here can read (shape errorCode; wording the sandbox's own). */
export function unsupportedFile(contentType: string): ScrapeFailure {
	return new ScrapeFailure(
		500,
		'SCRAPE_UNSUPPORTED_FILE_ERROR',
		`The URL returned a file of an unsupported type: ${contentType}`,
	);
}
