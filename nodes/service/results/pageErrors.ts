import { isText } from '../../text/values';
import type { ServiceClient } from '../client';
import { isJsonObject } from '../http/answer';
import { ServiceFailure, failureOrThrow, shorten } from '../http/failure';
import type { JsonObject, ServiceRequest } from '../http/transport';
import { routedSiteText } from '../http/routedSites';
import { jobPath } from '../jobs/jobKinds';
import type { JobKind } from '../jobs/jobKinds';

/** The reason why a job has no result for one page. */
export interface PageError {
	url: string;
	/**
	 * `robots`: the site's robots.txt forbids it; `pathRule`: an option of the crawl leaves it out;
	 * `unsupported`: the service does not read this site; `cancelled`: the job was cancelled before its turn.
	 */
	cause: 'failed' | 'robots' | 'pathRule' | 'unsupported' | 'cancelled';
	/** Machine code such as SCRAPE_TIMEOUT; empty when the service names none. */
	code: string;
	/** In the service's words, or in ours where its own are a code or are about its API. */
	message: string;
	timestamp: string | null;
	/** Of the scrape. */
	id: string | null;
}

/** The code that servers of 2026 have for all pages that they leave out: only the text tells why. */
const DENIAL_CODE = 'CRAWL_DENIAL';

const FORBIDDEN = 'The robots.txt of the site forbids this page.';

/** The texts that go with it, in the order in which they are tried: a path may have any word in it. */
const DENIALS: Array<{ text: RegExp; cause: PageError['cause']; message?: string }> = [
	{
		text: /^INCLUDE_PATTERN$|\bincludePaths parameter/,
		cause: 'pathRule',
		message: 'No pattern of Include Paths matches this page.',
	},
	{
		text: /^EXCLUDE_PATTERN$|\bexcludePaths parameter/,
		cause: 'pathRule',
		message: 'A pattern of Exclude Paths matches this page.',
	},
	{
		text: /^EXTERNAL_LINK$/,
		cause: 'pathRule',
		message: 'The page is on another site, and Allow External Links is off.',
	},
	{
		text: /^BACKWARD_CRAWLING$/,
		cause: 'pathRule',
		message: 'The page is not below the start URL, and Crawl Entire Domain is off.',
	},
	{
		text: /^SECTION_LINK$/,
		cause: 'pathRule',
		message: 'The link goes to a section of a page that is crawled anyway.',
	},
	{
		text: /^DEPTH_LIMIT$|\b(maximum|max|crawl) (discovery )?depth\b/i,
		cause: 'pathRule',
		message: 'The page is further from the start URL than Max Depth allows.',
	},
	{
		text: /^FILE_TYPE$/,
		cause: 'unsupported',
		message: 'The service does not crawl files of this kind.',
	},
	{
		text: /^SOCIAL_MEDIA$|\bnot supported\b|\bunsupported\b/i,
		cause: 'unsupported',
		message: 'The service does not support this site.',
	},
	{ text: /^ROBOTS_TXT$/, cause: 'robots', message: FORBIDDEN },
	{ text: /\brobots\.txt\b/i, cause: 'robots' },
];

/** The text of pages that a cancel has cut off, with a code that says nothing (crawl-27, batch-47). */
const CANCELLED_TEXT = 'not completed because the parent crawl or batch scrape was';

/**
 * The pages that an ended job failed on (shape `scrapeErrors`: at the top level or in `data`). Never
 * throws; wrong types count as missing. Undefined when the answer has no such list at all.
 */
export function readPageErrors(body: JsonObject): PageError[] | undefined {
	const data = isJsonObject(body.data) ? body.data : {};
	const errors = [body.errors, data.errors].find(Array.isArray) as unknown[] | undefined;
	const blocked = [body.robotsBlocked, data.robotsBlocked].find(Array.isArray) as unknown[] | undefined;
	if (!errors && !blocked) return undefined;
	const urls = new Set((blocked ?? []).filter(isText));
	const read = (errors ?? []).filter(isJsonObject).map((error) => readError(error, urls));
	const told = new Set(read.flatMap(({ url, cause }) => (cause === 'robots' ? [url] : [])));
	return [...read, ...[...urls].filter((url) => !told.has(url)).map(blockedPage)];
}

function readError(entry: JsonObject, blocked: ReadonlySet<unknown>): PageError {
	const { url, code, error, message, timestamp, id } = entry;
	const said = [error, message].find(isText) ?? 'The service gives no reason.';
	const routed = routedSiteText(entry, said);
	const reason = routed === undefined ? reasonOf(code, said) : ({ cause: 'unsupported', message: routed } as const);
	return {
		url: isText(url) ? url : '',
		...(blocked.has(url) ? { cause: 'robots', message: said } : reason),
		code: isText(code) ? code : '',
		timestamp: isText(timestamp) ? timestamp : null,
		id: isText(id) ? id : null,
	};
}

function reasonOf(code: unknown, said: string): Pick<PageError, 'cause' | 'message'> {
	if (said.includes(CANCELLED_TEXT)) return { cause: 'cancelled', message: said };
	const known = code === DENIAL_CODE ? DENIALS.find(({ text }) => text.test(said)) : undefined;
	return { cause: known?.cause ?? 'failed', message: known?.message ?? said };
}

