import type { ListWord } from '../jobs/jobAbsence';
import type { JobKind } from '../jobs/jobKinds';
import type { ServiceClient } from '../limits/client';
import type { Listing } from './listings';
import { idTimeMs, serverTimeOf } from './serverClock';
import { readListsTogether } from './sharedReading';

/**
 * Whether the service's list of what was started has a job. `ageMs`: how long ago it was started, as far as
 * is known; the time in its id goes first, since that is by the service's own clock. Never throws.
 */
export async function listWordOf(
	kind: JobKind,
	{ id, ageMs }: { id: string; ageMs: number },
	client: ServiceClient,
): Promise<ListWord> {
	const { statusPath, listed } = kind;
	if (!listed) return 'noList';
	// From its beginning on: n8n's clock may have been set since the job was started.
	const reading = await readListsTogether({ statusPath, listed }, -Infinity, client);
	if (!('failed' in reading)) return wordIn(reading.listing, id, client.time.now() - ageMs);
	return reading.failed === 'refused' ? 'noList' : 'unread';
}

function wordIn(listing: Listing, id: string, startedMs: number): ListWord {
	const { byTarget, clock, completeSinceMs, hasEnded } = listing;
	if ([...byTarget.values()].some((jobs) => jobs.some((job) => job.id === id))) return 'listed';
	if (!hasEnded) return 'noList';
	if (completeSinceMs === Infinity) return 'unread';
	const beganMs = idTimeMs(id) ?? serverTimeOf(clock, startedMs);
	// The list goes back a day: it says nothing of what is older.
	return beganMs < serverTimeOf(clock, completeSinceMs) ? 'noList' : 'notListed';
}
