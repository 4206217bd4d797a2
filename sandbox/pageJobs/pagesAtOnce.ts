/** Pages of a job at once where it names no number. */
const PAGES_AT_ONCE = 8;

/** Pages at once: a pause between pages forces one at a time (docs/service-notes.md#jobs-at-once). */
export function pagesAtOnce(job: {
	delay?: number | undefined;
	maxConcurrency?: number | undefined;
}): number {
	return job.delay === undefined ? Math.min(job.maxConcurrency ?? PAGES_AT_ONCE, PAGES_AT_ONCE) : 1;
}
