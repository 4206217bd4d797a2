import { isJsonObject, readErrorText } from '../http/answer';
import { ServiceFailure } from '../http/failure';
import type { JsonObject, RateLimitBucket, ServiceRequest } from '../http/transport';
import type { StartUnderWay } from '../limits/knownIds';
import * as listed from './jobListings';
import type { JobListing } from './jobListings';

/** A kind of thing that is found again by a list of the service when the answer to its start was lost. */
export interface FindableKind {
	/** Holds `{jobId}` where the id goes; what else is in braces is filled by kindAt. */
	readonly statusPath: string;
	/** The list in which it is found. */
	readonly listed?: JobListing;
}

/** The target of a start with this body, as others that look for a lost start know it. */
export function underWay({ statusPath, listed: where }: FindableKind, body: JsonObject): StartUnderWay {
	return {
		place: statusPath,
		get target() {
			return listed.canonicalTarget(where?.targetsOf(body)[0] ?? '');
		},
	};
}

/** A kind of job as data: where it lives, and what its states mean. */
export interface JobKind extends FindableKind {
	/** Stable name, kept in the ledger. */
	readonly name: string;
	/** Its name in messages: `deep research job`. */
	readonly label: string;
	/** The operations that put its id out, where Start is not the one: `Run and Get Checks`. */
	readonly namedIn?: string;
	readonly statusBucket: RateLimitBucket;
	/**
	 * Asked for with each check, where a status would otherwise come with all results so far: up to 10 MiB
	 * (docs/reference/service-notes.md#parts-of-a-result). Servers that do not know it ignore it (recording crawl-08).
	 */
	readonly statusQuery?: JsonObject;
	readonly doneStates: readonly string[];
	readonly failedStates: readonly string[];
	/** One that ended in one of these has a result all the same: it has stopped on its way. */
	readonly hasPartial?: (body: JsonObject) => boolean;
	/**
	 * The state of a running job, of a kind that counts its pages: one that is called done counts as done when its
	 * numbers say so, too (readEnd).
	 */
	readonly runningState?: string;
	/** The meaning of a failed state, where the service gives no reason. */
	readonly reasons?: Readonly<Record<string, string>>;
	/** DELETE on the status path stops the job (docs/reference/service-notes.md#job-states). */
	readonly cancellable: boolean;
	/** The reason of a cancelled job whose state is that of a failed one (recording agent-11). */
	readonly cancelledReason?: string;
	/** The refusal of a second cancel (409) while the first is at work (recording auth26-53). */
	readonly cancelledBeforeReason?: string;
	/**
	 * Servers without a key check answer 500 to an id that they do not know (recordings extract-50 and
	 * plain-56).
	 */
	readonly failsOnUnknownId?: boolean;
	/**
	 * Events of a webhook that say that the job has ended (docs/reference/service-notes.md#webhooks); left out where the
	 * service makes no such call. A cancelled crawl or batch scrape makes none either.
	 */
	readonly endEvents?: readonly string[];
	/** The path of the list of pages in a status answer; `['data']` when left out. */
	readonly pagesAt?: readonly string[];
	/** Asked for with each slice of pages. */
	readonly pagesQuery?: JsonObject;
	/** The number of pages that a status tells, where that is not `completed`; undefined where it tells none. */
	readonly pagesTold?: (body: JsonObject) => number | undefined;
	/** A start is refused (409) while a job runs that is as good: this field of the refusal has its id. */
	readonly busyId?: string;
	/**
	 * A start is refused (409) with this code while another job must end first: the field of the refusal has its id
	 * (docs/reference/service-notes.md#threads-of-agents).
	 */
	readonly waitsFor?: { code: string; id: string };
	/** The refusal with 500 of a start that began nothing, although the list of what was started may have it. */
	readonly notStartedText?: RegExp;
	/** Whether the record of a job proves that another start than this one has begun it. */
	readonly isOther?: (start: JsonObject, record: JsonObject) => boolean;
	/** Lists the pages that a job failed on. */
	readonly errorsPath?: string;
	/** The path on servers of August 2025 (recording batch-07b). */
	readonly olderErrorsPath?: string;
}

/** A page that was scraped by itself: no job, but its result is kept as one. */
export const scrapedPage: FindableKind = {
	statusPath: '/v2/scrape/{jobId}',
	listed: listed.scrapeListing,
};

/** No job either, but it is made by a start, and it keeps costing credits. */
export const createdMonitor: FindableKind = {
	statusPath: '/v2/monitor/{jobId}',
	listed: listed.monitorListing,
};

