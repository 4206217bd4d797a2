import type { Fault, Step } from './faultBook.ts';

/** Why a request was refused. */
type RefusalCause = 'perMinute' | 'jobsAtOnce' | 'credits' | 'auth' | 'body';

export interface AcceptedStart {
	id: string;
	kind: 'deepResearch' | 'crawl' | 'batchScrape' | 'agent' | 'extract' | 'llmsTxt' | 'monitorCheck';
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
export interface SandboxStats extends Counted {
	jobsRunning: number;
	creditsUsed: number;
	/** Null: without limit. */
	creditsLeft: number | null;
}

interface Counted {
	starts: { total: number; list: AcceptedStart[] };
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
	refusals: Record<RefusalCause, number>;
	mostJobsAtOnce: number;
	faults: Partial<Record<Fault['kind'], number>>;
	requests: number;
	lastRequestAtMs: number | null;
}

/** The list of requests keeps this many: a long demo must not fill the memory. */
const KEPT_REQUESTS = 1000;

const nothing = (): Counted => ({
	starts: { total: 0, list: [] },
	calls: {},
	cancels: [],
	pagesScraped: 0,
	scrapes: [],
	slicesServed: 0,
	polls: { total: 0, byJob: {} },
	refusals: { perMinute: 0, jobsAtOnce: 0, credits: 0, auth: 0, body: 0 },
	mostJobsAtOnce: 0,
	faults: {},
	requests: 0,
	lastRequestAtMs: null,
});

export function statistics() {
	let counted = nothing();
	let answered: RequestEntry[] = [];
	return {
		countRequest(atMs: number) {
			counted.requests += 1;
			counted.lastRequestAtMs = atMs;
		},
		/** Notes an answered request in the bounded list. */
		noteAnswer(entry: RequestEntry) {
			answered.push(entry);
			if (answered.length > 2 * KEPT_REQUESTS) answered = answered.slice(-KEPT_REQUESTS);
		},
		/** How many starts were accepted so far. */
		startCount: () => counted.starts.total,
		countPoll(jobId: string) {
			const { polls } = counted;
			polls.total += 1;
			polls.byJob[jobId] = (polls.byJob[jobId] ?? 0) + 1;
		},
		countStart(start: AcceptedStart, runningNow: number) {
			counted.starts.total += 1;
			counted.starts.list.push(start);
			counted.mostJobsAtOnce = Math.max(counted.mostJobsAtOnce, runningNow);
		},
		/** `jobId`: what the call is about, where that is known before. */
		countCall(step: Step, jobId: string | undefined) {
			counted.calls[step] = (counted.calls[step] ?? 0) + 1;
			if (step === 'cancel' && jobId !== undefined) counted.cancels.push(jobId);
		},
		countPages: (pages: number) => void (counted.pagesScraped += pages),
		countScrape(page: ScrapedPage) {
			counted.pagesScraped += 1;
			counted.scrapes.push(page);
		},
		countSlice: () => void (counted.slicesServed += 1),
		countRefusal: (cause: RefusalCause) => void (counted.refusals[cause] += 1),
		countFault: (kind: Fault['kind']) => void (counted.faults[kind] = (counted.faults[kind] ?? 0) + 1),
		snapshot: () => ({
			...counted,
			starts: { ...counted.starts, list: [...counted.starts.list] },
			calls: { ...counted.calls },
			cancels: [...counted.cancels],
			scrapes: [...counted.scrapes],
			polls: { ...counted.polls, byJob: { ...counted.polls.byJob } },
			refusals: { ...counted.refusals },
			faults: { ...counted.faults },
		}),
		latestRequests: () => answered.slice(-KEPT_REQUESTS),
		clear() {
			counted = nothing();
			answered = [];
		},
	};
}

export type Statistics = ReturnType<typeof statistics>;
