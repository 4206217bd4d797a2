import type { ServiceFailure } from '../../../service/http/failure';
import { POLICIES } from '../../../service/http/retry';
import { orAborted, waitAtMost } from '../../../service/http/time';
import type { JsonObject } from '../../../service/http/transport';
import type { ServiceClient } from '../../../service/limits/client';
import type { Lane, Lease } from '../../../service/limits/limits';
import { cancelStopped, isCancelledOnStop } from './cancelOnStop';
import { readJobId, startFailureOf, underWay } from '../../../service/jobs/jobKinds';
import type { Evidence, JobOutcome, JobSettings, JobTask, KnownJob, LostTask } from '../../../service/jobs/jobTask';
import { sendPaid, startLane } from '../../../service/jobs/sendPaid';
import type { Paid } from '../../../service/jobs/sendPaid';
import { waitForJob } from '../../../service/jobs/wait';

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
	return await new JobRun(tasks, settings, client).run();
}

/** So long a stopped execution waits for starts that are under way, for the sake of their ids, in milliseconds. */
const SETTLE_AFTER_STOP_MS = 1000;

/** One task in work. */
interface Job<T extends JobTask> {
	readonly task: T;
	/** Where its start stands in line; undefined for a job that was started elsewhere. */
	readonly lane: Lane | undefined;
	/** The place that it holds, once it runs. */
	lease?: Lease;
	/** How the id of its job is known, where no answer gave it. */
	evidence?: Evidence | undefined;
	/** It was at work already, for whomever. */
	isJoined?: boolean;
	/** Settles when its start is over and told; undefined when none is on its way. */
	starting?: Promise<void> | undefined;
	/** Settles it. */
	started: () => void;
	outcome?: JobOutcome;
	/** Settles with the outcome; undefined where something unexpected was thrown. */
	ended: Promise<JobOutcome | undefined>;
}

class JobRun<T extends JobTask> {
	private readonly jobs: Array<Job<T>> = [];

	/** By their names. */
	private readonly lanes = new Map<string, Lane>();

	/** Aborted when nothing more is wanted of this run: no start is sent, no job watched. */
	private readonly over = new AbortController();

	/** The same, or the execution was stopped. */
	private readonly overOrStopped: AbortSignal;

	/** Jobs that are watched no longer count as started: that is all that is wanted. */
	private isLettingGo = false;

	/** What was thrown that is no word of the service's. */
	private crash: { error: unknown } | undefined;

	constructor(
		private readonly tasks: T[],
		private readonly settings: JobSettings<T>,
		private readonly client: ServiceClient,
	) {
		this.overOrStopped = AbortSignal.any([this.over.signal, client.stopSignal]);
	}

	async run(): Promise<JobOutcome[]> {
		const { settings, tasks, client } = this;
		const lanes = Math.min(settings.concurrency, tasks.length);
		const all: Promise<unknown> = Promise.all(Array.from({ length: lanes }, async () => await this.lane()));
		await orAborted(settings.startsOnly ? all.then(this.letGo) : all, this.overOrStopped);
		await this.windDown();
		if (this.crash) throw this.crash.error;
		// Stop may have ended every job that was left.
		client.throwIfStopped();
		return tasks.map((_task, index) => this.jobs[index]?.outcome ?? { kind: 'notStarted' });
	}

	/** Takes one task after the other. Where starts are all that is wanted, a job that runs holds none up. */
	private async lane(): Promise<void> {
		const { settings, tasks, jobs } = this;
		for (;;) {
			const task = tasks[jobs.length];
			if (!task || this.isOver || settings.beginsNoMore?.()) return;
			const job = this.begin(task);
			if (settings.startsOnly) while (job.starting && !this.isOver) await job.starting;
			else await job.ended;
		}
	}

	private begin(task: T): Job<T> {
		const lane = task.start && startLane(task.start);
		if (lane) this.lanes.set(lane.bucket, lane);
		const job: Job<T> = {
			task,
			lane,
			started: () => undefined,
			ended: Promise.resolve(undefined),
		};
		this.jobs.push(job);
		job.ended = this.bringToEnd(job)
			.then((outcome) => this.end(job, outcome))
			.catch((error: unknown) => {
				this.crash ??= { error };
				this.over.abort();
				return undefined;
			})
			.finally(() => job.started());
		return job;
	}