export const deepResearchJob: JobKind = {
	name: 'deepResearch',
	label: 'deep research job',
	statusPath: '/v1/deep-research/{jobId}',
	statusBucket: 'crawlStatus',
	doneStates: ['completed'],
	// `cancelled` exists on servers of August 2025 (docs/reference/service-notes.md#job-states).
	failedStates: ['failed', 'cancelled'],
	listed: listed.deepResearchListing,
	cancellable: false,
};

// Every other state is a running one: scraping, and on older servers active, paused, pending, queued
// and waiting.
const PAGE_JOB = {
	statusBucket: 'crawlStatus',
	statusQuery: { limit: 1 },
	doneStates: ['completed'],
	failedStates: ['failed', 'cancelled'],
	runningState: 'scraping',
	cancellable: true,
	endEvents: ['completed', 'failed'],
} as const;

export const crawlJob: JobKind = {
	...PAGE_JOB,
	name: 'crawl',
	label: 'crawl',
	statusPath: '/v2/crawl/{jobId}',
	listed: listed.crawlListing,
	errorsPath: '/v2/crawl/{jobId}/errors',
};

export const batchScrapeJob: JobKind = {
	...PAGE_JOB,
	name: 'batchScrape',
	label: 'batch scrape',
	statusPath: '/v2/batch/scrape/{jobId}',
	listed: listed.batchScrapeListing,
	errorsPath: '/v2/batch/scrape/{jobId}/errors',
	olderErrorsPath: '/v1/batch/scrape/{jobId}/errors',
};

export const agentJob: JobKind = {
	name: 'agent',
	label: 'agent job',
	statusPath: '/v2/agent/{jobId}',
	statusBucket: 'agentStatus',
	doneStates: ['completed'],
	// `cancelled` is told by the guide only (docs/reference/service-notes.md#where-servers-differ).
	failedStates: ['failed', 'cancelled'],
	// At its credit limit (docs/reference/service-notes.md#agents-that-stop).
	hasPartial: ({ partial }) => partial !== undefined && partial !== null,
	cancelledReason: 'Agent was cancelled by user',
	cancelledBeforeReason: 'Agent is already cancelled',
	// The server puts a start down before it passes it on.
	notStartedText: /Failed to (passthrough agent request|check agent thread)/,
	waitsFor: { code: 'thread_busy', id: 'runId' },
	listed: listed.agentListing,
	// Two decisions in two threads may have the same message.
	isOther: ({ threadId }, record) =>
		typeof threadId === 'string' && typeof record.threadId === 'string' && record.threadId !== threadId,
	cancellable: true,
	endEvents: ['completed', 'failed', 'cancelled'],
};

export const extractJob: JobKind = {
	name: 'extract',
	label: 'extract job',
	failsOnUnknownId: true,
	statusPath: '/v2/extract/{jobId}',
	statusBucket: 'agentStatus',
	doneStates: ['completed'],
	failedStates: ['failed', 'cancelled'],
	listed: listed.extractListing,
	cancellable: false,
	endEvents: ['completed', 'failed'],
};

export const llmsTxtJob: JobKind = {
	name: 'llmsTxt',
	label: 'LLMs.txt job',
	statusPath: '/v1/llmstxt/{jobId}',
	statusBucket: 'crawlStatus',
	doneStates: ['completed'],
	// One that was cancelled was never seen, but would be waited for without end.
	failedStates: ['failed', 'cancelled'],
	listed: listed.llmsTxtListing,
	cancellable: false,
};

/**
 * A check of a monitor. Its end is noticed once a minute (docs/reference/service-notes.md#checks-of-monitors); `partial`
 * is one with pages that failed, a skipped one never ran (docs/reference/service-notes.md#job-states).
 */
export const monitorCheck: JobKind = {
	name: 'monitorCheck',
	label: 'monitor check',
	namedIn: 'Run and Get Checks',
	statusPath: '/v2/monitor/{monitorId}/checks/{jobId}',
	statusBucket: 'crawlStatus',
	statusQuery: { limit: 1 },
	doneStates: ['completed', 'partial'],
	failedStates: ['failed', 'skipped_overlap', 'skipped_no_credits'],
	reasons: {
		skipped_overlap: 'it was skipped, because the check before it still ran',
		skipped_no_credits: 'it was skipped, because the account does not have enough credits',
	},
	listed: listed.monitorCheckListing,
	cancellable: false,
	pagesAt: ['data', 'pages'],
	// The most that the service takes (recording monitor-39e).
	pagesQuery: { limit: 100 },
	pagesTold: ({ data }) => {
		const { summary } = isJsonObject(data) ? data : {};
		const { totalPages } = isJsonObject(summary) ? summary : {};
		return typeof totalPages === 'number' && totalPages >= 0 ? totalPages : undefined;
	},
	// Recording monitor-82.
	busyId: 'checkId',
};

/** The kinds whose end the service tells by a call. */
export const JOBS_THAT_CALL: readonly JobKind[] = [crawlJob, batchScrapeJob, agentJob, extractJob];

