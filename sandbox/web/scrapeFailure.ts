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

const NEWER_TEXTS: Readonly<Record<string, string>> = {
	SCRAPE_ALL_ENGINES_FAILED:
		"All scraping engines failed to retrieve content from this URL. Engines tried: [fetch]. This usually happens when: (1) The URL is invalid or the page doesn't exist (404), (2) The website is blocking automated access, (3) The website is down or unreachable, (4) The page requires authentication. Double check the URL is correct and accessible in a browser. Check your server logs for more detailed error information from each engine.",
	SCRAPE_LOCKDOWN_CACHE_MISS:
		'No cached data is available for this request in lockdown mode. Lockdown mode only serves previously cached responses and never makes outbound requests. To resolve this, either disable lockdown mode to allow a fresh scrape, or try again after the URL has been scraped and cached.',
	MAP_TIMEOUT:
		'The map operation timed out before completing. This happens when discovering URLs on a large website takes too long. Try using a more specific starting URL, or increase the timeout parameter if available.',
	SCRAPE_TIMEOUT:
		'The scrape operation timed out before completing. This happens when a page takes too long to load, render, or process. Possible causes: (1) The website is slow or unresponsive, (2) The page has heavy JavaScript that takes time to execute, (3) The page is very large or has many resources to load, (4) Network latency is high. To fix this, try increasing the timeout parameter in your scrape request.',
};

/** The words of a server of the generation for it (recordings of 2026: scrape-62, scrape-66, map-10, plain-66). */
export function failureText(failure: ScrapeFailure, generation: 2025 | 2026): string {
	return (generation === 2026 ? NEWER_TEXTS[failure.code] : undefined) ?? failure.message;
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
