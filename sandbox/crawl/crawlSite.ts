import { linksIn } from '../html/cleanHtml.ts';
import { inParallel } from '../jobs/inParallel.ts';
import { pagesAtOnce } from '../pageJobs/pagesAtOnce.ts';
import { NO_ROBOTS } from '../web/robots.ts';
import { fetchRobots, fetchSitemap } from '../web/siteFiles.ts';
import { frontier } from './frontier.ts';
import type { ScrapeOptions } from '../scrape/options/scrapeOptions.ts';
import type { Scraped } from '../scrape/scraper.ts';
import type { WebClient } from '../web/webClient.ts';
import type { CrawlRequest } from './crawlRequest.ts';
import type { Frontier, Visit } from './frontier.ts';

/** What a crawl needs from outside. */
export interface CrawlTools {
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
export async function crawlSite(request: CrawlRequest, tools: CrawlTools): Promise<void> {
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