/** The kind of one job whose paths hold more than its own id: `{monitorId}` is filled from `values`. */
export function kindAt(kind: JobKind, values: JsonObject): JobKind {
	const fill = (path: string) =>
		path.replace(/\{(?!jobId\})(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(values[name])));
	const statusPath = fill(kind.statusPath);
	if (statusPath === kind.statusPath) return kind;
	const { listed: lists } = kind;
	const started = lists && { ...lists.started, path: fill(lists.started.path) };
	return { ...kind, statusPath, ...(lists && started && { listed: { ...lists, started } }) };
}

/** Stands for the state of a job of which the service names none. */
export const NO_STATE = 'unknown';

export interface JobReading {
	phase: 'running' | 'done' | 'failed';
	/** The state as the service names it; NO_STATE when it names none. */
	state: string;
	/** The reason why it failed, in the service's words. */
	reason: string;
}

/**
 * Reads the state of a job from any status body, at the top level or in `data`
 * (docs/reference/service-notes.md#deep-research). A state that is not known counts as running: the caller waits until
 * its own deadline.
 */
export function readJob(kind: JobKind, body: JsonObject): JobReading {
	const data = isJsonObject(body.data) ? body.data : {};
	const state = [body.status, data.status].find((value): value is string => typeof value === 'string' && value !== '');
	const said = readErrorText(body) || readErrorText(data);
	const reason = said === '' && state !== undefined ? (kind.reasons?.[state] ?? '') : said;
	if (state === undefined) return { phase: 'running', state: NO_STATE, reason };
	if (kind.doneStates.includes(state)) return { phase: 'done', state, reason };
	if (kind.failedStates.includes(state)) {
		const isCancelled = reason === kind.cancelledReason;
		if (!isCancelled && kind.hasPartial?.(body)) return { phase: 'done', state, reason };
		return { phase: 'failed', state: isCancelled ? 'cancelled' : state, reason };
	}
	return { phase: 'running', state: state.slice(0, 100), reason };
}

const JOB_ID = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * The id when it can go into a path, else undefined. Ids are UUIDs by contract; other servers may use
 * other letters, but never a slash, a dot or a control character.
 */
export function readJobId(value: unknown): string | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	return JOB_ID.test(text) ? text : undefined;
}

/** True for a failure that may be the word for an id that the service does not know. */
export function mayBeUnknownId({ failsOnUnknownId }: JobKind, failure: ServiceFailure): boolean {
	return failsOnUnknownId === true && failure.httpCode === 500;
}

/** The failure of a start, which may be the service's word that it began nothing. */
export function startFailureOf({ notStartedText }: JobKind, failure: ServiceFailure): ServiceFailure {
	const { kind, httpCode, message } = failure;
	if (httpCode !== 500 || !notStartedText?.test(message)) return failure;
	const text = `${message} Nothing was started: try again later.`;
	return new ServiceFailure({ kind, httpCode, mayHaveExecuted: false, message: text });
}

/** The id of a job that must end first, where the start was refused for it. */
export function jobBefore({ waitsFor }: JobKind, { httpCode, answer }: ServiceFailure): string | undefined {
	return waitsFor && httpCode === 409 && answer?.code === waitsFor.code ? readJobId(answer[waitsFor.id]) : undefined;
}

/** The request that checks one job. The id must have passed readJobId. */
export function statusRequest(kind: JobKind, id: string): ServiceRequest {
	const { statusQuery: query } = kind;
	return { ...resultsRequest(kind, id), ...(query && { query }) };
}

/** The same with the job's results: all of them, or their first slice. */
export function resultsRequest(kind: JobKind, id: string): ServiceRequest {
	return { method: 'GET', path: jobPath(kind.statusPath, id), bucket: kind.statusBucket };
}

/** A path with the id in its place. The id must have passed readJobId. */
export function jobPath(path: string, id: string): string {
	return path.replace('{jobId}', id);
}

/** The request that stops one job. Safe to repeat (recording crawl-15). */
export function cancelRequest(kind: JobKind, id: string): ServiceRequest {
	return { ...resultsRequest(kind, id), method: 'DELETE' };
}

/**
 * The state of the job by a refused cancel: that it is being cancelled already, or that it has ended (409, recordings
 * crawl-08, agent-17); undefined when it says neither.
 */
export function readRefusedCancel(
	{ cancelledBeforeReason }: JobKind,
	{ httpCode, message }: ServiceFailure,
): 'cancelled' | 'ended' | undefined {
	if (httpCode !== 409) return undefined;
	const isBefore = cancelledBeforeReason !== undefined && message.includes(cancelledBeforeReason);
	return isBefore ? 'cancelled' : 'ended';
}
