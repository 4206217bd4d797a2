import { lightSite } from '../pageJobs/pageRow.ts';
import { noteError, startLightJob, startPageJob } from '../pageJobs/startPageJob.ts';
import { pageCredits } from '../scrape/pageCredits.ts';
import { deniedByRobots, unreachable } from '../web/scrapeFailure.ts';
import { crawlerOptions } from './crawlRequest.ts';
import { crawlSite } from './crawlSite.ts';
import type { PageJobParts } from '../pageJobs/pageJobParts.ts';
import type { NewPageJob } from '../pageJobs/startPageJob.ts';
import type { Pauses } from '../runtime/pauses.ts';
import type { WebClient } from '../web/webClient.ts';
import type { CrawlRequest } from './crawlRequest.ts';

/** What the start of a crawl needs. */
export interface CrawlParts extends PageJobParts {
	web: WebClient;
	waits: Pick<Pauses, 'pause'>;
	teamId: string;
}

/** Starts a crawl. */
export function startCrawl(
	parts: CrawlParts,
	request: CrawlRequest,
	id: string,
	serviceUrl: string,
): void {
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
	const isNewer = parts.options.generation === 2026;
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
				if (isNewer) noteError(parts, job, request.url, deniedByRobots());
			},
			onFound(found, robotsBlocked) {
				job.found = found;
				// One of 2026 has the start page among the errors instead (recording crawl-45).
				job.robotsBlocked = robotsBlocked.filter((url) => !isNewer || url !== request.url);
			},
		}),
	);
}
