/** `null`: Automatic. Otherwise a fixed number of milliseconds between two looks. */
export type PollIntervalMs = number | null;

const SHARE_OF_AGE = 0.05;
const MIN_POLL_MS = 1000;
/** With 15 s, jobs of ten minutes were seen later on the average than with a look every 5 s. */
const MAX_POLL_MS = 12_000;

/**
 * Milliseconds until the next look at a job.
 * Automatic: 5% of the job's age, at least 1 s, at most 12 s, so a result is seen at most 5% of the
 * job's length (or 1 s) after it is there, and a job of 5 minutes costs about 75 looks.
 * Fixed: as asked, at least 1 s (the service's own clients never go below, CONTRACT section 7).
 */
export function pollDelayMs(ageMs: number, interval: PollIntervalMs): number {
	if (interval !== null) return Math.max(MIN_POLL_MS, interval);
	return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, ageMs * SHARE_OF_AGE));
}
