import { compareHashes } from './knownHashes';
import { shortHash } from './shortHashes';

/** A job of the service's list of what was started. */
export interface ListedJob {
	id: string;
	/** Kind of job in the list's words: `crawl`. */
	endpoint: string;
	/** What it was started with: an address or a question; empty where the list tells none. */
	target: string;
	/** ISO 8601; texts of one form, so they sort as times do. Empty where the list tells none. */
	startedAt: string;
}

/** A job whose end is waited for, and what earlier polls have seen of it. */
export interface WaitingJob extends ListedJob {
	/** It stood in the list when its kind was read first, and was not seen running: its end is not told. */
	isOld?: true;
	/** An earlier poll has asked for its state, and it had not ended or could not be read. */
	isChecked?: true;
	/** Since when its state cannot be read, in milliseconds since 1970, and at how many polls in a row. */
	failingSinceMs?: number;
	failures?: number;
	/** Since when the service denies that it has the job, in milliseconds since 1970. */
	deniedSinceMs?: number;
	/** At how many polls its result could not be read. */
	tries?: number;
}

/**
 * What the polls have seen of the list. Jobs are known by their ids and not by their times: the list may show
 * one late, out of order or with a time of the future.
 */
export interface ListMark {
	/**
	 * By endpoint, for those that were read before: start of the oldest job that the first poll saw, where the
	 * list went on behind it. What is older is not new.
	 */
	since: Record<string, string>;
	/**
	 * Short hashes of the ids that were seen, by endpoint: many jobs of one kind must not make a job of
	 * another kind new again.
	 */
	known: Record<string, string[]>;
	waiting: WaitingJob[];
}

/**
 * Most jobs that no poll has checked yet; later ones stay in the list, unknown, until there is room. Those that
 * were checked take no room from them: an agent may be said to run for ever.
 */
export const MAX_UNCHECKED = 500;

/** Most jobs of an endpoint that are remembered: a poll reads no more of the list, and all that it reads stay known. */
const MAX_KNOWN_JOBS = 10_000;

/** The jobs of an endpoint, newest first, that no poll has seen. */
export function unseenOf(
	{ known, since }: ListMark,
	endpoint: string,
	jobs: readonly ListedJob[],
): ListedJob[] {
	const { fresh } = compareHashes(
		known[endpoint] ?? [],
		jobs.map(({ id }) => shortHash(id)),
	);
	return fresh
		.flatMap((position) => jobs[position] ?? [])
		.filter(({ startedAt }) => startedAt === '' || startedAt >= (since[endpoint] ?? ''));
}

/** Whether an earlier poll has seen one of these jobs. */
export function hasSeenAnyOf(
	{ known }: ListMark,
	endpoint: string,
	jobs: readonly ListedJob[],
): boolean {
	const seen = new Set(known[endpoint]);
	return jobs.some(({ id }) => seen.has(shortHash(id)));
}

/**
 * The mark after the first check of the list of an endpoint, newest first: all are known, and each is waited
 * for until it is seen whether it runs.
 */
export function withFirstJobs(
	mark: ListMark,
	endpoint: string,
	{ jobs, since }: { jobs: readonly ListedJob[]; since: string },
): ListMark {
	const waiting = new Set(mark.waiting.map(({ id }) => id));
	const old = jobs.filter(({ id }) => !waiting.has(id));
	return {
		since: { ...mark.since, [endpoint]: since },
		known: knownWith(mark, endpoint, jobs),
		waiting: [...mark.waiting, ...old.map((job): WaitingJob => ({ ...job, isOld: true }))],
	};
}

/**
 * The mark after these jobs of an endpoint, newest first: `waiting` gains those that no earlier poll has
 * seen, the oldest first and only as many as there is room for. The others are not known after it.
 */
export function withNewJobs(
	mark: ListMark,
	endpoint: string,
	jobs: readonly ListedJob[],
): ListMark {
	const waiting = new Set(mark.waiting.map(({ id }) => id));
	const unseen = unseenOf(mark, endpoint, jobs).reverse();
	const wanted = unseen.filter((job) => !waiting.has(job.id));
	const unchecked = mark.waiting.filter(({ isChecked }) => !isChecked).length;
	const added = wanted.slice(0, Math.max(0, MAX_UNCHECKED - unchecked));
	const firstLeft = wanted[added.length];
	// Nothing newer than what was left is known: a check of the list ends where all is known.
	const from = firstLeft === undefined ? 0 : jobs.indexOf(firstLeft) + 1;
	return {
		...mark,
		known: knownWith(mark, endpoint, jobs.slice(from)),
		waiting: [...mark.waiting, ...added],
	};
}

/** The newest last: beyond the most that are kept, the oldest go. */
function knownWith(
	{ known }: ListMark,
	endpoint: string,
	jobs: readonly ListedJob[],
): ListMark['known'] {
	const seen = jobs.map(({ id }) => shortHash(id)).reverse();
	const { known: all } = compareHashes(known[endpoint] ?? [], seen);
	return { ...known, [endpoint]: all.slice(-MAX_KNOWN_JOBS) };
}
