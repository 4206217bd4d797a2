import { pageCredits } from '../scrape/pageCredits.ts';
import { unreachable } from '../scrape/scrapeFailure.ts';
import { crawlSite } from './crawlSite.ts';
import { crawlerOptions } from './crawlRequest.ts';
import { lightSite } from './pageRow.ts';
import { startLightJob, startPageJob } from './startPageJob.ts';
import type { Service } from '../service.ts';
import type { CrawlRequest } from './crawlRequest.ts';
import type { NewPageJob } from './startPageJob.ts';

/** Starts a crawl. */
export function startCrawl(
	service: Service,
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
		active: {
			id,
			teamId: service.teamId,
			url: request.url,
			created_at: new Date(service.now()).toISOString(),
			options: { ...crawlerOptions(request), scrapeOptions: request.scrapeOptions },
		},
	};
	if (service.options.lightWork) {
		const site = lightSite(request.url, request.limit);
		const creditsPerPage = pageCredits(request.scrapeOptions);
		startLightJob(service, given, { site, creditsPerPage, failing: [] }, unreachable());
		return;
	}
	startPageJob(service, given, ({ job, signal, scrape, keep }) =>
		crawlSite(request, {
			web: service.web,
			scrape,
			keep,
			signal,
			speed: service.options.speed,
			pause: (ms) => service.waits.pause(ms),
			onFound(found, robotsBlocked) {
				job.found = found;
				job.robotsBlocked = [...robotsBlocked];
			},
		}),
	);
}
