import type { ServiceClient } from '../limits/client';
import type { JobOutcome, JobSettings, JobTask } from './jobTask';
import { PendingStart } from './pendingStart';
import type { StartCallbacks } from './pendingStart';
import type { StartQueue } from '../limits/startQueue';
import { asFailure } from '../http/failure';
import type { ServiceRequest } from '../http/transport';
import { JobWatch } from './jobWatch';

/** One task in work: first a start on its way, then a job that is watched, then an outcome. */
export class JobInWork<T extends JobTask> {
	outcome: JobOutcome | undefined;

	private pending: PendingStart | undefined;

	private watch: JobWatch | undefined;

	private abandoned = false;

	/** True while it is about the job of an earlier try. */
	private attached = false;

	private readonly starts: StartQueue | undefined;

	constructor(
		readonly task: T,
		private readonly settings: JobSettings<T>,
		private readonly client: ServiceClient,
		private readonly wake: () => void,
	) {
		this.starts = task.start && client.limits.starts(task.start.bucket);
		if (task.known) {
			this.attached = true;
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

	/** True for a job that belongs to this execution and goes with it. */
	get cancelsOnStop(): boolean {
		const { cancelOnStop = false, start } = this.task;
		return cancelOnStop && start !== undefined && this.settings.kind.cancellable;
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
		this.abandoned = true;
		if (this.pending?.withdraw()) this.outcome = { kind: 'notStarted' };
		else if (this.watch) this.end(this.watch.abandon());
	}

	/** Lets the next start go, for which this one's end made room. */
	passOn(): void {
		this.starts?.pump(this.client.time.now());
	}

	private startJob(): void {
		const { task, settings } = this;
		if (!task.start) return;
		const callbacks: StartCallbacks = {
			accepted: (id, answer) => {
				settings.events.onStarted(task, id, answer);
				this.pending = undefined;
				if (!task.watched) this.outcome = { kind: 'started', id };
				else if (this.abandoned) this.outcome = { kind: 'left', id, state: 'unknown' };
				else this.watch = this.watchJob(id, 0, false);
				this.wake();
				return this.watch !== undefined;
			},
			failed: (outcome) => {
				if (outcome.uncertain) settings.events.onUncertain(task);
				this.pending = undefined;
				this.outcome = outcome;
				this.wake();
			},
		};
		const { start, maxWaitMs } = task;
		// What Stop cuts off may still have been started: to cancel it, its id must be waited for.
		const sendOnce = async (request: ServiceRequest) => {
			settings.events.onSending(task);
			const { client } = this;
			const sent = this.cancelsOnStop ? client.sendThroughStop(request) : client.send(request);
			return await sent.catch((error: unknown) => {
				if (asFailure(error).reached === 'no') settings.events.onRefused?.(task);
				throw error;
			});
		};
		this.pending = new PendingStart(start, maxWaitMs, this.client, callbacks, sendOnce);
	}

	private watchJob(id: string, ageMs: number, pollNow: boolean): JobWatch {
		const { kind } = this.settings;
		const { client } = this;
		client.limits.progress.watchBegan();
		const { maxWaitMs, interval, watched, start } = this.task;
		const once = !watched;
		const confirmsGone = start !== undefined;
		const when = { ageMs, pollNow, once, confirmsGone, maxWaitMs, interval };
		return new JobWatch({ kind, id, client, ...when });
	}

	private settle(watch: JobWatch): void {
		const { outcome } = watch;
		if (this.outcome || this.watch !== watch) return;
		if (outcome) this.end(outcome);
		this.wake();
	}

	private end(outcome: JobOutcome): void {
		const { task, starts, attached } = this;
		const now = this.client.time.now();
		this.watch = undefined;
		this.client.limits.progress.watchEnded(now);
		this.attached = false;
		const gone = attached && outcome.kind === 'error' && outcome.failure.notFound;
		if (outcome.kind === 'done' || outcome.kind === 'failed') starts?.ended(now);
		else starts?.left();
		if (gone && task.known && task.start) {
			// The job of an earlier try has expired: there is nothing left to attach to.
			this.settings.events.onGone(task, task.known.id);
			this.startJob();
		} else if (attached && task.known && task.start && !task.watched) {
			// Only its start was wanted, and that is the same whatever has become of it since.
			this.outcome = { kind: 'started', id: task.known.id };
		} else {
			this.outcome = outcome;
		}
	}
}
