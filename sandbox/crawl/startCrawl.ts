import { z } from 'zod/v4';
import { callerFields, pageUrl } from '../http/bodySchema.ts';
import { scrapeOptionsSchema } from '../scrape/options/scrapeOptions.ts';
import { webhookSchema } from '../webhooks/webhooks.ts';
import { lightSite } from '../pageJobs/pageJob.ts';
import { noteError, startLightJob, startPageJob, pagesAtOnce } from '../pageJobs/pageJobs.ts';
import type { NewPageJob, PageJobParts, PageWork } from '../pageJobs/pageJobs.ts';
import { pageCredits } from '../scrape/keptScrapes.ts';
import { deniedByPattern, deniedByRobots, unreachable } from '../web/webClient.ts';
import type { ScrapeFailure, WebClient } from '../web/webClient.ts';
import { linksIn } from '../html/cleanHtml.ts';
import { inParallel } from '../jobs/jobStore.ts';
import { isSameSite, looksLikeFile } from '../web/addresses.ts';
import { fetchRobots, fetchSitemap } from '../web/siteFiles.ts';

/** Pages of a crawl that names no limit (docs/reference/service-notes.md#prices). */
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

/**
 * The options that a wish in plain language asks for. The service asks a language model; the sandbox looks for plain
 * words: "only pages about costs", "at most 20 pages".
 */
export function promptOptions(prompt: string): { includePaths?: string[]; limit?: number } {
	const place = /\bonly\b.*?([\w/-]+)\W*$/i.exec(prompt)?.[1];
	const limit = Number(/\b(\d+) pages?\b/i.exec(prompt)?.[1] ?? 0);
	return {
		...(place !== undefined && { includePaths: [`${place}(?:/.*)?$`] }),
		...(limit > 0 && { limit }),
	};
}

/** What the start of a crawl needs. */
interface CrawlParts extends PageJobParts {
	web: WebClient;
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
	startPageJob(parts, given, (work) => crawlSite(parts, request, work));
}

/** Visits the start page, those of the site's sitemap, and those that they link to. Rejects when it is stopped. */
async function crawlSite(parts: CrawlParts, request: CrawlRequest, { job, signal, scrape, keep }: PageWork) {
	const robots = await fetchRobots(parts.web, request.url, signal);
	if (!robots.allows(request.url)) {
		noteError(parts, job, request.url, deniedByRobots());
		return;
	}
	const start = new URL(request.url);
	const includes = request.includePaths.map((pattern) => new RegExp(pattern));
	const excludes = request.excludePaths.map((pattern) => new RegExp(pattern));
	const denied = ({ pathname }: URL): ScrapeFailure | undefined => {
		if (excludes.some((pattern) => pattern.test(pathname))) return deniedByPattern('excludePaths', pathname);
		const isIncluded = includes.length === 0 || includes.some((pattern) => pattern.test(pathname));
		return isIncluded ? undefined : deniedByPattern('includePaths', pathname);
	};
	const startDenied = denied(start);
	if (startDenied) {
		noteError(parts, job, request.url, startDenied);
		return;
	}
	const isInside = (url: URL): boolean =>
		isSameSite(url, start) && (request.crawlEntireDomain === true || url.pathname.startsWith(start.pathname));

	const queue = [request.url];
	const seen = new Set([start.href]);
	job.found = 1;
	const add = (given: string): void => {
		const url = new URL(given);
		url.hash = '';
		const isWanted = isInside(url) && !looksLikeFile(url) && !seen.has(url.href);
		if (!isWanted || job.found >= request.limit) return;
		seen.add(url.href);
		const failure = denied(url);
		if (failure) {
			noteError(parts, job, url.href, failure);
			return;
		}
		if (!robots.allows(url.href)) {
			job.robotsBlocked.push(url.href);
			return;
		}
		job.found += 1;
		queue.push(url.href);
	};
	for (const url of await fetchSitemap(parts.web, request.url, robots, signal)) add(url);

	await inParallel({ take: () => queue.shift() }, pagesAtOnce(request), async (url) => {
		const scraped = await scrape(url, request.scrapeOptions);
		if (scraped) {
			for (const link of linksIn(scraped.html, scraped.url)) add(link);
			keep(scraped);
		}
		signal.throwIfAborted();
	});
}
