import { Agent, request as httpRequest } from 'undici';
import type { Dispatcher } from 'undici';
import type { OwnSite } from './addresses.ts';

/** What a URL gave, after redirects. */
export interface FetchedPage {
	/** Where it was in the end. */
	url: string;
	status: number;
	contentType: string;
	bytes: Buffer;
}

interface FetchOptions {
	headers?: Record<string, string>;
	signal?: AbortSignal | undefined;
}

const CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 5000;
const MAX_REDIRECTS = 10;
const MAX_BYTES = 20 * 1024 * 1024;
/** Names that nobody can own (RFC 6761): no resolver needs to be asked. */
const NO_HOST = /(?:^|\.)(?:example|invalid)$/;
const USER_AGENT = 'Mozilla/5.0 (compatible; web-data-sandbox)';

async function readBytes(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
	const parts: Buffer[] = [];
	let length = 0;
	for await (const part of body) {
		const bytes = Buffer.from(part);
		length += bytes.length;
		if (length > MAX_BYTES) throw unreachable();
		parts.push(bytes);
	}
	return Buffer.concat(parts);
}

function nextUrl(location: string | string[] | undefined, from: string): string | undefined {
	const to = Array.isArray(location) ? location[0] : location;
	return to !== undefined && URL.canParse(to, from) ? new URL(to, from).href : undefined;
}

/** Fetches pages over http and https. `own`: what is served here and needs no internet. */
export function webClient(own: OwnSite) {
	// Certificate errors are passed over, as `skipTlsVerification` has it.
	const connect = { rejectUnauthorized: false, timeout: CONNECT_TIMEOUT_MS };
	const dispatcher = new Agent({ connections: CONNECTIONS, connect });

	const follow = async (start: string, options: FetchOptions): Promise<FetchedPage> => {
		let url = start;
		for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
			const { protocol, hostname } = new URL(url);
			if (!/^https?:$/.test(protocol) || (NO_HOST.test(hostname) && !own.has(url))) throw unreachable();
			const asked = own.has(url) ? own.locate(url) : { url, headers: {} };
			const { statusCode, headers, body } = await httpRequest(asked.url, {
				dispatcher,
				headers: { 'user-agent': USER_AGENT, accept: '*/*', ...options.headers, ...asked.headers },
				...(options.signal && { signal: options.signal }),
			});
			const to = statusCode >= 300 && statusCode < 400 ? nextUrl(headers.location, url) : undefined;
			if (to === undefined) {
				const contentType = String(headers['content-type'] ?? '');
				return { url, status: statusCode, contentType, bytes: await readBytes(body) };
			}
			await body.dump();
			url = to;
		}
		throw unreachable();
	};

	return {
		/** Rejects with a ScrapeFailure where no answer can be had, with the signal's reason where it was aborted. */
		async fetch(url: string, options: FetchOptions = {}) {
			try {
				return await follow(url, options);
			} catch {
				options.signal?.throwIfAborted();
				throw unreachable();
			}
		},
		/** Ends what is under way. */
		async stop() {
			await dispatcher.destroy();
		},
	};
}

export type WebClient = ReturnType<typeof webClient>;

/** The page's text by the charset it names; UTF-8 where it names none or an unknown one. */
export function textOf({ contentType, bytes }: Pick<FetchedPage, 'contentType' | 'bytes'>): string {
	const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return bytes.toString('utf8');
	}
}

/** Whether it is a page rather than a file. Servers that name no type mostly send pages. */
export function isHtml(contentType: string): boolean {
	return contentType === '' || /\b(?:html|xhtml\+xml)\b/i.test(contentType);
}

/** A page that could not be had, as the service words it. */
export class ScrapeFailure extends Error {
	readonly httpStatus: number;
	readonly code: string;
	/** What it has cost all the same. */
	readonly credits: number;
	/** What a person must do first. */
	readonly requiresAction: object | undefined;

	constructor(
		httpStatus: number,
		code: string,
		message: string,
		{ credits = 0, requiresAction }: { credits?: number; requiresAction?: object } = {},
	) {
		super(message);
		this.name = 'ScrapeFailure';
		this.httpStatus = httpStatus;
		this.code = code;
		this.credits = credits;
		this.requiresAction = requiresAction;
	}
}

const TEXTS: Readonly<Record<string, string>> = {
	SCRAPE_ALL_ENGINES_FAILED:
		"All scraping engines failed to retrieve content from this URL. Engines tried: [fetch]. This usually happens when: (1) The URL is invalid or the page doesn't exist (404), (2) The website is blocking automated access, (3) The website is down or unreachable, (4) The page requires authentication. Double check the URL is correct and accessible in a browser. Check your server logs for more detailed error information from each engine.",
	SCRAPE_LOCKDOWN_CACHE_MISS:
		'No cached data is available for this request in lockdown mode. Lockdown mode only serves previously cached responses and never makes outbound requests. To resolve this, either disable lockdown mode to allow a fresh scrape, or try again after the URL has been scraped and cached.',
	MAP_TIMEOUT:
		'The map operation timed out before completing. This happens when discovering URLs on a large website takes too long. Try using a more specific starting URL, or increase the timeout parameter if available.',
	SCRAPE_TIMEOUT:
		'The scrape operation timed out before completing. This happens when a page takes too long to load, render, or process. Possible causes: (1) The website is slow or unresponsive, (2) The page has heavy JavaScript that takes time to execute, (3) The page is very large or has many resources to load, (4) Network latency is high. To fix this, try increasing the timeout parameter in your scrape request.',
};

/** The server's words for it (recordings scrape-62, scrape-66, map-10, plain-66). */
export function failureText(failure: ScrapeFailure): string {
	return TEXTS[failure.code] ?? failure.message;
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
	return new ScrapeFailure(408, 'SCRAPE_TIMEOUT', 'Scrape timed out after waiting in the concurrency limit queue');
}

/** The cache has nothing that `minAge` or `lockdown` allow (shape errorCode; wording the sandbox's own). */
export function notInCache(code: 'SCRAPE_NO_CACHED_DATA' | 'SCRAPE_LOCKDOWN_CACHE_MISS'): ScrapeFailure {
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

/**
 * A page that a path pattern of a crawl leaves out, as servers of 2026 list it: of the start page, too, which must match
 * as any other (recordings crawl-51, crawl-52).
 */
export function deniedByPattern(property: 'includePaths' | 'excludePaths', path: string): ScrapeFailure {
	const how = property === 'includePaths' ? 'does not match any' : 'matches one';
	return new ScrapeFailure(
		403,
		'CRAWL_DENIAL',
		`This URL's path (${path}) ${how} of the regex patterns you provided in the ${property} parameter.`,
	);
}

/** A page that was found to give orders to language models (docs/reference/service-notes.md#prompt-injection; wording the sandbox's own). */
export function promptInjection(): ScrapeFailure {
	const text = 'Prompt injection was detected in the content of this page.';
	return new ScrapeFailure(403, 'SCRAPE_PROMPT_INJECTION_DETECTED', text, { credits: 5 });
}

/** A file that no parser here can read (shape errorCode; wording the sandbox's own). */
export function unsupportedFile(contentType: string): ScrapeFailure {
	return new ScrapeFailure(
		500,
		'SCRAPE_UNSUPPORTED_FILE_ERROR',
		`The URL returned a file of an unsupported type: ${contentType}`,
	);
}
