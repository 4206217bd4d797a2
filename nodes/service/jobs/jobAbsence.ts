import type { ServiceFailure } from '../http/failure';
import { backoffMs } from '../http/retry';
import { mayBeUnknownId } from './jobKinds';
import type { JobKind } from './jobKinds';

// A job whose id came from an answer of the service exists. Servers answer 404 for it for seconds after its
// start, so its absence must last before it proves anything.

/** How long the service must deny a job without a break before it counts as gone, in milliseconds. */
export const ABSENCE_MS = 60_000;

/** Longest pause between two status requests for a job that is denied, in milliseconds. */
const MAX_DENIED_PAUSE_MS = 5000;

/**
 * What one status request says of whether the job exists. `denied`: the service does not know it;
 * `mayBeDenied`: it failed with what some servers answer for an unknown id; `failed`: it failed in another
 * way, which breaks a row of denials; `noWord`: it was not asked, because of a limit or of Stop.
 */
type StatusWord = 'known' | 'denied' | 'mayBeDenied' | 'failed' | 'noWord';

/** Reads what a status request says; `failure` is undefined where the service told the job's state. */
export function statusWordOf(kind: JobKind, failure: ServiceFailure | undefined): StatusWord {
	if (!failure) return 'known';
	if (failure.notFound) return 'denied';
	if (failure.kind === 'rateLimited' || failure.kind === 'aborted') return 'noWord';
	return mayBeUnknownId(kind, failure) ? 'mayBeDenied' : 'failed';
}

/**
 * Since when the service denies a job without a break: `earlierMs` is what this function gave after the
 * status request before, undefined at first. To be called after each of them, with a clock that is the same
 * for all; what it gives may be stored between them.
 */
export function deniedSince(
	earlierMs: number | undefined,
	word: StatusWord,
	nowMs: number,
): number | undefined {
	if (word === 'noWord') return earlierMs;
	return word === 'denied' || word === 'mayBeDenied' ? (earlierMs ?? nowMs) : undefined;
}

/** True once a job has been denied for so long that nothing more is to be waited for. */
export function isLongDenied(sinceMs: number | undefined, nowMs: number): boolean {
	return sinceMs !== undefined && nowMs >= sinceMs + ABSENCE_MS;
}

/** True for a job that counts as gone. A failure alone proves nothing, however long it lasts. */
export function isGone(word: StatusWord, sinceMs: number | undefined, nowMs: number): boolean {
	return word === 'denied' && isLongDenied(sinceMs, nowMs);
}

/** Milliseconds until a job is asked for again that has been denied so many times in a row, from 1. */
export function deniedPauseMs(inRow: number, random: number): number {
	return Math.min(MAX_DENIED_PAUSE_MS, backoffMs(inRow, random));
}

/** What the service says of a job that it denies. */
export interface Denied {
	/** For how long it has denied it without a break, in milliseconds. */
	forMs: number;
	/** What it answered the latest status request with. */
	httpCode: number | undefined;
}
