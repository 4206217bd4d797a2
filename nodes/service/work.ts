import type { ServiceClient } from './client';
import type { JobOutcome, JobSettings, JobTask } from './outcome';
import { PendingStart } from './start';
import type { StartQueue } from './starts';
import { JobWatch } from './watch';

/** One task in work: first a start on its way, then a job that is watched, then an outcome. */
export class JobInWork<T extends JobTask> {
	outcome: JobOutcome | undefined;

	private pending: PendingStart | undefined;

	private watch: JobWatch | undefined;

	private readonly starts: StartQueue | undefined;

	constructor(
		readonly task: T,
		private readonly settings: JobSettings<T>,
		private readonly client: ServiceClient,
		private readonly wake: () => void,
	) {
		this.starts = task.start && client.limits.starts(task.start.bucket);
		if (task.known) {
			this.starts?.joined();
			this.watch = this.watchJob(task.known.id, task.known.ageMs, true);
		} else {
			this.startJob();
		}
	}

	/** Monotonic time at which tick() has something to do, if nothing happens before. */
	get wakeMs(): number {
		return this.watch?.wakeMs ?? this.pending?.wakeMs ?? Infinity;
	}

	/** The start that is under way, if one is. */
	get sending(): Promise<void> | undefined {
		return this.pending?.sending;
	}

	/** Does what is due. Never throws. */
	tick(): void {
		if (this.outcome) return;
		this.pending?.tick();
		const { watch } = this;
		void watch?.tick()?.then(() => this.settle(watch));
	}

	/** Takes back a start that was not sent, stops watching. What runs at the service runs on. */
	abandon(): void {
		if (this.outcome) return;
		if (this.pending?.withdraw()) this.outcome = { kind: 'notStarted' };
		else if (this.watch) this.end(this.watch.abandon());
	}

	private startJob(): void {
		const { task, settings } = this;
		if (!task.start) return;
		this.pending = new PendingStart(task.start, task.maxWaitMs, task.watched, this.client, {
			accepted: (id) => {
				settings.events.onStarted(task, id);
				this.pending = undefined;
				if (task.watched) this.watch = this.watchJob(id, 0, false);
				else this.outcome = { kind: 'started', id };
				this.wake();
			},
			failed: (outcome) => {
				if (outcome.uncertain) settings.events.onUncertain(task);
				this.pending = undefined;
				this.outcome = outcome;
				this.wake();
			},
		});
	}

	private watchJob(id: string, ageMs: number, lookNow: boolean): JobWatch {
		const { kind } = this.settings;
		const { client } = this;
		const { maxWaitMs, interval, watched } = this.task;
		const once = !watched;
		return new JobWatch({ kind, id, ageMs, lookNow, once, maxWaitMs, interval, client });
	}

	private settle(watch: JobWatch): void {
		const { outcome } = watch;
		if (this.outcome || this.watch !== watch) return;
		if (outcome) this.end(outcome);
		this.wake();
	}

	private end(outcome: JobOutcome): void {
		const { task, starts } = this;
		this.watch = undefined;
		const gone = outcome.kind === 'error' && outcome.failure.notFound;
		if (outcome.kind === 'done' || outcome.kind === 'failed') starts?.ended(this.client.time.now());
		else starts?.left();
		if (gone && task.known && task.start) {
			// The job of an earlier try has expired: there is nothing left to attach to.
			this.settings.events.onGone(task, task.known.id);
			this.startJob();
		} else {
			this.outcome = outcome;
		}
	}
}
