import type { KnownJob } from '../../../service/jobs/jobTask';
import type { LedgerEntry } from '../../../service/jobs/ledger';

/** What a try has seen of a job that it could not bring to its end. */
export type SeenJob = Omit<KnownJob, 'ageMs' | 'evidence'>;

/** What is known of the job of an entry, for those that take it up. `nowMs`: milliseconds since 1970. */
export function knownJobOf(id: string, entry: LedgerEntry, nowMs: number): KnownJob {
	const { startedAt, deniedSince, unchangedSince, evidence } = entry;
	const sinceMs = (at: number) => Math.max(0, nowMs - at);
	return {
		id,
		ageMs: sinceMs(startedAt),
		...(deniedSince !== undefined && { deniedForMs: sinceMs(deniedSince) }),
		...(unchangedSince !== undefined && { unchangedForMs: sinceMs(unchangedSince) }),
		...(evidence && { evidence }),
	};
}

/** The entry with what a try has seen of its job, so that the next try counts on; undefined where nothing changes. */
export function withSeen(
	entry: LedgerEntry,
	{ id, deniedForMs, unchangedForMs }: SeenJob,
	nowMs: number,
): LedgerEntry | undefined {
	if (entry.id !== id) return undefined;
	const { deniedSince, unchangedSince, ...others } = entry;
	if ((deniedSince ?? unchangedSince ?? deniedForMs ?? unchangedForMs) === undefined)
		return undefined;
	return {
		...others,
		...(deniedForMs !== undefined && { deniedSince: nowMs - deniedForMs }),
		...(unchangedForMs !== undefined && { unchangedSince: nowMs - unchangedForMs }),
	};
}
