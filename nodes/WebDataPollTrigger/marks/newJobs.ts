import { compareAddresses } from './knownAddresses';

/** A job of the service's feed. */
export interface FeedJob {
	id: string;
	/** Kind of job in the feed's words: `crawl`. */
	endpoint: string;
	/** What it was started with: an address or a question; empty where the feed tells none. */
	target: string;
	/** ISO 8601; texts of one form, so they sort as times do. Empty where the feed tells none. */
	startedAt: string;
}

/**
 * What the looks at the feed have seen. Jobs are known by their ids and not by their times: the feed may show
 * one late, out of order or with a time of the future.
 */
export interface FeedMark {
	/** True after the first look: what a later one shows that is not known is new. */
	begun: boolean;
	/** Start of the oldest job that the first look saw, where the feed went on behind it: what is older is not new. */
	since: string;
	/** Short hashes of the ids that were seen, of at most 10,000. */
	known: string[];
	/** Started, and not ended when they were last looked at. */
	running: FeedJob[];
}

/** Most jobs that are waited for at once; later ones stay in the feed, unknown, until there is room. */
export const MOST_RUNNING = 500;

export const NO_FEED: FeedMark = { begun: false, since: '', known: [], running: [] };

/** The jobs, newest first, that no look has seen. */
export function unseenOf({ known, since }: FeedMark, jobs: readonly FeedJob[]): FeedJob[] {
	const { fresh } = compareAddresses(
		known,
		jobs.map(({ id }) => id),
	);
	return fresh
		.flatMap((position) => jobs[position] ?? [])
		.filter(({ startedAt }) => startedAt === '' || startedAt >= since);
}

/**
 * The feed's mark after these jobs, newest first: `running` gains those that no earlier look has seen, the
 * oldest first and only as many as there is room for. The others are not known after it.
 */
export function withNewJobs(
	mark: FeedMark,
	jobs: readonly FeedJob[],
	isWanted: (job: FeedJob) => boolean = () => true,
): FeedMark {
	const waiting = new Set(mark.running.map(({ id }) => id));
	const unseen = unseenOf(mark, jobs).reverse();
	const wanted = unseen.filter((job) => isWanted(job) && !waiting.has(job.id));
	const added = wanted.slice(0, Math.max(0, MOST_RUNNING - mark.running.length));
	const firstLeft = wanted[added.length];
	// Nothing newer than what was left is known: a look at the feed ends where all is known.
	const from = firstLeft === undefined ? 0 : jobs.indexOf(firstLeft) + 1;
	const seen = jobs.slice(from).map(({ id }) => id);
	return {
		...mark,
		begun: true,
		// The newest last: beyond the most that are kept, the oldest go.
		known: compareAddresses(mark.known, seen.reverse()).known,
		running: [...mark.running, ...added],
	};
}
