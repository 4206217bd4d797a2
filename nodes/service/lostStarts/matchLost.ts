/** A job as the service lists it. */
export interface ListedJob {
	id: string;
	target: string;
	/** When it began by the service's clock, in milliseconds since 1970; undefined when that is not told. */
	beganMs: number | undefined;
}

/** What is known of a start whose end is not. */
export interface SearchedStart {
	/** What the lists may show as its target, what they should show first. */
	targets: readonly string[];
	/** Everything it asks for, as one text: two starts with the same text are as good as each other. */
	asked: string;
	/** It was not sent before this, by the service's clock, in milliseconds since 1970. */
	notBeforeMs: number;
}

export type Match =
	| { kind: 'found'; job: ListedJob }
	| { kind: 'several'; jobs: ListedJob[] }
	/** `hidden`: there are jobs that may be it, but their target or time cannot be read. */
	| { kind: 'none'; hidden: boolean };

/**
 * Decides which of the listed jobs is the one of this start. `others` are the other starts that are
 * looked for at the same time; `jobs` are the listed ones that belong to nobody else.
 *
 * A job may be it when it asks for the same and did not begin before the start was sent. It is it when
 * no other job may be, and no other start may have it. Starts that ask for exactly the same may take
 * each other's jobs: then each gets one, as long as there are no more jobs than starts.
 */
export function matchLost(
	start: SearchedStart,
	others: readonly SearchedStart[],
	jobs: readonly ListedJob[],
): Match {
	const candidates = candidatesOf(start, jobs);
	if (candidates.length === 0)
		return { kind: 'none', hidden: jobs.some((job) => mayBe(start, job)) };
	const rivals = others.filter((other) =>
		candidatesOf(other, jobs).some((job) => candidates.includes(job)),
	);
	const [only] = candidates;
	if (only && candidates.length === 1 && rivals.length === 0) return { kind: 'found', job: only };
	const isAlike = rivals.every(({ asked }) => asked === start.asked);
	const job = isAlike ? shareOut([start, ...rivals], jobs).get(start) : undefined;
	if (job === 'none') return { kind: 'none', hidden: false };
	return job ? { kind: 'found', job } : { kind: 'several', jobs: candidates };
}

/**
 * Gives each job to one of the starts that may have it, the youngest job to the youngest start. Empty
 * when some job is left over: then nobody knows whose it is. A start without a job gets `none`.
 */
function shareOut(
	starts: SearchedStart[],
	jobs: readonly ListedJob[],
): Map<SearchedStart, ListedJob | 'none'> {
	const all = new Set(starts.flatMap((start) => candidatesOf(start, jobs)));
	const youngestFirst = [...all].sort((left, right) => began(right) - began(left));
	const waiting = [...starts].sort((left, right) => right.notBeforeMs - left.notBeforeMs);
	const given = new Map<SearchedStart, ListedJob | 'none'>();
	for (const job of youngestFirst) {
		const place = waiting.findIndex((start) => start.notBeforeMs <= began(job));
		const [taker] = place === -1 ? [] : waiting.splice(place, 1);
		if (!taker) return new Map();
		given.set(taker, job);
	}
	for (const start of waiting) given.set(start, 'none');
	return given;
}

function candidatesOf({ targets, notBeforeMs }: SearchedStart, jobs: readonly ListedJob[]) {
	const [target] = targets;
	if (target === undefined) return [];
	return jobs.filter((job) => began(job) >= notBeforeMs && isSameTarget(job.target, target));
}

/** True for a job that is no candidate, but is not proven to be another start's either. */
function mayBe({ targets, notBeforeMs }: SearchedStart, { target, beganMs }: ListedJob): boolean {
	if (beganMs !== undefined && beganMs < notBeforeMs) return false;
	return isHidden(target) || targets.some((own) => isSameTarget(target, own));
}

const began = ({ beganMs }: ListedJob): number => beganMs ?? -Infinity;

/** What a service shows in place of a target that it does not keep. */
function isHidden(target: string): boolean {
	return target.trim() === '' || /^<.*>$/s.test(target.trim());
}

/**
 * True for targets that ask for the same: equal texts, or addresses that are the same in full. The
 * #fragment counts, since the lists keep it.
 */
export function isSameTarget(one: string, other: string): boolean {
	if (one === other) return true;
	const left = canonical(one);
	return left !== undefined && left === canonical(other);
}

function canonical(target: string): string | undefined {
	const text = target.trim();
	if (!/^https?:\/\//i.test(text)) return text;
	return URL.canParse(text) ? new URL(text).href : text;
}
