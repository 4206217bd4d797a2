import { MAX_SLEEP_MS, sleepPiece, waitAtMost } from '../http/time';
import type { ServiceClient } from '../limits/client';
import type { JobOutcome, JobSettings, JobTask } from './jobTask';
import { cancelStopped } from './cancelOnStop';
import { JobRunner } from './jobRunner';

/**
 * Brings many jobs to their end side by side: starts them as the plan's limits allow, checks them on
 * schedule. Resolves with one outcome per task, in task order. After an outcome that stops the run, the
 * rest is not started (`notStarted`) or no longer watched (`left`).
 * Throws a ServiceFailure of kind `aborted` when the execution was stopped, and what is thrown that is no
 * ServiceFailure; never because of a job.
 */
export async function runJobs<T extends JobTask>(
	tasks: T[],
	settings: JobSettings<T>,
	client: ServiceClient,
): Promise<JobOutcome[]> {
	return await new JobLoop(tasks, settings, client).run();
}

class JobLoop<T extends JobTask> {
	private readonly jobs: Array<JobRunner<T>> = [];

	/** Those of `jobs` without an outcome. */
	private open: Array<JobRunner<T>> = [];

	/** Aborted when something has happened. */
	private happened = new AbortController();

	constructor(
		private readonly tasks: T[],
		private readonly settings: JobSettings<T>,
		private readonly client: ServiceClient,
	) {}

	async run(): Promise<JobOutcome[]> {
		try {
			while (!this.sweep()) {
				this.client.throwIfStopped();
				this.beginMore();
				for (const job of this.attended) job.tick();
				await this.nextEvent();
			}
			// Stop may have ended every job that was left.
			this.client.throwIfStopped();
		} finally {
			await this.windDown();
		}
		throwIfCrashed(this.jobs);
		return this.tasks.map((_task, index) => this.jobs[index]?.outcome ?? { kind: 'notStarted' });
	}

	/** Sorts out what has ended. Returns whether there is nothing left to do. */
	private sweep(): boolean {
		throwIfCrashed(this.open);
		// A stopped execution lets none go: some are to be cancelled.
		const isOver = this.settings.startsOnly && !this.isStarting && !this.client.stopped;
		if (isOver) for (const job of this.open) job.letGo();
		const ended = this.open.filter((job) => job.outcome);
		this.open = this.open.filter((job) => !job.outcome);
		for (const { outcome, task } of ended) {
			if (outcome) this.settings.events.onEnded?.(task, outcome);
		}
		const isStopping = ended.some(
			({ outcome, task }) => outcome && this.settings.stopsTheRun(outcome, task),
		);
		// Only now, so that the end of a job that stops the run starts no other one.
		if (!isStopping) for (const job of ended) job.passOn();
		return isStopping || (this.open.length === 0 && !this.hasMore);
	}

	/** Those of `open` whose start is not over. */
	private get starting(): Array<JobRunner<T>> {
		return this.open.filter((job) => !job.isWatched);
	}

	/** True while there is something left to begin. */
	private get hasMore(): boolean {
		return this.jobs.length < this.tasks.length && this.settings.beginsNoMore?.() !== true;
	}

	/** True while there is something left to start. */
	private get isStarting(): boolean {
		return this.hasMore || this.starting.length > 0;
	}

	/** Those with something to do: where starts are all that is wanted, jobs are checked only to make room. */
	private get attended(): Array<JobRunner<T>> {
		const { open, settings } = this;
		if (!settings.startsOnly || open.some((job) => job.isHeldUp)) return open;
		return this.starting;
	}

	/** How many count as in work: where starts are all that is wanted, a job that runs does not. */
	private get inWork(): number {
		return (this.settings.startsOnly ? this.starting : this.open).length;
	}

	private beginMore(): void {
		while (this.hasMore && this.inWork < this.settings.concurrency) {
			const task = this.tasks[this.jobs.length];
			if (!task) return;
			const job = new JobRunner(task, this.settings, this.client, () => this.wake());
			this.jobs.push(job);
			this.open.push(job);
		}
	}

	/** Takes up what earlier tries have started and this one has not begun: Stop concerns it, too. */
	private takeUpStarted(): void {
		const { tasks, jobs, settings, client } = this;
		for (const task of tasks.slice(jobs.length)) {
			if (!task.known && !settings.started?.has(task)) continue;
			this.open.push(new JobRunner(task, settings, client, () => this.wake()));
		}
	}

	private wake(): void {
		this.happened.abort();
	}

	/** Sleeps until something happens or is due, never longer than a piece. */
	private async nextEvent(): Promise<void> {
		const { time } = this.client;
		if (!this.happened.signal.aborted) {
			const dueMs = Math.min(...this.attended.map((job) => job.wakeMs)) - time.now();
			await sleepPiece(time, dueMs, this.happened.signal);
		}
		if (this.happened.signal.aborted) this.happened = new AbortController();
	}

	/**
	 * Ends what is left. A start under way is waited for, since its answer holds an id that must not be
	 * lost; when the execution was stopped n8n has cut its connection, and it settles at once.
	 */
	private async windDown(): Promise<void> {
		if (this.client.stopped) this.takeUpStarted();
		const { open } = this;
		for (const job of open) job.abandon();
		if (!this.client.stopped) {
			await Promise.allSettled(open.map((job) => job.sending));
		} else {
			const toCancel = open.filter((job) => job.cancelsOnStop);
			const others = open.filter((job) => !job.cancelsOnStop);
			const settled = Promise.allSettled(others.map((job) => job.sending));
			await Promise.all([
				waitAtMost(this.client.time, MAX_SLEEP_MS, settled),
				cancelStopped(toCancel, this.settings, this.client),
			]);
		}
	}
}

/** An error that is no word of the service's ends the run, when what is on its way has been waited for. */
function throwIfCrashed(jobs: Array<{ readonly crash: { error: unknown } | undefined }>): void {
	const crashed = jobs.find(({ crash }) => crash);
	if (crashed?.crash) throw crashed.crash.error;
}
