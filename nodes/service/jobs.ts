import { readErrorText, isJsonObject } from './answer';
import type { JsonObject, RateLimitBucket, ServiceRequest } from './transport';

/** A kind of job as data: where it lives, and what its states mean (CONTRACT section 7). */
export interface JobKind {
	/** Stable name, kept in the ledger. */
	readonly name: string;
	/** How it is called in messages: `deep research job`. */
	readonly label: string;
	/** Holds `{jobId}` where the id goes. */
	readonly statusPath: string;
	readonly statusBucket: RateLimitBucket;
	readonly doneStates: readonly string[];
	readonly failedStates: readonly string[];
}

export const deepResearchJob: JobKind = {
	name: 'deepResearch',
	label: 'deep research job',
	statusPath: '/v1/deep-research/{jobId}',
	statusBucket: 'crawlStatus',
	doneStates: ['completed'],
	// `cancelled` exists on servers of August 2025 (CONTRACT section 7).
	failedStates: ['failed', 'cancelled'],
};

export interface JobReading {
	phase: 'running' | 'done' | 'failed';
	/** The state as the service names it; `unknown` when it names none. */
	state: string;
	/** Why it failed, in the service's words. */
	reason: string;
}

/**
 * Reads the state of a job from any status body, at the top level or in `data` (CONTRACT section 8).
 * A state that is not known counts as running: the caller waits until its own deadline.
 */
export function readJob(kind: JobKind, body: JsonObject): JobReading {
	const data = isJsonObject(body.data) ? body.data : {};
	const state = [body.status, data.status].find(
		(value): value is string => typeof value === 'string' && value !== '',
	);
	const reason = readErrorText(body) || readErrorText(data);
	if (state === undefined) return { phase: 'running', state: 'unknown', reason };
	if (kind.doneStates.includes(state)) return { phase: 'done', state, reason };
	if (kind.failedStates.includes(state)) return { phase: 'failed', state, reason };
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

/** The status request of one job. The id must have passed readJobId. */
export function statusRequest(kind: JobKind, id: string): ServiceRequest {
	return { method: 'GET', path: kind.statusPath.replace('{jobId}', id), bucket: kind.statusBucket };
}
