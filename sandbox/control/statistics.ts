import type { Fault, Step } from './faultBook.ts';

/** Why a request was refused. */
type Refused = 'perMinute' | 'jobsAtOnce' | 'credits' | 'auth' | 'body';

/** The kinds of jobs. */
type JobKind = 'deepResearch' | 'crawl' | 'batchScrape' | 'agent' | 'extract' | 'llmsTxt' | 'monitorCheck';

export interface AcceptedStart {
	id: string;
	kind: JobKind;
	/** The question of a research, the address of a crawl, the addresses of a batch one a line. */
	query: string;
	startedAtMs: number;
}

interface ScrapedPage {
	scrapeId: string;
	/** As it was asked for. */
	url: string;
}

/** One request that was answered. Headers are never kept: they hold the key. */
export interface RequestEntry {
	atMs: number;
	method: string;
	path: string;
	/** 0 where no status was sent. */
	status: number;
}

/** What has happened since the start or the last reset. Requests to `/_sandbox` are not counted. */
export interface SandboxStats {
	starts: { total: number; byKind: Record<JobKind, number>; list: AcceptedStart[] };
	/** Requests by what they were for, refused and spoiled ones included. */
	calls: Partial<Record<Step, number>>;
	/** IDs of the jobs that were asked to be cancelled, whatever came of it. */
	cancels: string[];
	/** Pages that were scraped and billed, by any operation. */
	pagesScraped: number;
	/** Those of single scrapes. */
	scrapes: ScrapedPage[];
	/** Status answers of crawls and batches that held pages. */
	slicesServed: number;
	/** Status requests that arrived, refused and spoiled ones included. */
	polls: { total: number; byJob: Record<string, number> };
	refusals: Record<Refused, number>;
	jobsRunning: number;
	mostJobsAtOnce: number;
	creditsUsed: number;
	/** Null: without limit. */
	creditsLeft: number | null;
	faults: Partial<Record<Fault['kind'], number>>;
	requests: number;
	lastRequestAtMs: number | null;
}

type Counted = Omit<SandboxStats, 'jobsRunning' | 'creditsUsed' | 'creditsLeft'>;

export interface Statistics {
	countRequest(atMs: number): void;
	/** Notes an answered request in the bounded list. */
	noteAnswer(entry: RequestEntry): void;
	/** How many starts were accepted so far. */
	startCount(): number;
	countPoll(jobId: string): void;
	countStart(start: AcceptedStart, runningNow: number): void;
	/** `jobId`: what the call is about, where that is known before. */
	countCall(step: Step, jobId: string | undefined): void;
	countPages(pages: number): void;
	countScrape(page: ScrapedPage): void;
	countSlice(): void;
	countRefusal(cause: Refused): void;
	countFault(kind: Fault['kind']): void;
	snapshot(): Counted;
	latestRequests(): RequestEntry[];
	clear(): void;
}

/** The list of requests keeps this many, of starts and polled jobs so many: a long demo must not fill the memory. */
const KEPT_REQUESTS = 1000;
const KEPT_STARTS = 100_000;

/** Drops the oldest tenth once the list has grown past its bound by that, so that dropping stays rare. */
function trim(list: unknown[], bound: number): void {
	if (list.length > bound * 1.1) list.splice(0, list.length - bound);
}

/** See `SandboxStats`. */
export function statistics(): Statistics {
	const starts: AcceptedStart[] = [];
	const scrapes: ScrapedPage[] = [];
	const answered: RequestEntry[] = [];
	const cancels: string[] = [];
	const pollsByJob = new Map<string, number>();
	const faults = new Map<Fault['kind'], number>();
	const refusals = { perMinute: 0, jobsAtOnce: 0, credits: 0, auth: 0, body: 0 };
	const totals = { starts: 0, polls: 0, requests: 0, mostJobsAtOnce: 0, pages: 0, slices: 0 };
	const noStarts = (): Record<JobKind, number> => ({
		deepResearch: 0,
		crawl: 0,
		batchScrape: 0,
		agent: 0,
		extract: 0,
		llmsTxt: 0,
		monitorCheck: 0,
	});
	const byKind = noStarts();
	const calls = new Map<Step, number>();
	let lastRequestAtMs: number | null = null;

	return {
		countRequest(atMs) {
			totals.requests += 1;
			lastRequestAtMs = atMs;
		},
		noteAnswer(entry) {
			answered.push(entry);
			trim(answered, KEPT_REQUESTS);
		},
		startCount: () => totals.starts,
		countPoll(jobId) {
			totals.polls += 1;
			pollsByJob.set(jobId, (pollsByJob.get(jobId) ?? 0) + 1);
			if (pollsByJob.size <= KEPT_STARTS) return;
			for (const oldest of pollsByJob.keys()) {
				pollsByJob.delete(oldest);
				return;
			}
		},
		countStart(start, runningNow) {
			totals.starts += 1;
			byKind[start.kind] += 1;
			totals.mostJobsAtOnce = Math.max(totals.mostJobsAtOnce, runningNow);
			starts.push(start);
			trim(starts, KEPT_STARTS);
		},
		countCall(step, jobId) {
			calls.set(step, (calls.get(step) ?? 0) + 1);
			if (step !== 'cancel' || jobId === undefined) return;
			cancels.push(jobId);
			trim(cancels, KEPT_STARTS);
		},
		countPages: (pages) => void (totals.pages += pages),
		countScrape(page) {
			totals.pages += 1;
			scrapes.push(page);
			trim(scrapes, KEPT_STARTS);
		},
		countSlice: () => void (totals.slices += 1),
		countRefusal: (cause) => void (refusals[cause] += 1),
		countFault: (kind) => void faults.set(kind, (faults.get(kind) ?? 0) + 1),
		snapshot: () => ({
			starts: { total: totals.starts, byKind: { ...byKind }, list: starts.slice(-KEPT_STARTS) },
			calls: Object.fromEntries(calls),
			cancels: cancels.slice(-KEPT_STARTS),
			pagesScraped: totals.pages,
			scrapes: scrapes.slice(-KEPT_STARTS),
			slicesServed: totals.slices,
			polls: { total: totals.polls, byJob: Object.fromEntries(pollsByJob) },
			refusals: { ...refusals },
			mostJobsAtOnce: totals.mostJobsAtOnce,
			faults: Object.fromEntries(faults),
			requests: totals.requests,
			lastRequestAtMs,
		}),
		latestRequests: () => answered.slice(-KEPT_REQUESTS),
		clear() {
			starts.length = 0;
			scrapes.length = 0;
			answered.length = 0;
			cancels.length = 0;
			pollsByJob.clear();
			faults.clear();
			calls.clear();
			Object.assign(byKind, noStarts());
			Object.assign(refusals, { perMinute: 0, jobsAtOnce: 0, credits: 0, auth: 0, body: 0 });
			for (const name of ['starts', 'polls', 'requests', 'mostJobsAtOnce', 'pages', 'slices'] as const) {
				totals[name] = 0;
			}
			lastRequestAtMs = null;
		},
	};
}
