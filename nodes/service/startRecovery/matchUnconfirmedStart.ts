import type { JsonObject } from '../http/transport';
import { canonicalTarget } from '../jobs/jobListings';

/** A job as the service lists it. */
export interface ListedJob {
	id: string;
	target: string;
	/** When it began by the service's clock, in milliseconds since 1970; undefined when that is not told. */
	beganMs: number | undefined;
	/** What it was asked for; undefined where the list does not show that. */
	options?: JsonObject;
}

/** What is known of a start whose end is not. */
export interface SearchedStart {
	/** What the lists should show as its target, as canonicalTarget has it. */
	target: string;
	/** Everything it asks for, as one text: two starts with the same text are as good as each other. */
	asked: string;
	/** It was not sent before this, by the service's clock, in milliseconds since 1970. */
	notBeforeMs: number;
}

export type Match =
	{ kind: 'found'; job: ListedJob } | { kind: 'several'; jobs: ListedJob[] } | { kind: 'none' };

/**
 * Decides which of the listed jobs is the one of this start. `others` are the other starts that are
 * looked for at the same time; `jobs` are the listed ones that belong to nobody else.
 *
 * A job may be it when it asks for the same and did not begin before the start was sent. It is it when
 * no other job may be, and no other start may have it. Starts that ask for exactly the same may take
 * each other's jobs: then each gets one, as long as there are no more jobs than starts.
 */
export function matchUnconfirmedStart<T extends SearchedStart>(
	start: T,
	others: readonly T[],
	jobs: readonly ListedJob[],
): Match {
	const alike = jobs.filter((job) => canonicalTarget(job.target) === start.target);
	const candidates = alike.filter((job) => began(job) >= start.notBeforeMs);
	const latestMs = Math.max(...candidates.map(began));
	const rivals = others.filter(
		({ target, notBeforeMs }) => target === start.target && notBeforeMs <= latestMs,
	);
	const several: Match = { kind: 'several', jobs: candidates };
	if (rivals.some(({ asked }) => asked !== start.asked)) return several;
	const shared = shareOut([start, ...rivals], alike);
	if (!shared) return several;
	const job = shared.get(start);
	return job ? { kind: 'found', job } : { kind: 'none' };
}

/**
 * Gives each job to one of the starts that may have it, the youngest job to the youngest start. Undefined
 * when a job is left over that one of them may have: then nobody knows whose it is.
 */
function shareOut(
	starts: SearchedStart[],
	jobs: readonly ListedJob[],
): Map<SearchedStart, ListedJob> | undefined {
	const waiting = [...starts].sort((left, right) => right.notBeforeMs - left.notBeforeMs);
	const sinceMs = waiting.at(-1)?.notBeforeMs ?? Infinity;
	const given = new Map<SearchedStart, ListedJob>();
	let place = 0;
	const youngestFirst = jobs
		.filter((job) => began(job) >= sinceMs)
		.sort((left, right) => began(right) - began(left));
	for (const job of youngestFirst) {
		// The jobs that follow are older still, so that a start that is too young for this one has none.
		while ((waiting[place]?.notBeforeMs ?? -Infinity) > began(job)) place += 1;
		const taker = waiting[place];
		if (!taker) return undefined;
		given.set(taker, job);
		place += 1;
	}
	return given;
}

const began = ({ beganMs }: ListedJob): number => beganMs ?? -Infinity;

/** True for what a service shows in place of a target that it does not keep. */
export function isHiddenTarget(target: string): boolean {
	return target.trim() === '' || /^<.*>$/s.test(target.trim());
}
