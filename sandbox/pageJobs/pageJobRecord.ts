import { PAGES_LIFETIME_MS, pagesDone } from './pageJob.ts';
import { fewPagesWarning } from './fewPagesWarning.ts';
import type { PageDocument } from '../scrape/document/pageDocument.ts';
import type { PageJob } from './pageJob.ts';

/**
 * Where the link to the next slice leads. `own`: to this server. `https`: the same, but with https, as
 * servers behind a proxy say (docs/service-notes.md#parts-of-a-result). `foreign`: to another host. `same`: to
 * a second slice that is the first one again, for ever. `whole`: no slices, `skip` and `limit` are not read
 * (recordings crawl-08, crawl-08b).
 */
export type NextStyle = 'own' | 'https' | 'foreign' | 'same' | 'whole';

/** What a status request asks for. */
export interface Slice {
	skip: number;
	limit: number | undefined;
}

export interface SliceSetup {
	style: NextStyle;
	/** Pages of a slice where the request names no limit. */
	size: number;
	/** Address of the status request without its query. */
	statusUrl: string;
	generation: 2025 | 2026;
	/** Whether it knows what pages cost; -1 where it does not. */
	countsCredits: boolean;
}

const FOREIGN_HOST = 'http://elsewhere.example';

/** A slice holds so much at most (docs/service-notes.md#parts-of-a-result). */
const MAX_SLICE_BYTES = 10 * 1024 * 1024;
const FACTS_BYTES = 1000;

function roughBytes(page: PageDocument): number {
	const texts = ['markdown', 'html', 'rawHtml', 'screenshot'].map((name) => page[name]);
	return texts.reduce<number>(
		(sum, text) => sum + (typeof text === 'string' ? text.length : 0),
		FACTS_BYTES,
	);
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

function nextUrl(setup: SliceSetup, skip: number, limit: number | undefined): string {
	const url = new URL(setup.statusUrl);
	const path = setup.style === 'foreign' ? new URL(url.pathname, FOREIGN_HOST) : url;
	path.searchParams.set('skip', String(skip));
	if (limit !== undefined) path.searchParams.set('limit', String(limit));
	return setup.style === 'https' ? path.href.replace(/^http:/, 'https:') : path.href;
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
export function pageJobRecord(
	job: PageJob,
	nowMs: number,
	asked: Slice,
	setup: SliceSetup,
): Record<string, unknown> {
	const done = pagesDone(job, nowMs);
	const isWhole = setup.style === 'whole';
	const skip = isWhole || setup.style === 'same' ? 0 : asked.skip;
	const limit = isWhole ? Infinity : (asked.limit ?? setup.size);
	const data = pagesOf(job, skip, Math.min(done, skip + limit));
	const reached = Math.min(done, skip) + data.length;
	const isOver = job.finished?.state === 'completed' && reached >= done;
	const warning = fewPagesWarning(job, done);
	const nextSkip = setup.style === 'same' ? data.length : skip + data.length;
	return {
		success: job.finished?.state !== 'failed',
		status: job.finished?.state ?? 'scraping',
		...(job.finished?.state === 'failed' && { error: job.finished.reason }),
		completed: done,
		total: totalOf(job, done),
		creditsUsed: setup.countsCredits ? job.pages.credits(done) : -1,
		expiresAt: wholeSecondIso((job.finished?.atMs ?? nowMs) + PAGES_LIFETIME_MS),
		...(!isOver && { next: nextUrl(setup, nextSkip, isWhole ? undefined : asked.limit) }),
		data,
		...(setup.generation === 2026 && {
			createdAt: new Date(job.startedAtMs).toISOString(),
			...(job.finished && { completedAt: new Date(job.finished.atMs).toISOString() }),
			duration: ((job.finished?.atMs ?? nowMs) - job.startedAtMs) / 1000,
			...(warning !== undefined && { warning }),
		}),
	};
}