	/** What has ended is told at once. */
	private end(job: Job<T>, reached: JobOutcome): JobOutcome {
		const { settings } = this;
		const isLetGo = this.isLettingGo && reached.kind === 'left';
		const outcome: JobOutcome = isLetGo ? { kind: 'started', id: reached.id } : reached;
		job.outcome = outcome;
		if (this.isOver && !this.isLettingGo) return outcome;
		settings.events.onEnded?.(job.task, outcome);
		if (settings.stopsTheRun(outcome, job.task)) this.over.abort();
		return outcome;
	}

	/** One job: a start on its way, or one that is looked for, then a job that is watched, then an outcome. */
	private async bringToEnd(job: Job<T>): Promise<JobOutcome> {
		const { settings, client } = this;
		const { task } = job;
		const own = settings.started?.get(task);
		const known = own ?? task.known;
		if (!known) return await this.start(job, task.lost);
		if (!own) client.register.know(known.id, client.time.now());
		this.joins(job);
		const outcome = await this.watch(job, known, true);
		if (own || !task.start) return outcome;
		if (outcome.kind === 'error' && outcome.isGone) {
			// There is nothing left to take up.
			settings.events.onGone(task, known.id);
			const failure = settings.refusesStart?.(task);
			return failure ? { kind: 'error', failure, uncertain: false } : await this.start(job);
		}
		// Where only its start was wanted, that is the same whatever has become of it since.
		return task.watched ? outcome : { kind: 'started', id: known.id };
	}

	/** Starts a job and watches it. `lost`: it may have been started before, and is looked for first. */
	private async start(job: Job<T>, lost?: LostTask): Promise<JobOutcome> {
		job.starting = new Promise((resolve) => {
			job.started = () => {
				job.starting = undefined;
				resolve();
			};
		});
		const sent = await sendPaid(this.paid(job, lost), this.client);
		if (sent.how === 'unconfirmed') {
			const { failure, finding } = sent;
			return { kind: 'error', failure, uncertain: true, ...(finding && { finding }) };
		}
		if (sent.how === 'failed') {
			const { failure } = sent;
			const isUnwanted = failure.kind === 'aborted' && failure.reached === 'no';
			return isUnwanted ? { kind: 'notStarted' } : { kind: 'error', failure, uncertain: false };
		}
		const { how, id = '', ageMs, lease } = sent;
		job.isJoined = how === 'joined';
		if (how === 'options' || how === 'addressAndTime') job.evidence = how;
		if (!job.task.watched) {
			// Nobody will see it end.
			lease?.end('unwatched');
			return { kind: 'started', id };
		}
		if (lease) job.lease = lease;
		else this.joins(job);
		job.started();
		const known = { id, ageMs, ...(job.evidence && { evidence: job.evidence }) };
		return await this.watch(job, known, ageMs > 0);
	}

	/** The start of a job, as something that is sent once. */
	private paid({ task }: Job<T>, lost: LostTask | undefined): Paid {
		const { client, settings, overOrStopped: over } = this;
		const { start: request, kind, maxWaitMs: standstillMs } = task;
		if (!request) throw new Error('A task without a start has no job.');
		const { events, along, findLost } = settings;
		return {
			request,
			...(along && { sent: { ...request, body: { ...request.body, ...along } } }),
			lane: 'starts',
			over,
			sinceMs: client.time.now(),
			standstillMs,
			policy: POLICIES.start,
			// What Stop cuts off may still have been started: to cancel it, its id must be waited for.
			onStop: isCancelledOnStop(task) ? 'finish' : 'cut',
			idOf: ({ id }) => id,
			shownAs: { register: client.register, start: underWay(kind, request.body ?? {}) },
			readFailure: (failure) => startFailureOf(kind, failure),
			insteadOf: (refusal) => busyIdOf(task, refusal),
			isLost: ({ reached }) => reached === 'maybe',
			journal: {
				sending: () => events.onSending(task),
				refused: () => events.onRefused?.(task),
				started: (id = '', answer, how) => {
					if (how === 'joined') events.onJoined?.(task, id);
					else if (how !== 'answered') events.onFound?.(task, id, how);
					events.onStarted(task, id, answer);
				},
				lost: () => events.onUncertain(task),
				repeated: () => events.onStartedAgain?.(task),
			},
			lost,
			find: findLost && (async (loss) => await findLost({ kind, start: request, ...loss })),
			ifProven: !task.known && task.lost?.startsWhenMissing === true,
			onceMore: task.startsAgain === true,
			mayRepeat: () => settings.refusesStart?.(task) === undefined,
		};
	}

