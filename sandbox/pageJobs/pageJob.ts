import type { PageDocument } from '../scrape/document/pageDocument.ts';
import { higherDomain } from '../web/addresses.ts';

/** Crawls and batch scrapes: jobs whose result is a row of pages. */

export type PageJobKind = 'crawl' | 'batchScrape';

/** A page that could not be scraped (shape scrapeError, recording crawl-10). */
interface PageError {
	id: string;
	timestamp: string;
	url: string;
	code: string;
	error: string;
}

/** The pages of a job in the order in which they were done. */
interface PageRow {
	readonly length: number;
	at(index: number): PageDocument;
	/** What the first so many cost together. */
	credits(count: number): number;
}

export interface PageJob {
	id: string;
	kind: PageJobKind;
	/** The start page of a crawl; the URLs of a batch, one a line: what faults are matched against. */
	query: string;
	startedAtMs: number;
	/** It shows its pages evenly over so long, and ends no sooner. */
	durationMs: number;
	pages: PageRow;
	errors: PageError[];
	robotsBlocked: string[];
	/** Pages found so far: done, failed and still to do. */
	found: number;
	/** The work is done, though the clock may not yet have come to its end. */
	isWorkDone: boolean;
	/** Pages that are billed so far. */
	billed: number;
	finished?: {
		atMs: number;
		state: 'completed' | 'failed' | 'cancelled';
		/** Pages that were done by then. */
		pages: number;
		/** Why it failed; empty otherwise. */
		reason: string;
	};
	/** The crawl goes over its whole domain. */
	wholeDomain: boolean;
	/** How it stands on the list of active crawls; a batch does not stand there (recording batch-08a). */
	active?: ActiveCrawl;
	/** Adds pages to a batch whose work is not done. */
	append?: (urls: readonly string[]) => void;
	/** Ends what its work has under way. */
	stopWork(): void;
	/** Somebody is told when it ends, though nobody may ask. */
	hasWebhook: boolean;
	/** Told when it has ended. */
	onFinished(state: 'completed' | 'failed' | 'cancelled'): void;
}

/** How long pages outlive the end of their job: 24 hours (docs/reference/service-notes.md#lifetimes; recording crawl-05). */
export const PAGES_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** How many pages are done by now as far as a status tells: bounded by its duration. */
export function pagesDone(job: PageJob, nowMs: number): number {
	if (job.finished) return job.finished.pages;
	const elapsedMs = Math.max(0, nowMs - job.startedAtMs);
	const { durationMs, pages } = job;
	return durationMs > 0 ? Math.floor(pages.length * Math.min(1, elapsedMs / durationMs)) : pages.length;
}

/** What a status request asks for. */
export interface Slice {
	skip: number;
	limit: number | undefined;
}

interface SliceSetup {
	/** Pages of a slice where the request names no limit. */
	size: number;
	/** Address of the status request without its query. */
	statusUrl: string;
}

/** A slice holds so much at most (docs/reference/service-notes.md#parts-of-a-result). */
const MAX_SLICE_BYTES = 10 * 1024 * 1024;
const FACTS_BYTES = 1000;

function roughBytes(page: PageDocument): number {
	const texts = ['markdown', 'html', 'rawHtml', 'screenshot'].map((name) => page[name]);
	return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), FACTS_BYTES);
}

function pagesOf(job: PageJob, from: number, to: number): PageDocument[] {
	const pages: PageDocument[] = [];
	let bytes = 0;
	for (let index = from; index < to; index += 1) {
		const page = job.pages.at(index);
		bytes += roughBytes(page);
		if (pages.length > 0 && bytes > MAX_SLICE_BYTES) break;
		pages.push(page);
	}
	return pages;
}

function nextUrl({ statusUrl }: SliceSetup, skip: number, limit: number | undefined): string {
	const url = new URL(statusUrl);
	url.searchParams.set('skip', String(skip));
	if (limit !== undefined) url.searchParams.set('limit', String(limit));
	return url.href;
}

/** A moment without fractions of a second, as `expiresAt` comes (recording crawl-04). */
function wholeSecondIso(atMs: number): string {
	return new Date(Math.floor(atMs / 1000) * 1000).toISOString();
}

