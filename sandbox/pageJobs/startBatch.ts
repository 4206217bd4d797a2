import { pageCredits } from '../scrape/pageCredits.ts';
import { unreachable } from '../scrape/scrapeFailure.ts';
import { pagesAtOnce } from './crawlSite.ts';
import { inParallel } from './inParallel.ts';
import { startLightJob, startPageJob } from './startPageJob.ts';
import type { Service } from '../service.ts';
import type { BatchRequest } from './batchRequest.ts';
import type { NewPageJob } from './startPageJob.ts';

/** Addresses that fail in made-up work too: names nobody can own. */
const FAILS = /^https?:\/\/(?:[^/]*\.)?invalid(?::\d+)?(?:[/?#]|$)/i;

/** Starts a batch scrape. An address that is there twice is scraped twice. Pages come in the order in which they are done. */
export function startBatch(
	service: Service,
	request: BatchRequest,
	id: string,
	serviceUrl: string,
): void {
	const given: NewPageJob = {
		id,
		kind: 'batchScrape',
		query: request.urls.join('\n'),
		serviceUrl,
		webhook: request.webhook,
		zeroDataRetention: request.zeroDataRetention,
	};
	if (service.options.lightWork) {
		const site = request.urls.filter((url) => !FAILS.test(url));
		const failing = request.urls.filter((url) => FAILS.test(url));
		const creditsPerPage = pageCredits(request);
		startLightJob(service, given, { site, creditsPerPage, failing }, unreachable());
		return;
	}
	startPageJob(service, given, async ({ job, signal, scrape, keep }) => {
		job.found = request.urls.length;
		const waiting = [...request.urls];
		job.append = (urls) => {
			waiting.push(...urls);
			job.found += urls.length;
		};
		const queue = { take: () => waiting.shift() };
		await inParallel(queue, pagesAtOnce(request), async (url) => {
			const scraped = await scrape(url, request);
			if (scraped) keep(scraped);
			signal.throwIfAborted();
		});
	});
}
