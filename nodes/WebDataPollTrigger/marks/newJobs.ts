/** A job of the service's feed. */
export interface FeedJob {
	id: string;
	/** Kind of job in the feed's words: `crawl`. */
	endpoint: string;
	/** What it was started with: an address or a question; empty where the feed tells none. */
	target: string;
	/** ISO 8601; texts of one form, so they sort as times do. */
	startedAt: string;
}

/** Where the last look at the feed ended. */
export interface FeedMark {
	/** Start of the newest job that was seen; empty when there was none. */
	newest: string;
	/** Those that were started at that very moment and were seen. */
	atNewest: string[];
	/** Started, and not ended when they were last looked at. */
	running: FeedJob[];
}

/** Most jobs that are waited for at once; the oldest go. A look at each costs nothing but a request. */
export const MOST_RUNNING = 500;

/** The feed's mark after these jobs; `running` gains those that no earlier look has seen. */
export function withNewJobs(mark: FeedMark, jobs: readonly FeedJob[]): FeedMark {
	const unseen = jobs.filter(
		({ id, startedAt }) =>
			startedAt > mark.newest || (startedAt === mark.newest && !mark.atNewest.includes(id)),
	);
	const newest = unseen.reduce(
		(latest, { startedAt }) => (startedAt > latest ? startedAt : latest),
		mark.newest,
	);
	const atNewest = unseen.filter(({ startedAt }) => startedAt === newest).map(({ id }) => id);
	const known = new Set(mark.running.map(({ id }) => id));
	const added = unseen
		.filter(({ id }) => !known.has(id))
		.sort((left, right) => (left.startedAt < right.startedAt ? -1 : 1));
	return {
		newest,
		atNewest: newest === mark.newest ? [...mark.atNewest, ...atNewest] : atNewest,
		running: [...mark.running, ...added].slice(-MOST_RUNNING),
	};
}

/** True when all jobs older than the last of this part of the feed, newest first, were seen before. */
export function reachesBack(mark: FeedMark, part: readonly FeedJob[]): boolean {
	const last = part.at(-1);
	return last === undefined || last.startedAt < mark.newest;
}
