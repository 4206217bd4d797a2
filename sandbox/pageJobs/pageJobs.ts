import { jobStore } from '../jobs/jobStore.ts';
import type { JobDuration } from '../jobs/jobStore.ts';
import { PAGES_LIFETIME_MS, pagesDone, growingRow, lightRow } from './pageJob.ts';
import type { ActiveCrawl, PageJob, PageJobKind, LightSite } from './pageJob.ts';
import { ScrapeFailure, failureText } from '../web/webClient.ts';
import type { ScrapeOptions } from '../scrape/options/scrapeOptions.ts';
import type { Scraped, Scrape } from '../scrape/scraper.ts';
import type { Webhook, Push, Webhooks } from '../webhooks/webhooks.ts';
import type { Statistics } from '../control/statistics.ts';

interface PageJobsSetup {
	now(): number;
	/** How far a status is behind, in milliseconds. */
	lagMs(): number;
	/** Told of pages that are done, for billing: crawls and batches bill page by page (docs/reference/service-notes.md#prices). */
	onPages(pages: number, credits: number): void;
	/** Calls back after so long: so that a job with a webhook ends although nobody asks for it. */
	later(ms: number, callBack: () => void): void;
}

/**
 * Keeps the jobs. As with research, the work goes as fast as it can and the clock bounds what a status
 * shows of it, so a test may move the clock.
 */
export function pageJobs(setup: PageJobsSetup) {
	const store = jobStore<PageJob>({
		lifetimeMs: () => PAGES_LIFETIME_MS,
		lagMs: () => setup.lagMs(),
		onDue: (job, atMs) => finish(job, 'completed', atMs),
		onFinished(job) {
			const { atMs, state } = job.finished ?? {};
			if (atMs === undefined || state === undefined) return;
			bill(job, atMs);
			job.stopWork();
			job.onFinished(state);
		},
	});

	const bill = (job: PageJob, nowMs: number): void => {
		const done = pagesDone(job, nowMs);
		if (done <= job.billed) return;
		setup.onPages(done - job.billed, job.pages.credits(done) - job.pages.credits(job.billed));
		job.billed = done;
	};

	const finish = (job: PageJob, state: 'completed' | 'failed' | 'cancelled', atMs: number, reason = ''): void => {
		const pages = state === 'completed' ? job.pages.length : pagesDone(job, atMs);
		store.finish(job, { atMs, state, pages, reason });
	};

	const workDone = (job: PageJob): void => {
		job.isWorkDone = true;
		if (!store.isRunning(job)) return;
		const nowMs = setup.now();
		const endsAtMs = Math.max(nowMs, job.startedAtMs + job.durationMs);
		store.setDue(job, endsAtMs);
		store.settle(nowMs);
		if (endsAtMs > nowMs && job.hasWebhook) {
			setup.later(endsAtMs - nowMs, () => store.settle(setup.now()));
		}
	};

	const follow = async (job: PageJob, work: Promise<void>): Promise<void> => {
		try {
			await work;
			workDone(job);
		} catch (error) {
			finish(job, 'failed', setup.now(), error instanceof Error ? error.message : String(error));
		}
	};

	return {
		/** How many are running; settles the ended ones first. */
		countRunning: store.countRunning,
		/** Takes the job up; `work` fills it. A job whose work fails has failed. */
		start(job: PageJob, work: () => Promise<void> | undefined) {
			store.add(job);
			const started = work();
			if (started) void follow(job, started);
			else workDone(job);
		},
		/** Undefined for an id that is unknown or whose pages have expired. Bills what is done by now. */
		find(id: string, nowMs: number): PageJob | undefined {
			const job = store.find(id, nowMs);
			if (job) bill(job, nowMs);
			return job;
		},
		/** The running ones in the order of their starts. */
		running: store.running,
		/** It is cancelled as of now, unless it has ended already. */
		cancel(id: string, nowMs: number) {
			store.settle(nowMs);
			const job = store.findRunning(id);
			if (job) finish(job, 'cancelled', nowMs);
		},
		/** It has failed as of now, unless it has ended already. */
		fail(id: string, reason: string, nowMs: number) {
			const job = store.findRunning(id);
			if (job) finish(job, 'failed', nowMs, reason);
		},
		/** Nobody knows the id any more. */
		vanish(id: string) {
			store.findRunning(id)?.stopWork();
			store.vanish(id);
		},
		clear() {
			for (const job of store.running(-Infinity)) job.stopWork();
			store.clear();
		},
	};
}

type PageJobs = ReturnType<typeof pageJobs>;

/** What the start of a job says about it. */
export interface NewPageJob {
	id: string;
	kind: PageJobKind;
	query: string;
	/** Address of the service as the client knows it. */
	serviceUrl: string;
	webhook?: Webhook | undefined;
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

function newJob(parts: PageJobParts, given: NewPageJob, push: Push, stopper: AbortController): PageJob {
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
export function noteError(parts: PageJobParts, job: PageJob, url: string, failure: ScrapeFailure): void {
	job.errors.push({
		id: parts.newId(),
		timestamp: new Date(parts.now()).toISOString(),
		url,
		code: failure.code,
		error: failureText(failure),
		...(failure.requiresAction && { requiresAction: failure.requiresAction }),
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
export function startPageJob(parts: PageJobParts, given: NewPageJob, work: (tools: PageWork) => Promise<void>): void {
	const stopper = new AbortController();
	const push = parts.webhooks.for(given.kind, given.id, given.webhook);
	const row = growingRow();
	const job: PageJob = { ...newJob(parts, given, push, stopper), pages: row };
	const { serviceUrl } = given;
	const tools: PageWork = {
		job,
		signal: stopper.signal,
		async scrape(url, options) {
			try {
				const call = { serviceUrl, signal: stopper.signal };
				return await parts.scrape(url, options, call);
			} catch (error) {
				if (!(error instanceof ScrapeFailure)) throw error;
				noteError(parts, job, url, error);
				// (recording hook-crawl-05)
				const text = failureText(error);
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

/** What the start of a crawl or a batch needs. */
export interface PageJobParts {
	options: {
		speed: number;
		jobDuration: JobDuration | undefined;
		/** Pages are made up, nothing is fetched. */
		lightWork: boolean;
	};
	now(): number;
	/** A fresh id of a job or an error. */
	newId(): string;
	scrape: Scrape;
	pageJobs: PageJobs;
	webhooks: Webhooks;
	statistics: Statistics;
	/** How many jobs of any kind are running; settles and bills the ended ones. */
	countRunning(nowMs: number): number;
}

/** Pages of a job at once where it names no number. */
const PAGES_AT_ONCE = 8;

/** Pages at once: as many as the job asks for, up to a bound. */
export function pagesAtOnce({ maxConcurrency = PAGES_AT_ONCE }: { maxConcurrency?: number | undefined }): number {
	return Math.min(maxConcurrency, PAGES_AT_ONCE);
}
