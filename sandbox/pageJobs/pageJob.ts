import type { PageDocument } from '../scrape/document/pageDocument.ts';
import type { ActiveCrawl } from './activeCrawls.ts';

/** Crawls and batch scrapes: jobs whose result is a row of pages. */

export type PageJobKind = 'crawl' | 'batchScrape';

/** A page that could not be scraped (shape scrapeError, recording crawl-10). */
export interface PageError {
	id: string;
	timestamp: string;
	url: string;
	code: string;
	error: string;
}

/** The pages of a job in the order in which they were done. */
export interface PageRow {
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

/** How long pages outlive the end of their job: 24 hours (docs/service-notes.md#lifetimes; recording crawl-05). */
export const PAGES_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** How many pages are done by now as far as a status tells: bounded by its duration. */
export function pagesDone(job: PageJob, nowMs: number): number {
	if (job.finished) return job.finished.pages;
	const elapsedMs = Math.max(0, nowMs - job.startedAtMs);
	const { durationMs, pages } = job;
	return durationMs > 0
		? Math.floor(pages.length * Math.min(1, elapsedMs / durationMs))
		: pages.length;
}
