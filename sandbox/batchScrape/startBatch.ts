import { inParallel } from '../jobs/inParallel.ts';
import { pagesAtOnce } from '../pageJobs/pagesAtOnce.ts';
import { startLightJob, startPageJob } from '../pageJobs/startPageJob.ts';
import { pageCredits } from '../scrape/pageCredits.ts';
import { unreachable } from '../web/scrapeFailure.ts';
import type { PageJobParts } from '../pageJobs/pageJobParts.ts';
import type { NewPageJob } from '../pageJobs/startPageJob.ts';
import type { BatchRequest } from './batchRequest.ts';

/** Addresses that fail in made-up work too: names nobody can own. */
const FAILS = /^https?:\/\/(?:[^/]*\.)?invalid(?::\d+)?(?:[/?#]|$)/i;

/** Starts a batch scrape. An address that is there twice is scraped twice. Pages come in the order in which they are done. */
export function startBatch(
	parts: PageJobParts,
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
	if (parts.options.lightWork) {
		const site = request.urls.filter((url) => !FAILS.test(url));
		const failing = request.urls.filter((url) => FAILS.test(url));
		const creditsPerPage = pageCredits(request);
		startLightJob(parts, given, { site, creditsPerPage, failing }, unreachable());
		return;
	}
	startPageJob(parts, given, async ({ job, signal, scrape, keep }) => {
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
