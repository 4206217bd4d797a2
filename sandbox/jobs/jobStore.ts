import type { Random } from '../runtime/runtime.ts';

/** What a store asks of a job; `finished` is set when it has ended. */
interface StoredJob {
	id: string;
	startedAtMs: number;
	finished?: { atMs: number };
}

interface JobStoreSetup<Job extends StoredJob> {
	/** A running job has come to a moment that was set for it. */
	onDue(job: Job, atMs: number): void;
	/** Told of each job once, when it has ended. */
	onFinished(job: Job): void;
	/** How long a job that has ended is still known. */
	lifetimeMs(job: Job): number;
	/** How far what is found is behind what is, in milliseconds; asked each time. */
	lagMs(): number;
}

/** Keeps jobs that run, and those that have ended, by a clock that a test may move: nothing happens but when it is checked. */
export function jobStore<Job extends StoredJob>(setup: JobStoreSetup<Job>) {
	const running = new Map<string, Job>();
	const ended = new Map<string, Job>();
	const due = dueQueue<Job>();
	const expiries = dueQueue<Job>();

	const isRunning = (job: Job): boolean => running.get(job.id) === job;

	/** Does what is due by now, and forgets what has expired. */
	const settle = (nowMs: number): void => {
		for (let next = due.takeDue(nowMs); next; next = due.takeDue(nowMs)) {
			if (isRunning(next.entry)) setup.onDue(next.entry, next.dueAtMs);
		}
		for (let next = expiries.takeDue(nowMs); next; next = expiries.takeDue(nowMs)) {
			if (ended.get(next.entry.id) === next.entry) ended.delete(next.entry.id);
		}
	};

	return {
		add: (job: Job) => void running.set(job.id, job),
		/** Calls onDue then, if the job still runs. */
		setDue: (job: Job, atMs: number) => due.add(atMs, job),
		isRunning,
		/** Ends a running job; does nothing to one that has ended. */
		finish(job: Job, finished: NonNullable<Job['finished']>) {
			if (!running.delete(job.id)) return;
			job.finished = finished;
			ended.set(job.id, job);
			expiries.add(finished.atMs + setup.lifetimeMs(job), job);
			setup.onFinished(job);
		},
		settle,
		/** The running ones in the order of their starts. */
		running(nowMs: number) {
			settle(nowMs);
			return [...running.values()];
		},
		countRunning(nowMs: number) {
			settle(nowMs);
			return running.size;
		},
		/** As of so long ago: undefined for an id that is unknown or has expired. */
		find(id: string, nowMs: number) {
			settle(nowMs);
			const job = running.get(id) ?? ended.get(id);
			return job && asOf(job, nowMs - setup.lagMs());
		},
		/** A job that runs, whatever the clock says. */
		findRunning: (id: string) => running.get(id),
		/** Nobody knows the id any more. */
		vanish(id: string) {
			running.delete(id);
			ended.delete(id);
		},
		clear() {
			running.clear();
			ended.clear();
			due.clear();
			expiries.clear();
		},
	};
}

/** The job as it was: it had not been started, or not ended. What it has done by now is shown all the same. */
function asOf<Job extends StoredJob>(job: Job, knownMs: number): Job | undefined {
	if (job.startedAtMs > knownMs) return undefined;
	if (!job.finished || job.finished.atMs <= knownMs) return job;
	const earlier = { ...job };
	delete earlier.finished;
	return earlier;
}

/** Entries sorted by the moment they are due: most are due after all that are there already. */
function dueQueue<Entry>() {
	const entries: Array<{ dueAtMs: number; entry: Entry }> = [];
	return {
		add(dueAtMs: number, entry: Entry) {
			const at = entries.findLastIndex((one) => one.dueAtMs <= dueAtMs) + 1;
			entries.splice(at, 0, { dueAtMs, entry });
		},
		/** Takes out and returns the earliest entry that is due by now, if there is one. */
		takeDue: (nowMs: number) => ((entries[0]?.dueAtMs ?? Infinity) <= nowMs ? entries.shift() : undefined),
		clear: () => void entries.splice(0),
	};
}

/** A fixed duration in milliseconds, or one for each job. Taken as it is: `speed` does not divide it. */
export type JobDuration = number | ((start: { query: string; index: number }) => number);

const SHORTEST_SECONDS = 5;
const DURATION_MARKER = /\[lasts:(\d+(?:\.\d+)?)\]/;

/**
 * How long a job lasts, in milliseconds: what its query asks for with [lasts:SECONDS],
 * else what the sandbox is told, else a seeded share (0.2 to 0.6) of its time limit (in seconds).
 */
export function jobDurationMs(
	request: { query: string; timeLimit: number },
	index: number,
	setup: { speed: number; random: Random; jobDuration?: JobDuration | undefined },
): number {
	const asked = DURATION_MARKER.exec(request.query)?.[1];
	if (asked !== undefined) return (Number(asked) * 1000) / setup.speed;
	if (typeof setup.jobDuration === 'number') return setup.jobDuration;
	if (setup.jobDuration) return setup.jobDuration({ query: request.query, index });
	const share = 0.2 + 0.4 * setup.random();
	return (Math.max(SHORTEST_SECONDS, share * request.timeLimit) * 1000) / setup.speed;
}

/** A queue that may grow while it is worked through. */
interface WorkQueue<Item> {
	take(): Item | undefined;
}

/**
 * Works through the queue, so many at once. An item's work may add items; the end is reached when the
 * queue is empty and nothing is under way. Rejects as soon as one work rejects.
 */
export async function inParallel<Item>(
	queue: WorkQueue<Item>,
	most: number,
	work: (item: Item) => Promise<void>,
): Promise<void> {
	const underWay = new Set<Promise<void>>();
	for (;;) {
		for (let item = takeIf(underWay.size < most, queue); item !== undefined;) {
			const one: Promise<void> = work(item).finally(() => underWay.delete(one));
			underWay.add(one);
			item = takeIf(underWay.size < most, queue);
		}
		if (underWay.size === 0) return;
		await Promise.race(underWay);
	}
}

function takeIf<Item>(mayTake: boolean, queue: WorkQueue<Item>): Item | undefined {
	return mayTake ? queue.take() : undefined;
}
