import { z } from 'zod/v4';
import { callerFields, pageUrl } from '../http/bodySchema.ts';
import { scrapeOptionsSchema } from '../scrape/options/scrapeOptions.ts';
import type { ScrapeOptions } from '../scrape/options/scrapeOptions.ts';
import { webhookSchema } from '../webhooks/webhooks.ts';
import { lightSite } from '../pageJobs/pageJob.ts';
import { noteError, startLightJob, startPageJob, pagesAtOnce } from '../pageJobs/pageJobs.ts';
import type { NewPageJob, PageJobParts } from '../pageJobs/pageJobs.ts';
import { pageCredits } from '../scrape/keptScrapes.ts';
import { deniedByRobots, unreachable } from '../web/webClient.ts';
import type { WebClient } from '../web/webClient.ts';
import type { Pauses } from '../runtime/runtime.ts';
import { linksIn } from '../html/cleanHtml.ts';
import { inParallel } from '../jobs/jobStore.ts';
import type { WorkQueue } from '../jobs/jobStore.ts';
import { NO_ROBOTS, isSameSite, isSubdomainOf, looksLikeFile, similarityKey, withoutExtras } from '../web/addresses.ts';
import type { Robots } from '../web/addresses.ts';
import { fetchRobots, fetchSitemap } from '../web/siteFiles.ts';
import type { Scraped } from '../scrape/scraper.ts';

/** Pages of a crawl that names no limit (docs/service-notes.md#prices). */
export const DEFAULT_CRAWL_LIMIT = 10_000;

const DELAY_TEXT = 'The delay parameter is measured in seconds and cannot exceed 60 seconds.';

/** The body of a crawl's start (shape crawlOptions), with the defaults that recording crawl-03 shows. */
export const crawlRequestSchema = z
	.object({
		url: pageUrl,
		prompt: z.string().max(10_000).optional(),
		includePaths: z.array(z.string()).default([]),
		excludePaths: z.array(z.string()).default([]),
		maxDiscoveryDepth: z.number().optional(),
		limit: z.number().default(DEFAULT_CRAWL_LIMIT),
		crawlEntireDomain: z.boolean().optional(),
		allowExternalLinks: z.boolean().default(false),
		allowSubdomains: z.boolean().default(false),
		ignoreRobotsTxt: z.boolean().default(false),
		robotsUserAgent: z.string().optional(),
		sitemap: z.enum(['skip', 'include', 'only']).default('include'),
		deduplicateSimilarURLs: z.boolean().default(true),
		ignoreQueryParameters: z.boolean().default(false),
		regexOnFullURL: z.boolean().default(false),
		delay: z.number().positive().max(60, DELAY_TEXT).optional(),
		maxConcurrency: z.number().int().positive().optional(),
		scrapeOptions: scrapeOptionsSchema.prefault({}),
		webhook: webhookSchema.optional(),
		zeroDataRetention: z.boolean().optional(),
		...callerFields,
	})
	.strict();

/** A crawl request with its defaults filled in. `delay` is in seconds. */
type CrawlRequest = z.output<typeof crawlRequestSchema>;

/** The body of a preview of crawl options, which drops what it does not know (recording crawl-62). */
export const previewRequestSchema = z.object({
	url: pageUrl,
	prompt: z.string().max(10_000),
	...callerFields,
});

/** The message of the first pattern that is no regular expression (recording crawl-34). */
export function patternError(patterns: readonly string[]): string | undefined {
	for (const pattern of patterns) {
		try {
			new RegExp(pattern);
		} catch (error) {
			return error instanceof Error ? error.message : String(error);
		}
	}
	return undefined;
}

const NOT_THE_CRAWLERS = new Set([
	'url',
	'prompt',
	'scrapeOptions',
	'webhook',
	'zeroDataRetention',
	'integration',
	'origin',
]);

/** The crawler's own options, as an answer names them (recordings crawl-03, crawl-37). */
export function crawlerOptions(request: CrawlRequest): Record<string, unknown> {
	return Object.fromEntries(Object.entries(request).filter(([name]) => !NOT_THE_CRAWLERS.has(name)));
}

const FILLER = /^(?:the|a|an|any|all|its|their|pages?|posts?|section|site|of|from|about|under)$/i;

