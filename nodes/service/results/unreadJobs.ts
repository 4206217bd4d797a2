import { mayRetry } from '../http/retry';
import { deniedSince, isGone, isLongDenied, statusWordOf } from '../jobs/jobAbsence';
import type { ListWord } from '../jobs/jobAbsence';
import type { JobKind } from '../jobs/jobKinds';
import type { UnreadJob } from './checkStatuses';

/** Since when a job cannot be read without a break, in monotonic milliseconds: because the service denies it, or refuses. */
export interface UnreadSince {
	deniedMs: number | undefined;
	refusedMs: number | undefined;
}

/** What `areUnreadable` needs besides the jobs. */
export interface UnreadParts {
	kind: JobKind;
	/** What earlier checks have noted, by id; this one is noted there. */
	since: Map<string, UnreadSince>;
	nowMs: number;
	/** Asks the service's list of what was started for one job; never throws. */
	askList(id: string): Promise<ListWord>;
}

/**
 * True when no later check will read these jobs, so that the node is to say what is wrong with each: it is
 * proven to be gone, or its status was refused for a minute, as with a key that was withdrawn. An outage
 * passes: nothing is resumed for it.
 */
export async function areUnreadable(
	unread: readonly UnreadJob[],
	{ kind, since, nowMs, askList }: UnreadParts,
): Promise<boolean> {
	const unreadable: boolean[] = [];
	for (const { id, failure } of unread) {
		const earlier = since.get(id);
		const word = statusWordOf(kind, failure);
		const isRefused = word === 'failed' && !mayRetry('GET', failure);
		const deniedMs = deniedSince(earlier?.deniedMs, word, nowMs);
		const refusedMs = isRefused ? (earlier?.refusedMs ?? nowMs) : undefined;
		since.set(id, { deniedMs, refusedMs });
		const isLong = isLongDenied(deniedMs, nowMs);
		const isAbsent = isLong && isGone({ word, sinceMs: deniedMs, nowMs }, await askList(id));
		unreadable.push(isAbsent || isLongDenied(refusedMs, nowMs));
	}
	return unreadable.every(Boolean);
}
