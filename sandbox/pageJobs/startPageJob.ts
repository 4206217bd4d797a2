import { ScrapeFailure, failureText } from '../web/scrapeFailure.ts';
import { growingRow, lightRow } from './pageRow.ts';
import type { ScrapeOptions } from '../scrape/options/scrapeOptions.ts';
import type { Scraped } from '../scrape/scraper.ts';
import type { Webhook } from '../webhooks/webhookConfig.ts';
import type { Push } from '../webhooks/webhooks.ts';
import type { ActiveCrawl } from './activeCrawls.ts';
import type { PageJob, PageJobKind } from './pageJob.ts';
import type { PageJobParts } from './pageJobParts.ts';
import type { LightSite } from './pageRow.ts';

/** What the start of a job says about it. */
export interface NewPageJob {
	id: string;
	kind: PageJobKind;
	query: string;
	/** Address of the service as the client knows it. */
	serviceUrl: string;
	webhook?: Webhook | undefined;
	zeroDataRetention?: boolean | undefined;
	wholeDomain?: boolean | undefined;
	active?: ActiveCrawl;
}

/** What the work of a job does with pages. */
export interface PageWork {
	job: PageJob;
	signal: AbortSignal;
	/** Scrapes a page; undefined where it failed, which is noted. Rejects when the job is stopped. */
	scrape(url: string, options: ScrapeOptions): Promise<Scraped | undefined>;
	/** Takes a page into the result. */
	keep(scraped: Scraped): void;
}

function durationOf(parts: PageJobParts, query: string): number {
	const { jobDuration } = parts.options;
	if (typeof jobDuration !== 'function') return jobDuration ?? 0;
	return jobDuration({ query, index: parts.statistics.startCount() });
}

function newJob(
	parts: PageJobParts,
	given: NewPageJob,
	push: Push,
	stopper: AbortController,
): PageJob {
	return {
		id: given.id,
		kind: given.kind,
		query: given.query,
		startedAtMs: parts.now(),
		durationMs: durationOf(parts, given.query),
		pages: growingRow(),
		errors: [],
		robotsBlocked: [],
		found: given.kind === 'crawl' ? 1 : 0,
		isWorkDone: false,
		hasWebhook: given.webhook !== undefined,
		billed: 0,
		wholeDomain: given.wholeDomain ?? false,
		...(given.active && { active: given.active }),
		stopWork: () => stopper.abort(),
		onFinished(state) {
			if (state !== 'cancelled') push(state, []);
		},
	};
}

/** Notes a page of the job that could not be scraped. */
export function noteError(
	parts: PageJobParts,
	job: PageJob,
	url: string,
	failure: ScrapeFailure,
): void {
	job.errors.push({
		id: parts.newId(),
		timestamp: new Date(parts.now()).toISOString(),
		url,
		code: failure.code,
		error: failureText(failure, parts.options.generation),
	});
}

function count(parts: PageJobParts, job: PageJob): void {
	const startedAtMs = job.startedAtMs;
	parts.statistics.countStart(
		{ id: job.id, kind: job.kind, query: job.query, startedAtMs },
		// Made-up work without a duration has ended by now.
		Math.max(1, parts.countRunning(startedAtMs)),
	);
}

/** Starts a job that scrapes pages. */
export function startPageJob(
	parts: PageJobParts,
	given: NewPageJob,
	work: (tools: PageWork) => Promise<void>,
): void {
	const stopper = new AbortController();
	const push = parts.webhooks.for(given.kind, given.id, given.webhook);
	const row = growingRow();
	const job: PageJob = { ...newJob(parts, given, push, stopper), pages: row };
	const { serviceUrl, zeroDataRetention } = given;
	const tools: PageWork = {
		job,
		signal: stopper.signal,
		async scrape(url, options) {
			try {
				const call = { serviceUrl, zeroDataRetention, signal: stopper.signal };
				return await parts.scrape(url, options, call);
			} catch (error) {
				if (!(error instanceof ScrapeFailure)) throw error;
				noteError(parts, job, url, error);
				// (recording hook-crawl-05)
				const text = failureText(error, parts.options.generation);
				push('page', [{ metadata: { sourceURL: url } }], text);
				return undefined;
			}
		},
		keep(scraped) {
			row.add(scraped.document, scraped.credits);
			push('page', [scraped.document]);
		},
	};
	push('started', []);
	parts.pageJobs.start(job, () => work(tools));
	count(parts, job);
}

/** Starts a job whose pages are made up: for load tests. `failing` are the addresses that fail. */
export function startLightJob(
	parts: PageJobParts,
	given: NewPageJob,
	pages: { site: LightSite; creditsPerPage: number; failing: readonly string[] },
	failure: ScrapeFailure,
): void {
	const push = parts.webhooks.for(given.kind, given.id, given.webhook);
	const job: PageJob = {
		...newJob(parts, given, push, new AbortController()),
		pages: lightRow(pages.site, pages.creditsPerPage),
		found: pages.site.length + pages.failing.length,
	};
	for (const url of pages.failing) noteError(parts, job, url, failure);
	push('started', []);
	parts.pageJobs.start(job, () => undefined);
	count(parts, job);
}