/** The places named after one of the words, such as "blog" in "only the blog". */
function namedAfter(words: string, prompt: string): string[] {
	const found = prompt.matchAll(new RegExp(`\\b(?:${words})\\s+((?:[\\w/-]+\\s*(?:,|and|or)?\\s*){1,5})`, 'gi'));
	const named = [...found].flatMap(([, list = '']) => {
		const [first] = list.split(/[\s,]+/).filter((word) => word !== '' && !FILLER.test(word));
		return first === undefined ? [] : [first.replace(/^\/+|\/+$/g, '')];
	});
	return [...new Set(named)].filter((word) => /^[\w/-]+$/.test(word));
}

/**
 * The options that a wish in plain language asks for. The service asks a language model; the sandbox
 * looks for plain words: "only the blog", "without /shop", "at most 20 pages".
 */
export function promptOptions(prompt: string): { includePaths?: string[]; excludePaths?: string[]; limit?: number } {
	const patterns = (words: string[]) => words.map((word) => `${word}(?:/.*)?$`);
	const includes = patterns(namedAfter('only|just|under|inside', prompt));
	const excludes = patterns(namedAfter('without|except|exclude|skip|not', prompt));
	const limit = Number(/\b(\d+)\s+(?:\w+\s+)?pages?\b/i.exec(prompt)?.[1] ?? 0);
	return {
		...(includes.length > 0 && { includePaths: includes }),
		...(excludes.length > 0 && { excludePaths: excludes }),
		...(limit > 0 && { limit }),
	};
}

/** What the start of a crawl needs. */
interface CrawlParts extends PageJobParts {
	web: WebClient;
	waits: Pick<Pauses, 'pause'>;
	teamId: string;
}

/** Starts a crawl. */
export function startCrawl(parts: CrawlParts, request: CrawlRequest, id: string, serviceUrl: string): void {
	const given: NewPageJob = {
		id,
		kind: 'crawl',
		query: request.url,
		serviceUrl,
		webhook: request.webhook,
		zeroDataRetention: request.zeroDataRetention,
		wholeDomain: request.crawlEntireDomain,
		active: {
			id,
			teamId: parts.teamId,
			url: request.url,
			created_at: new Date(parts.now()).toISOString(),
			options: { ...crawlerOptions(request), scrapeOptions: request.scrapeOptions },
		},
	};
	if (parts.options.lightWork) {
		const site = lightSite(request.url, request.limit);
		const creditsPerPage = pageCredits(request.scrapeOptions);
		startLightJob(parts, given, { site, creditsPerPage, failing: [] }, unreachable());
		return;
	}
	startPageJob(parts, given, ({ job, signal, scrape, keep }) =>
		crawlSite(request, {
			web: parts.web,
			scrape,
			keep,
			signal,
			speed: parts.options.speed,
			pause: (ms) => parts.waits.pause(ms),
			onDenied() {
				noteError(parts, job, request.url, deniedByRobots());
			},
			onFound(found, robotsBlocked) {
				job.found = found;
				// One of 2026 has the start page among the errors instead (recording crawl-45).
				job.robotsBlocked = robotsBlocked.filter((url) => url !== request.url);
			},
		}),
	);
}

/** What a crawl needs from outside. */
interface CrawlTools {
	web: WebClient;
	/** Scrapes a page for the result; undefined where it failed, which is noted. Rejects when the job is stopped. */
	scrape(url: string, options: ScrapeOptions): Promise<Scraped | undefined>;
	/** Takes the page into the result. */
	keep(scraped: Scraped): void;
	/** Told that robots.txt refuses the start page. */
	onDenied(): void;
	/** Told of what was found so far. */
	onFound(found: number, robotsBlocked: readonly string[]): void;
	pause(ms: number): Promise<void>;
	/** Divides the pause between pages. */
	speed: number;
	signal: AbortSignal;
}

async function addSitemap(request: CrawlRequest, tools: CrawlTools, into: Frontier): Promise<void> {
	if (request.sitemap === 'skip') return;
	const robots = await fetchRobots(tools.web, request.url, undefined, tools.signal);
	for (const url of await fetchSitemap(tools.web, request.url, robots, tools.signal)) {
		into.add(url, 0);
	}
}

