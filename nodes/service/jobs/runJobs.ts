import { ServiceFailure, failureOrThrow } from '../http/failure';
import { orAborted, waitAtMost } from '../http/time';
import type { JsonObject, ServiceRequest } from '../http/transport';
import type { ServiceClient } from '../limits/client';
import type { Lane, Lease } from '../limits/limits';
import { cancelStopped, isCancelledOnStop } from './cancelOnStop';
import { readJobId, startFailureOf, underWay } from './jobKinds';
import type { Evidence, JobOutcome, JobSettings, JobTask, KnownJob, LostStart, LostStartFinding } from './jobTask';
import { sendStart, startLane } from './start';
import { waitForJob } from './wait';

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

type StartError = Extract<JobOutcome, { kind: 'error' }>;

/** One task in work. */
interface Job<T extends JobTask> {
	readonly task: T;
	/** Where its start stands in line; undefined for a job that was started elsewhere. */
	readonly lane: Lane | undefined;
	/** The place that it holds, once it runs. */
	lease?: Lease;
	/** When its start was sent, the latest time, monotonic. */
	sentMs: number;
	/** Tells other searches that the end of its start is known, or that its job is looked for. */
	arrived: () => void;
	/** How the id of its job is known, where no answer gave it. */
	evidence?: Evidence | undefined;
	/** The job that was at work already, where one was. */
	joinedId?: string | undefined;
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
			sentMs: 0,
			arrived: () => undefined,
			started: () => undefined,
			ended: Promise.resolve(undefined),
		};
		this.jobs.push(job);
		job.ended = this.bringToEnd(job)
			.then((outcome) => this.end(job, outcome))
			.catch((error: unknown) => {
				this.crash ??= { error };
				job.arrived();
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
		if (!known) return await this.start(job, task.lost && this.lostBefore(task.lost));
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
	private async start(job: Job<T>, lost?: Lost): Promise<JobOutcome> {
		job.starting = new Promise((resolve) => {
			job.started = () => {
				job.starting = undefined;
				resolve();
			};
		});
		const started = await this.bringToStart(job, lost);
		if (!('known' in started)) return started;
		const { known, pollNow } = started;
		if (!job.task.watched) return { kind: 'started', id: known.id };
		job.started();
		return await this.watch(job, known, pollNow);
	}

	private async bringToStart(
		job: Job<T>,
		before: Lost | undefined,
	): Promise<JobOutcome | { known: KnownJob; pollNow: boolean }> {
		const { settings, client } = this;
		const { task } = job;
		const { events } = settings;
		let lost = before;
		let mayStartAgain = task.startsAgain === true || (!task.known && task.lost?.startsWhenMissing === true);
		for (;;) {
			if (!lost) {
				const started = await this.send(job);
				if (!(started instanceof ServiceFailure)) return { known: started, pollNow: false };
				if (started.kind === 'aborted' && started.reached === 'no') return { kind: 'notStarted' };
				const outcome: StartError = {
					kind: 'error',
					failure: started,
					uncertain: started.reached === 'maybe',
				};
				if (!outcome.uncertain) return outcome;
				events.onUncertain(task);
				const isSearched = (settings.findLost !== undefined || mayStartAgain) && !this.isOver;
				if (!isSearched) {
					job.arrived();
					return outcome;
				}
				const { sentMs } = job;
				lost = { outcome, loss: { sentMs, lostMs: client.time.now(), isFresh: true } };
			}
			const search = this.find(job, lost.loss);
			// From now on it is one of those that are looked for.
			job.arrived();
			const finding = await search;
			if (finding.kind === 'found') {
				const { id, ageMs, evidence } = finding;
				job.evidence = evidence;
				events.onFound?.(task, id, evidence);
				events.onStarted(task, id, { success: true, id });
				if (task.watched) this.joins(job);
				return { known: { id, ageMs, evidence }, pollNow: ageMs > 0 };
			}
			const isAgain = !this.isOver && mayStartAgain && this.startsAgain(task, finding);
			if (!isAgain) return { ...lost.outcome, finding };
			mayStartAgain = false;
			lost = undefined;
		}
	}

	/** Sends the start, so that the others of the credential know of it while it is on its way. */
	private async send(job: Job<T>): Promise<KnownJob | ServiceFailure> {
		const { client } = this;
		const { task } = job;
		const { start: request, maxWaitMs, watched } = task;
		if (!request) throw new Error('A task without a start has no job.');
		const sendOnce = async () => await this.sendOnce(job, request);
		const onStarted = (id: string, answer: JsonObject) => {
			job.arrived();
			this.settings.events.onStarted(task, id, answer);
		};
		const over = this.overOrStopped;
		const started = await sendStart({ request, maxWaitMs, over, sendOnce, onStarted }, client);
		if (started instanceof ServiceFailure) return started;
		const { id, lease } = started;
		if (watched) job.lease = lease;
		// Nobody will see it end.
		else lease.end('unwatched');
		return { id, ageMs: 0 };
	}

	/** It runs already, and takes a place. */
	private joins(job: Job<T>): void {
		if (job.lane) job.lease = this.client.limits.join(job.lane);
	}

	private async sendOnce(job: Job<T>, request: ServiceRequest): Promise<JsonObject> {
		const { client } = this;
		const { events, along } = this.settings;
		const { task } = job;
		const { register } = client;
		events.onSending(task);
		job.sentMs = client.time.now();
		job.joinedId = undefined;
		job.arrived = register.begin(underWay(task.kind, request.body ?? {}));
		const sent = along ? { ...request, body: { ...request.body, ...along } } : request;
		// What Stop cuts off may still have been started: to cancel it, its id must be waited for.
		const answer = this.cancelsOnStop(job) ? client.sendThroughStop(sent) : client.send(sent);
		const body = await answer.catch((error: unknown) => {
			const failure = startFailureOf(task.kind, failureOrThrow(error));
			const busyId = busyIdOf(task, failure);
			if (busyId !== undefined) {
				job.joinedId = busyId;
				events.onJoined?.(task, busyId);
				return { success: true, id: busyId } satisfies JsonObject;
			}
			// Where it may have arrived, it counts as on its way until somebody looks for it.
			if (failure.reached === 'no') {
				job.arrived();
				events.onRefused?.(task);
			}
			throw failure;
		});
		const id = readJobId(body.id);
		if (id !== undefined) register.startedAs(id, client.time.now());
		return body;
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

	/** What the service's lists say of a start. */
	private async find(
		{ task: { kind, start } }: Job<T>,
		loss: Pick<LostStart, 'sentMs' | 'lostMs' | 'isFresh'>,
	): Promise<LostStartFinding> {
		const { findLost } = this.settings;
		if (!start || !findLost) return { kind: 'unknown' };
		return await findLost({ kind, start, ...loss });
	}

	/** A start of an earlier try. */
	private lostBefore({ sinceMs, lostAt, failure }: NonNullable<JobTask['lost']>): Lost {
		const { time } = this.client;
		const monotonic = (atMs: number) => time.now() - (time.wallClock() - atMs);
		return {
			outcome: { kind: 'error', failure, uncertain: true },
			loss: {
				sentMs: monotonic(sinceMs),
				lostMs: Math.min(time.now(), monotonic(lostAt)),
				isFresh: false,
			},
		};
	}

	/** True when a start that was not found is sent (again). */
	private startsAgain(task: T, finding: LostStartFinding): boolean {
		const { settings } = this;
		// One of those that are listed may be its own.
		if (finding.kind === 'several') return false;
		const isMissing = finding.kind === 'none' && finding.isProof;
		if (isMissing && task.lost?.startsWhenMissing) return true;
		if (!task.startsAgain || settings.refusesStart?.(task)) return false;
		settings.events.onStartedAgain?.(task);
		return true;
	}

	/** True for a job that belongs to this execution and goes with it. */
	private cancelsOnStop({ task, evidence, joinedId }: Omit<Job<T>, 'lane'>): boolean {
		return evidence !== 'addressAndTime' && joinedId === undefined && isCancelledOnStop(task);
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
		const toCancel = open.filter((job) => this.cancelsOnStop(job));
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

/** A start whose end is not known: when it was sent and lost, and how it ends where it is not found. */
interface Lost {
	outcome: StartError;
	loss: Pick<LostStart, 'sentMs' | 'lostMs' | 'isFresh'>;
}

/** The id of a job at work that is as good, where the start was refused for it. */
function busyIdOf({ kind }: JobTask, { httpCode, answer }: ServiceFailure): string | undefined {
	const { busyId } = kind;
	return httpCode === 409 && busyId !== undefined ? readJobId(answer?.[busyId]) : undefined;
}
