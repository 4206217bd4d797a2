import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import { compareHashes, packHashes, shortHash, unpackHashes } from './hashes';

/** A job of the service's list of what was started. */
export interface SeenJob {
	id: string;
	/** Kind of job in the list's words: `crawl`. */
	endpoint: string;
	/** The target that it was started with: an address or a question; empty where the list tells none. */
	target: string;
	/** ISO 8601; texts of one form, so they sort as times do. Empty where the list tells none. */
	startedAt: string;
}

/** A job whose end is waited for, and what earlier polls have seen of it. */
export interface WaitingJob extends SeenJob {
	/** It stood in the list when its kind was read first, and was not seen running: its end is not reported. */
	isOld?: true;
	/** An earlier poll has asked for its state, and it had not ended or could not be read. */
	isChecked?: true;
	/** Since when its state cannot be read, in milliseconds since 1970. */
	failingSinceMs?: number;
	/** Since when the service denies that it has the job, in milliseconds since 1970. */
	deniedSinceMs?: number;
	/** At how many polls its result could not be read. */
	tries?: number;
}

/** The state that the polls have seen so far. */
export interface JobMark {
	/** False before the first poll. */
	begun: boolean;
	/**
	 * Short hashes of the ids that were seen, by endpoint: many jobs of one kind must not make a job of
	 * another kind new again. Jobs are known by their ids and not by their times: the list may show one late, out
	 * of order or with a time of the future.
	 */
	known: Record<string, string[]>;
	/** Those that were checked longest ago come first. */
	waiting: WaitingJob[];
	/** Jobs of a list of IDs whose end was reported, the latest last: `reportedName`. */
	reported: string[];
}

/** Most jobs of a list of IDs that are remembered as reported. */
const MAX_REPORTED = 1000;

/** A job as it stands in `reported`: one that was looked for as another kind was not reported. */
export function reportedName({ endpoint, id }: Pick<WaitingJob, 'endpoint' | 'id'>): string {
	return `${endpoint} ${id}`;
}

/** The mark as it was stored: whatever else stands there starts over. */
export function readJobMark(stored: JsonObject | undefined): JobMark {
	if (stored?.begun !== true) return { begun: false, known: {}, waiting: [], reported: [] };
	const { known, waiting, reported } = stored;
	const byEndpoint = Object.entries(isJsonObject(known) ? known : {});
	return {
		begun: true,
		known: Object.fromEntries(byEndpoint.map(([endpoint, hashes]) => [endpoint, unpackHashes(hashes)])),
		waiting: Array.isArray(waiting) ? waiting.flatMap(readWaitingJob) : [],
		reported: Array.isArray(reported) ? reported.filter((one) => typeof one === 'string') : [],
	};
}

/** The mark as it is stored. */
export function storedJobMark({ known, reported, ...mark }: JobMark): JsonObject {
	const packed = Object.entries(known).map(([endpoint, hashes]) => [endpoint, packHashes(hashes)]);
	return { ...mark, known: Object.fromEntries(packed), reported: reported.slice(-MAX_REPORTED) };
}

const NUMBERS = ['failingSinceMs', 'deniedSinceMs', 'tries'] as const;

function readWaitingJob(job: unknown): WaitingJob[] {
	if (!isJsonObject(job)) return [];
	const { id, endpoint, target, startedAt } = job;
	if (typeof id !== 'string' || typeof endpoint !== 'string') return [];
	if (typeof target !== 'string' || typeof startedAt !== 'string') return [];
	const numbers = NUMBERS.filter((name) => typeof job[name] === 'number').map((name) => [name, job[name]]);
	return [
		{
			...{ id, endpoint, target, startedAt },
			...(job.isOld === true && { isOld: true }),
			...(job.isChecked === true && { isChecked: true }),
			...Object.fromEntries(numbers),
		},
	];
}

/** Most jobs of an endpoint that are remembered: a poll reads no more of the list, and all that it reads stay known. */
const MAX_KNOWN_JOBS = 10_000;

/** Most jobs of an endpoint that are waited for although they were there before the first poll: the newest. */
const MAX_OLD = 100;

/** Whether no poll has seen some of these jobs of an endpoint. */
export function hasUnseen({ known }: JobMark, endpoint: string, jobs: readonly SeenJob[]): boolean {
	const seen = new Set(known[endpoint]);
	return jobs.some(({ id }) => !seen.has(shortHash(id)));
}

/**
 * The mark after these jobs of an endpoint were listed, newest first: all of them are known, and those that no
 * earlier poll has seen are waited for. What the first list of an endpoint shows is old.
 */
export function withListed(mark: JobMark, endpoint: string, jobs: readonly SeenJob[]): JobMark {
	const before = mark.known[endpoint];
	const oldestFirst = [...jobs].reverse();
	const hashes = oldestFirst.map(({ id }) => shortHash(id));
	const { fresh, known } = compareHashes(before ?? [], hashes);
	const waiting = new Set(mark.waiting.map(({ id }) => id));
	const added = fresh.flatMap((at) => oldestFirst[at] ?? []).filter(({ id }) => !waiting.has(id));
	const old = added.slice(-MAX_OLD).reverse();
	return {
		...mark,
		known: { ...mark.known, [endpoint]: known.slice(-MAX_KNOWN_JOBS) },
		waiting: [...mark.waiting, ...(before ? added : old.map((job): WaitingJob => ({ ...job, isOld: true })))],
	};
}

/** Most jobs whose state one poll asks for: a request each. Those that were there before come on top. */
export const MAX_CHECKS = 100;

/** So many of them are for jobs that were never checked, while others wait for another check. */
const MAX_FIRST_CHECKS = 80;

/**
 * The jobs whose state a poll asks for, in this order, so that jobs that do not end hold up no other. All that
 * were there before the first poll are among them, because their end is reported only if they are seen running.
 */
export function jobsToCheck(waiting: readonly WaitingJob[]): WaitingJob[] {
	const checked = waiting.filter(({ isChecked }) => isChecked);
	const unchecked = waiting.filter(({ isChecked }) => !isChecked);
	const fresh = unchecked.filter(({ isOld }) => !isOld);
	const first = fresh.slice(0, MAX_FIRST_CHECKS);
	const others = [...first, ...checked, ...fresh.slice(first.length)].slice(0, MAX_CHECKS);
	return [...others, ...unchecked.filter(({ isOld }) => isOld)];
}

/** Most jobs that a poll has checked and that have not ended: beyond these, the oldest are given up. */
export const MAX_RUNNING = 1000;

/** The jobs that are still waited for; of too many that were checked, the oldest are given up. */
export function withoutOldest(waiting: readonly WaitingJob[]): { kept: WaitingJob[]; givenUp: WaitingJob[] } {
	const checked = waiting.filter(({ isChecked }) => isChecked);
	const oldestFirst = checked.sort((one, other) => (one.startedAt < other.startedAt ? -1 : 1));
	const givenUp = oldestFirst.slice(0, Math.max(0, checked.length - MAX_RUNNING));
	const gone = new Set(givenUp);
	return { kept: waiting.filter((job) => !gone.has(job)), givenUp };
}