/** Visits the site's pages by links and sitemap within the request's rules. Rejects when it is stopped. */
async function crawlSite(request: CrawlRequest, tools: CrawlTools): Promise<void> {
	const robots = request.ignoreRobotsTxt
		? NO_ROBOTS
		: await fetchRobots(tools.web, request.url, request.robotsUserAgent, tools.signal);
	const pages = frontier(request, robots);
	const tellFound = (): void => tools.onFound(pages.found(), pages.robotsBlocked);
	if (!pages.addStart()) tools.onDenied();
	tellFound();
	await addSitemap(request, tools, pages);
	tellFound();

	const follow = (visit: Visit, scraped: Scraped): void => {
		if (visit.isExternal || request.sitemap === 'only') return;
		for (const link of linksIn(scraped.html, scraped.url)) pages.add(link, visit.depth + 1);
	};

	await inParallel(pages, pagesAtOnce(request), async (visit) => {
		const scraped = await tools.scrape(visit.url, request.scrapeOptions);
		if (scraped) {
			follow(visit, scraped);
			if (!visit.isOnlyLooked) tools.keep(scraped);
		}
		tellFound();
		if (request.delay !== undefined) await tools.pause((request.delay * 1000) / tools.speed);
		tools.signal.throwIfAborted();
	});
}

/** A page to visit. */
interface Visit {
	url: string;
	/** Link hops from the start; start page and sitemap pages have 0. */
	depth: number;
	/** On another site: its links are not followed. */
	isExternal: boolean;
	/** Only looked through for links: the start page where the path rules leave it out. */
	isOnlyLooked: boolean;
}

/** Which pages a crawl goes to, in the order in which they were found. */
interface Frontier extends WorkQueue<Visit> {
	/** Adds the start page; false where robots.txt refuses it. */
	addStart(): boolean;
	add(url: string, depth: number): void;
	/** How many were added for the result. */
	found(): number;
	/** What robots.txt refused, each once (recording crawl-07). */
	robotsBlocked: string[];
}

/** Decides by the crawl's rules which links are followed (shape crawlOptions). */
function frontier(request: CrawlRequest, robots: Robots | undefined): Frontier {
	const start = new URL(request.url);
	const startKey = (url: string): string => (request.deduplicateSimilarURLs ? similarityKey(url) : url);
	const includes = request.includePaths.map((pattern) => new RegExp(pattern));
	const excludes = request.excludePaths.map((pattern) => new RegExp(pattern));
	const seen = new Set<string>();
	const queue: Visit[] = [];
	const robotsBlocked: string[] = [];
	let found = 0;

	const fitsPatterns = (url: URL): boolean => {
		const text = request.regexOnFullURL ? url.href : url.pathname;
		if (excludes.some((pattern) => pattern.test(text))) return false;
		return includes.length === 0 || includes.some((pattern) => pattern.test(text));
	};

	/** Whether the page is on the site that is crawled; undefined where it may not be visited at all. */
	const placeOf = (url: URL): 'inside' | 'outside' | undefined => {
		if (looksLikeFile(url)) return undefined;
		if (isSameSite(url, start)) {
			const isBelow = url.pathname.startsWith(start.pathname);
			return request.crawlEntireDomain || isBelow ? 'inside' : undefined;
		}
		if (request.allowSubdomains && isSubdomainOf(url, start)) return 'inside';
		// One hop to other sites, but not to their home pages.
		return request.allowExternalLinks && url.pathname !== '/' ? 'outside' : undefined;
	};

	const push = (visit: Visit): void => {
		queue.push(visit);
		if (!visit.isOnlyLooked) found += 1;
	};

	return {
		robotsBlocked,
		found: () => found,
		take: () => queue.shift(),
		addStart() {
			seen.add(startKey(request.url));
			const isAllowed = robots?.allows(request.url) ?? true;
			if (!isAllowed) {
				robotsBlocked.push(request.url);
				return false;
			}
			const isOnlyLooked = !fitsPatterns(start);
			push({ url: request.url, depth: 0, isExternal: false, isOnlyLooked });
			return true;
		},
		add(given, depth) {
			if (found >= request.limit) return;
			if (depth > (request.maxDiscoveryDepth ?? Infinity)) return;
			const url = withoutExtras(given, request.ignoreQueryParameters);
			const key = startKey(url);
			if (seen.has(key)) return;
			const parsed = new URL(url);
			const place = placeOf(parsed);
			if (!place || !fitsPatterns(parsed)) return;
			seen.add(key);
			if (robots && !robots.allows(url)) {
				robotsBlocked.push(url);
				return;
			}
			push({ url, depth, isExternal: place === 'outside', isOnlyLooked: false });
		},
	};
}