function blockedPage(url: string): PageError {
	return { url, cause: 'robots', code: '', message: FORBIDDEN, timestamp: null, id: null };
}

/** Longest time that is spent on a list that nobody asked for, in milliseconds. */
const COURTESY_TIMEOUT_MS = 10_000;

/**
 * Asks for the pages that ended jobs of one kind failed on. Made once for a run: what the server does
 * not have is not asked for again with every job.
 */
export class PageErrorReader {
	/** The path of the server's list; undefined once it has shown that it has none. */
	private path: string | undefined;

	private olderPath: string | undefined;

	private isRefused = false;

	constructor(
		private readonly client: ServiceClient,
		private readonly kind: JobKind,
	) {
		this.path = kind.errorsPath;
		this.olderPath = kind.olderErrorsPath;
	}

	/** The list, asked for as often as any other read; undefined where the server has none. Throws a ServiceFailure. */
	async read(id: string): Promise<PageError[] | undefined> {
		return await this.ask(id, async (request) => await this.client.call(request));
	}

	/**
	 * The list as a courtesy beside results that are there: one try, none in a pause for the plan's limits
	 * and none after a refusal. Undefined when it could not be had. Throws only when the execution was
	 * stopped.
	 */
	async readOnce(id: string): Promise<PageError[] | undefined> {
		const { limits, time } = this.client;
		const isPaused = limits.freeAtMs(this.kind.statusBucket) > time.now();
		if (this.isRefused || isPaused) return undefined;
		const send = async (request: ServiceRequest) => (await this.client.send(request, COURTESY_TIMEOUT_MS)).body;
		return await this.ask(id, send).catch((error: unknown) => {
			const failure = failureOrThrow(error);
			if (failure.kind === 'aborted') throw failure;
			if (failure.kind === 'rateLimited') this.isRefused = true;
			return undefined;
		});
	}

	/** Undefined where the server has no such list. */
	private async ask(
		id: string,
		send: (request: ServiceRequest) => Promise<JsonObject>,
	): Promise<PageError[] | undefined> {
		const { path } = this;
		if (path === undefined) return undefined;
		const bucket = this.kind.statusBucket;
		try {
			return readPageErrors(await send({ method: 'GET', path: jobPath(path, id), bucket }));
		} catch (error) {
			if (!isMissingRoute(error)) throw failureOrThrow(error);
			// Others may have found it out meanwhile.
			if (this.path === path) {
				this.path = this.olderPath;
				this.olderPath = undefined;
			}
			return await this.ask(id, send);
		}
	}
}

/** True for a 404 that is not the service's own (docs/reference/service-notes.md#servers-of-your-own, recording batch-07). */
function isMissingRoute(error: unknown): boolean {
	return error instanceof ServiceFailure && error.httpCode === 404 && !error.notFound;
}

/** Calls, and asks once more at the path of older servers when the server does not have the route. */
export async function callWithOlderPath(
	client: ServiceClient,
	request: ServiceRequest,
	olderPath: string | undefined,
): Promise<JsonObject> {
	return await client.call(request).catch(async (error: unknown) => {
		if (!isMissingRoute(error) || olderPath === undefined) throw error;
		return await client.call({ ...request, path: olderPath });
	});
}

const MAX_WARNINGS = 5;

/** The words that take the place of an endpoint in n8n: the service names only endpoints. */
const IN_N8N: ReadonlyArray<readonly [remark: RegExp, instead: string]> = [
	[/deep-research.* deprecated/, 'In n8n, the node Web Research does this.'],
	[/extract.* deprecated/, 'In n8n, use Page · Scrape with the format JSON, or Agent · Start.'],
];

/**
 * The remarks of the service beside a result, in its own words: `warning`, `warnings`, and the `replacement` of what
 * it will give up (recordings of 2026: crawl, map, scrape, deep research). Never throws; wrong types count as missing.
 */
export function readWarnings({ warning, warnings, replacement }: JsonObject): string[] {
	if (warning === undefined && warnings === undefined && replacement === undefined) return [];
	const listed = Array.isArray(warnings) ? warnings.slice(0, MAX_WARNINGS) : [];
	const all = [warning, ...listed].filter(isWarningText).map((text) => shorten(text));
	const texts = [...new Set(all)].map(withNode);
	if (!isWarningText(replacement)) return texts;
	// The remark that something is deprecated names what replaces it, in most cases.
	const isNamed = texts.some((text) => text.includes(replacement));
	return isNamed ? texts : [...texts, `Use ${shorten(replacement)} instead.`];
}

function withNode(text: string): string {
	const [, instead] = IN_N8N.find(([remark]) => remark.test(text)) ?? [];
	const named = text.replace(/crawling with crawlEntireDomain=true/, 'Crawl Entire Domain (Crawl Options)');
	return instead === undefined ? named : `${named} ${instead}`;
}

/** The same as the service gave it, for an output that tells all: only what is there. */
export function remarksOf(body: JsonObject): JsonObject {
	const { warning, warnings, replacement } = body;
	return {
		...(says(warning) && { warning }),
		...(says(warnings) && { warnings }),
		...(says(replacement) && { replacement }),
	};
}

function says(value: unknown): boolean {
	return isWarningText(value) || (Array.isArray(value) && value.length > 0);
}

function isWarningText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
