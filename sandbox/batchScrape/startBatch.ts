import { z } from 'zod/v4';
import { callerFields, pageUrl } from '../http/bodySchema.ts';
import { scrapeFields, waitFits, waitText } from '../scrape/options/scrapeOptions.ts';
import { webhookSchema } from '../webhooks/webhooks.ts';
import { inParallel } from '../jobs/jobStore.ts';
import { pagesAtOnce, startLightJob, startPageJob } from '../pageJobs/pageJobs.ts';
import type { NewPageJob, PageJobParts } from '../pageJobs/pageJobs.ts';
import { pageCredits } from '../scrape/keptScrapes.ts';
import { unreachable } from '../web/webClient.ts';

/** The body of a batch's start. Its addresses are read by themselves. */
export const batchRequestSchema = z
	.object({
		urls: z.array(z.unknown()).min(1),
		...scrapeFields,
		webhook: webhookSchema.optional(),
		maxConcurrency: z.number().int().positive().optional(),
		// Left out counts as false, whatever the docs say (recordings batch-05b, batch-20 of 2026).
		ignoreInvalidURLs: z.boolean().default(false),
		appendToId: z.string().uuid().optional(),
		zeroDataRetention: z.boolean().optional(),
		...callerFields,
	})
	.strict()
	.refine(waitFits, waitText);

export type BatchRequest = Omit<z.output<typeof batchRequestSchema>, 'urls'> & {
	urls: string[];
	/** What was left out because it is no address. */
	invalidUrls: string[];
};

/** The addresses of a batch that refuses bad ones (recording batch-04). */
export const batchUrlsSchema = z.object({ urls: z.array(pageUrl) });

/** The addresses of a batch that leaves bad ones out (recording batch-05). */
export function validUrls(given: readonly unknown[]): Pick<BatchRequest, 'urls' | 'invalidUrls'> {
	const urls: string[] = [];
	const invalidUrls: string[] = [];
	for (const one of given) {
		const url = pageUrl.safeParse(one);
		if (url.success) urls.push(url.data);
		else invalidUrls.push(typeof one === 'string' ? one : (JSON.stringify(one) ?? ''));
	}
	return { urls, invalidUrls };
}

/** Addresses that fail in made-up work too: names nobody can own. */
const FAILS = /^https?:\/\/(?:[^/]*\.)?invalid(?::\d+)?(?:[/?#]|$)/i;

/** Starts a batch scrape. An address that is there twice is scraped twice. Pages come in the order in which they are done. */
export function startBatch(parts: PageJobParts, request: BatchRequest, id: string, serviceUrl: string): void {
	const given: NewPageJob = {
		id,
		kind: 'batchScrape',
		query: request.urls.join('\n'),
		serviceUrl,
		webhook: request.webhook,
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
