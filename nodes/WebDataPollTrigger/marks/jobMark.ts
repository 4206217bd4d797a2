import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import { compareHashes, packHashes, shortHash, unpackHashes } from './hashes';

/** Jobs that are waited for, what the list has shown, and what was told of a list of IDs. */
export interface JobMark extends ListMark {
	/** False before the first poll. */
	begun: boolean;
	/** Jobs of a list of IDs whose end was told, the latest last: `toldName`. */
	told: string[];
	/** Jobs that ran too long to be waited for, the latest last, until a poll says so. */
	givenUp: string[];
}

/** Most of them that are named. */
export const MAX_GIVEN_UP = 100;

/** Most jobs of a list of IDs that are remembered as told. */
const MAX_TOLD = 1000;

/** A job as it stands in `told`: one that was looked for as another kind was not told. */
export function toldName({ endpoint, id }: Pick<WaitingJob, 'endpoint' | 'id'>): string {
	return `${endpoint} ${id}`;
}

/** The mark as it was stored: whatever else stands there starts over. */
export function readJobMark(stored: JsonObject | undefined): JobMark {
	if (stored?.begun !== true) {
		return { begun: false, since: {}, known: {}, waiting: [], told: [], givenUp: [] };
	}
	const { since, known, waiting, told, givenUp } = stored;
	return {
		begun: true,
		since: readSince(since),
		known: readKnown(known),
		waiting: Array.isArray(waiting) ? waiting.flatMap(readWaitingJob) : [],
		told: readNames(told),
		givenUp: readNames(givenUp),
	};
}

/** The mark as it is stored. */
export function storedJobMark({ known, told, ...mark }: JobMark): JsonObject {
	const packed = Object.entries(known).map(([endpoint, hashes]) => [endpoint, packHashes(hashes)]);
	return { ...mark, known: Object.fromEntries(packed), told: told.slice(-MAX_TOLD) };
}

function readKnown(known: unknown): Record<string, string[]> {
	const byEndpoint = Object.entries(isJsonObject(known) ? known : {});
	return Object.fromEntries(byEndpoint.map(([endpoint, hashes]) => [endpoint, unpackHashes(hashes)]));
}

function readNames(stored: unknown): string[] {
	return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
}

function readSince(since: unknown): Record<string, string> {
	return Object.fromEntries(
		Object.entries(isJsonObject(since) ? since : {}).flatMap(([endpoint, start]) =>
			typeof start === 'string' ? [[endpoint, start]] : [],
		),
	);
}

function readWaitingJob(job: unknown): WaitingJob[] {
	if (!isJsonObject(job)) return [];
	const { id, endpoint, target, startedAt } = job;
	if (typeof id !== 'string' || typeof endpoint !== 'string') return [];
	if (typeof target !== 'string' || typeof startedAt !== 'string') return [];
	return [
		{
			...{ id, endpoint, target, startedAt },
			...(job.isOld === true && { isOld: true }),
			...(job.isChecked === true && { isChecked: true }),
			...numbersOf(job, ['failingSinceMs', 'failures', 'deniedSinceMs', 'tries']),
		},
	];
}

function numbersOf<Name extends string>(job: JsonObject, names: readonly Name[]): Partial<Record<Name, number>> {
	const found: Partial<Record<Name, number>> = {};
	for (const name of names) {
		const value = job[name];
		if (typeof value === 'number') found[name] = value;
	}
	return found;
}

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
const MAX_UNCHECKED = 500;

/** Most jobs of an endpoint that are remembered: a poll reads no more of the list, and all that it reads stay known. */
const MAX_KNOWN_JOBS = 10_000;

/** The jobs of an endpoint, newest first, that no poll has seen. */
export function unseenOf({ known, since }: ListMark, endpoint: string, jobs: readonly ListedJob[]): ListedJob[] {
	const { fresh } = compareHashes(
		known[endpoint] ?? [],
		jobs.map(({ id }) => shortHash(id)),
	);
	return fresh
		.flatMap((position) => jobs[position] ?? [])
		.filter(({ startedAt }) => startedAt === '' || startedAt >= (since[endpoint] ?? ''));
}

/** Whether an earlier poll has seen one of these jobs. */
export function hasSeenAnyOf({ known }: ListMark, endpoint: string, jobs: readonly ListedJob[]): boolean {
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
export function withNewJobs(mark: ListMark, endpoint: string, jobs: readonly ListedJob[]): ListMark {
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
function knownWith({ known }: ListMark, endpoint: string, jobs: readonly ListedJob[]): ListMark['known'] {
	const seen = jobs.map(({ id }) => shortHash(id)).reverse();
	const { known: all } = compareHashes(known[endpoint] ?? [], seen);
	return { ...known, [endpoint]: all.slice(-MAX_KNOWN_JOBS) };
}

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
	const rounds = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? []));
	return [...new Set(rounds.flat())];
}