	/** It runs already, and takes a place. */
	private joins(job: Job<T>): void {
		if (job.lane) job.lease = this.client.limits.join(job.lane);
	}

	/** Its place is counted already; without a lane it has none. */
	private async watch(job: Job<T>, known: KnownJob, pollNow: boolean): Promise<JobOutcome> {
		const { client } = this;
		const { kind, maxWaitMs, interval, watched, start } = job.task;
		job.evidence ??= known.evidence;
		const unwatch = client.limits.watch();
		let hasEnded = false;
		try {
			const isStarted = start !== undefined || client.register.isStarted(known.id);
			const { mayLook } = this;
			const onChecked = (body: JsonObject) => this.settings.events.onChecked?.(job.task, body);
			const how = { kind, maxWaitMs, interval, pollNow, once: !watched, isStarted, mayLook, onChecked };
			const outcome = await waitForJob({ ...known, ...how }, client, this.overOrStopped);
			hasEnded = outcome.kind === 'done' || outcome.kind === 'failed';
			return outcome;
		} finally {
			unwatch();
			job.lease?.end(hasEnded ? 'ended' : 'unwatched');
		}
	}

	/** Where starts are all that is wanted, jobs are checked only to make room for those that the plan holds up. */
	private readonly mayLook = (): boolean =>
		this.settings.startsOnly !== true || [...this.lanes.values()].some((lane) => this.client.limits.isHeldUp(lane));

	/** True for a job that belongs to this execution and goes with it. */
	private cancelsOnStop({ task, evidence, isJoined = false }: Omit<Job<T>, 'lane'>): boolean {
		return evidence !== 'addressAndTime' && !isJoined && isCancelledOnStop(task);
	}

	private get isOver(): boolean {
		return this.overOrStopped.aborted;
	}

	/** Watches no job any longer, once all starts are over. A stopped execution lets none go: some are to be cancelled. */
	private readonly letGo = async (): Promise<void> => {
		// A job that is gone is started again.
		while (!this.isOver && this.jobs.some(({ starting }) => starting)) {
			await Promise.all(this.jobs.map(async ({ starting }) => await starting));
		}
		if (this.isOver) return;
		this.isLettingGo = true;
		this.over.abort();
		await Promise.all(this.jobs.map(async ({ ended }) => await ended));
	};

	/**
	 * Ends what is left. A start under way is waited for, since its answer holds an id that must not be
	 * lost; when the execution was stopped n8n has cut its connection, and it settles at once.
	 */
	private async windDown(): Promise<void> {
		const { client, jobs } = this;
		this.over.abort();
		const settled = async (some: Array<Job<T>>) => await Promise.all(some.map(async ({ ended }) => await ended));
		if (!client.stopped) {
			await settled(jobs);
			return;
		}
		const open = jobs.filter(({ outcome }) => !outcome || outcome.kind === 'left');
		const others = open.filter((job) => !this.cancelsOnStop(job));
		// Only its answer tells of a start that it is another's job.
		const toCancel = open
			.filter((job) => this.cancelsOnStop(job))
			.map((job) => {
				const ended = job.ended.then((outcome) => (this.cancelsOnStop(job) ? outcome : undefined));
				return { task: job.task, ended };
			});
		await Promise.all([
			waitAtMost(client.time, SETTLE_AFTER_STOP_MS, settled(others)),
			cancelStopped([...toCancel, ...this.notBegun()], this.settings, client),
		]);
	}

	/** What earlier tries have started and this one has not begun: Stop concerns it, too. */
	private notBegun(): Array<Pick<Job<T>, 'task' | 'ended'>> {
		return this.tasks.slice(this.jobs.length).flatMap((task) => {
			const known = this.settings.started?.get(task) ?? task.known;
			if (!known || known.evidence === 'addressAndTime' || !isCancelledOnStop(task)) return [];
			const left: JobOutcome = { kind: 'left', id: known.id, state: 'unknown' };
			return [{ task, ended: Promise.resolve(left) }];
		});
	}
}

/** The id of a job at work that is as good, where the start was refused for it. */
function busyIdOf({ kind }: JobTask, { httpCode, answer }: ServiceFailure): string | undefined {
	const { busyId } = kind;
	return httpCode === 409 && busyId !== undefined ? readJobId(answer?.[busyId]) : undefined;
}