/** How many pages the job has found: failed ones do not count (recordings crawl-09b, batch-06b). */
function totalOf(job: PageJob, done: number): number {
	if (job.finished && job.finished.state !== 'cancelled') return done;
	return Math.max(done, job.found - job.errors.length);
}

/** The body of a status answer: state at the top level, a slice of the pages in `data` (recordings crawl-04 to crawl-13). */
export function pageJobRecord(job: PageJob, nowMs: number, asked: Slice, setup: SliceSetup): Record<string, unknown> {
	const done = pagesDone(job, nowMs);
	const { skip, limit = setup.size } = asked;
	const data = pagesOf(job, skip, Math.min(done, skip + limit));
	const reached = Math.min(done, skip) + data.length;
	const isOver = job.finished?.state === 'completed' && reached >= done;
	const warning = fewPagesWarning(job, done);
	return {
		success: job.finished?.state !== 'failed',
		status: job.finished?.state ?? 'scraping',
		...(job.finished?.state === 'failed' && { error: job.finished.reason }),
		completed: done,
		total: totalOf(job, done),
		creditsUsed: job.pages.credits(done),
		expiresAt: wholeSecondIso((job.finished?.atMs ?? nowMs) + PAGES_LIFETIME_MS),
		...(!isOver && { next: nextUrl(setup, skip + data.length, asked.limit) }),
		data,
		createdAt: new Date(job.startedAtMs).toISOString(),
		...(job.finished && { completedAt: new Date(job.finished.atMs).toISOString() }),
		duration: ((job.finished?.atMs ?? nowMs) - job.startedAtMs) / 1000,
		...(warning !== undefined && { warning }),
	};
}

/** A row that grows as pages come in. */
interface GrowingRow extends PageRow {
	add(page: PageDocument, credits: number): void;
}

/** See `GrowingRow`. */
export function growingRow(): GrowingRow {
	const pages: PageDocument[] = [];
	/** What the pages up to each one cost together. */
	const costs: number[] = [];
	return {
		get length() {
			return pages.length;
		},
		at(index) {
			const page = pages[index];
			if (!page) throw new RangeError(`There is no page ${index}`);
			return page;
		},
		credits: (count) => costs[count - 1] ?? 0,
		add(page, credits) {
			pages.push(page);
			costs.push((costs.at(-1) ?? 0) + credits);
		},
	};
}

/** A row of made-up pages, made when they are asked for: for load tests. */
export function lightRow(site: LightSite, creditsPerPage: number): PageRow {
	return {
		length: site.length,
		at(index) {
			const url = site.at(index) ?? '';
			return {
				markdown: `Page ${index}\n${'='.repeat(`Page ${index}`.length)}\n\nMade up for a load test: ${url}`,
				metadata: {
					title: `Page ${index}`,
					scrapeId: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
					sourceURL: url,
					url,
					statusCode: 200,
					contentType: 'text/html; charset=utf-8',
					proxyUsed: 'basic',
					creditsUsed: creditsPerPage,
				},
			};
		},
		credits: (count) => count * creditsPerPage,
	};
}

/** The addresses of made-up pages. */
export interface LightSite {
	length: number;
	at(index: number): string | undefined;
}

/** A made-up site of so many pages: the start page, then /light/1, /light/2 and so on. */
export function lightSite(startUrl: string, length: number): LightSite {
	const { origin } = new URL(startUrl);
	return { length, at: (index) => (index === 0 ? startUrl : `${origin}/light/${index}`) };
}

/**
 * What a server of 2026 says of a crawl that ended with one page or none although there may be more
 * above where it began (recordings crawl-41, crawl-44, crawl-49, crawl-52).
 */
function fewPagesWarning(job: PageJob, pages: number): string | undefined {
	if (job.kind !== 'crawl' || job.finished?.state !== 'completed' || pages > 1) return undefined;
	const domain = job.wholeDomain ? undefined : higherDomain(job.query);
	if (domain === undefined) return undefined;
	return `Only ${pages} result(s) found. For broader coverage, try crawling with crawlEntireDomain=true or start from a higher-level path like ${domain}`;
}

/** One element of the list of active crawls (docs/reference/service-notes.md#active-crawls; `created_at`: recording crawl-03). */
export interface ActiveCrawl {
	id: string;
	teamId: string;
	url: string;
	created_at: string;
	options: Record<string, unknown>;
}
