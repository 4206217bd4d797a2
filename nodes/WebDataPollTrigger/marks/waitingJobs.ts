import type { ListedJob, WaitingJob } from './newJobs';

/** Most jobs that a poll has checked and that have not ended: beyond these, the oldest are given up. */
export const MAX_RUNNING = 1000;

/** Most jobs whose state one poll asks for: a request each. Those that were there before come on top. */
export const MAX_CHECKS = 100;

/** Of so many checks, one is of a job that was checked before, as long as there are others. */
const CHECKS_A_ROUND = 5;

/**
 * The jobs whose state a poll asks for, in this order. Most are jobs that were never checked; beside them are
 * in turn the one that was checked longest ago and the newest that was checked, so that jobs that do not end
 * hold up no other. All that were there before the first poll are among them, because their end is told only
 * if they are seen running first.
 */
export function jobsToCheck(waiting: readonly WaitingJob[]): WaitingJob[] {
	const checked = waiting.filter(({ isChecked }) => isChecked);
	const unchecked = waiting.filter(({ isChecked }) => !isChecked);
	const later = unchecked.filter(({ isOld }) => !isOld);
	const newInParts = Array.from({ length: CHECKS_A_ROUND - 1 }, (_, part) =>
		later.filter((_job, at) => at % (CHECKS_A_ROUND - 1) === part),
	);
	const again = inTurn([checked, [...checked].sort(newestFirst)]);
	const others = inTurn([...newInParts, again]).slice(0, MAX_CHECKS);
	return inTurn([unchecked.filter(({ isOld }) => isOld), others]);
}

/** Sorts jobs by their start, the newest first. */
export function newestFirst(left: ListedJob, right: ListedJob): number {
	if (left.startedAt === right.startedAt) return 0;
	return left.startedAt < right.startedAt ? 1 : -1;
}

/** Which of the jobs go on being waited for; of too many that were checked, the oldest are given up. */
export function withoutOldest(waiting: readonly WaitingJob[]): {
	kept: WaitingJob[];
	givenUp: WaitingJob[];
} {
	const checked = waiting.filter(({ isChecked }) => isChecked);
	const givenUp = [...checked].sort(newestFirst).slice(MAX_RUNNING);
	const gone = new Set(givenUp);
	return { kept: waiting.filter((job) => !gone.has(job)), givenUp };
}

/** The first of each list, then the second of each, and so on: each job once. */
function inTurn(lists: ReadonlyArray<readonly WaitingJob[]>): WaitingJob[] {
	const longest = Math.max(...lists.map((list) => list.length));
	const rounds = Array.from({ length: longest }, (_, at) =>
		lists.flatMap((list) => list[at] ?? []),
	);
	return [...new Set(rounds.flat())];
}
