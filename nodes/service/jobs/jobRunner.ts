import { failureOrThrow } from '../http/failure';
import type { ServiceFailure } from '../http/failure';
import type { JsonObject, ServiceRequest } from '../http/transport';
import type { ServiceClient } from '../limits/client';
import type { Gate } from '../limits/gate';
import { isCancelledOnStop } from './cancelOnStop';
import { readJobId, startFailureOf, underWay } from './jobKinds';
import { JobPoller } from './jobPoller';
import type {
	Evidence,
	JobOutcome,
	JobSettings,
	JobTask,
	KnownJob,
	LostStart,
	LostStartFinding,
} from './jobTask';
import { QueuedStart } from './queuedStart';
import type { StartCallbacks } from './queuedStart';

type StartError = Extract<JobOutcome, { kind: 'error' }>;

/**
 * One task in work: first a start on its way, or one that is looked for, then a job that is watched, then
 * an outcome.
 */
export class JobRunner<T extends JobTask> {
	outcome: JobOutcome | undefined;

	/** What was thrown about it that is no word of the service's: it ends the run. */
	crash: { error: unknown } | undefined;

	private pending: QueuedStart | undefined;

	private watch: JobPoller | undefined;

	private abandoned = false;

	/** The job of an earlier try, while it is about that. */
	private attachedId: string | undefined;

	/** How the id of its job is known, where no answer gave it. */
	private evidence: Evidence | undefined;

	private readonly starts: Gate | undefined;

	/** Settles when it is known what the service's lists say about a start with an unclear end. */
	private search: Promise<void> | undefined;

	private readonly sent: StartRequest<T>;

	private readonly lost: StartRecovery<T>;

	constructor(
		readonly task: T,
		private readonly settings: JobSettings<T>,
		private readonly client: ServiceClient,
		private readonly wake: () => void,
	) {
		const { limits, time } = client;
		this.starts = task.start && limits.starts(task.start.bucket);
		this.sent = new StartRequest(task, settings, client);
		this.lost = new StartRecovery(task, settings);
		const own = settings.started?.get(task);
		if (own) {
			this.starts?.joined();
			this.watch = this.watchJob(own, true);
		} else if (task.known) {
			this.attachedId = task.known.id;
			limits.register.know(task.known.id, time.now());
			this.starts?.joined();
			this.watch = this.watchJob(task.known, true);
		} else if (task.lost) {
			const { sinceMs, lostAt, failure } = task.lost;
			this.sent.sentMs = this.monotonic(sinceMs);
			const lostMs = Math.min(time.now(), this.monotonic(lostAt));
			const notFound: StartError = { kind: 'error', failure, uncertain: true };
			this.search = this.lookFor(notFound, { lostMs, isFresh: false }).catch(this.crashed);
		} else {
			this.startJob();
		}
	}

	/** Monotonic time at which tick() has something to do, if nothing happens before. */
	get wakeMs(): number {
		return this.watch?.wakeMs ?? this.pending?.wakeMs ?? Infinity;
	}

	/** The start that is under way or looked for, if one is. */
	get sending(): Promise<void> | undefined {
		return this.pending?.sending?.then(() => this.search) ?? this.search;
	}

	/** True for a job that belongs to this execution and goes with it. */
	get cancelsOnStop(): boolean {
		const isProven = this.evidence !== 'addressAndTime';
		return isProven && isCancelledOnStop(this.task) && this.sent.joinedId === undefined;
	}

	/** Does what is due. Never throws. */
	tick(): void {
		if (this.outcome) return;
		this.pending?.tick();
		const { watch } = this;
		void watch
			?.tick()
			?.then(() => this.settle(watch))
			.catch(this.crashed);
	}

	/** Takes back a start that was not sent, stops watching. What runs at the service runs on. */
	abandon(): void {
		if (this.outcome) return;
		this.abandoned = true;
		if (this.pending?.withdraw()) this.outcome = { kind: 'notStarted' };
		else if (this.watch) this.end(this.watch.abandon());
	}

	/** True while it is watched: its start is over. */
	get isWatched(): boolean {
		return this.watch !== undefined;
	}

	/** True while starts of its kind wait for room. */
	get isHeldUp(): boolean {
		return this.starts?.holdsUp === true;
	}

	/** Watches it no longer: that it was started is all that is wanted. */
	letGo(): void {
		const { watch } = this;
		if (!watch) return;
		const left = watch.abandon();
		this.end(left.kind === 'left' ? { kind: 'started', id: left.id } : left);
	}

	/** Lets the next start go, for which this one's end made room. */
	passOn(): void {
		this.starts?.pump(this.client.time.now());
	}

	private readonly crashed = (error: unknown): void => {
		this.crash ??= { error };
		this.wake();
	};

	private startJob(): void {
		const { task } = this;
		if (!task.start) return;
		const callbacks: StartCallbacks = {
			accepted: (id, answer) => {
				this.sent.arrived();
				return this.began(id, answer, 0);
			},
			failed: (outcome) => {
				this.pending = undefined;
				if (outcome.uncertain) this.lostTrack(outcome);
				else this.outcome = outcome;
				this.sent.arrived();
				this.wake();
			},
			crashed: (error) => {
				this.pending = undefined;
				this.sent.arrived();
				this.crashed(error);
			},
		};
		const { start, maxWaitMs } = task;
		// What Stop cuts off may still have been started: to cancel it, its id must be waited for.
		const sendOnce = async (request: ServiceRequest) =>
			await this.sent.send(request, this.cancelsOnStop);
		this.pending = new QueuedStart(start, maxWaitMs, this.client, callbacks, sendOnce);
	}

	/** The job runs. Returns whether it is watched. */
	private began(id: string, answer: JsonObject, ageMs: number): boolean {
		const { settings, task } = this;
		settings.events.onStarted(task, id, answer);
		this.pending = undefined;
		if (!task.watched) this.outcome = { kind: 'started', id };
		else if (this.abandoned) this.outcome = { kind: 'left', id, state: 'unknown' };
		else this.watch = this.watchJob({ id, ageMs, ...this.known }, ageMs > 0);
		this.wake();
		return this.watch !== undefined;
	}

	/** The start may have arrived: it is noted as such, and looked for. */
	private lostTrack(outcome: StartError): void {
		this.settings.events.onUncertain(this.task);
		const isSearched = this.settings.findLost && !this.abandoned && !this.client.stopped;
		if (isSearched || this.lost.mayStartAgain)
			this.search = this.lookFor(outcome, {
				lostMs: this.client.time.now(),
				isFresh: true,
			}).catch(this.crashed);
		else this.outcome = outcome;
	}

	private async lookFor(
		notFound: StartError,
		loss: Pick<LostStart, 'lostMs' | 'isFresh'>,
	): Promise<void> {
		const { settings, task, client } = this;
		const finding = await this.lost.find({ sentMs: this.sent.sentMs, ...loss });
		this.search = undefined;
		if (this.outcome) return;
		if (finding.kind === 'found') {
			this.evidence = finding.evidence;
			settings.events.onFound?.(task, finding.id, finding.evidence);
			if (this.began(finding.id, { success: true, id: finding.id }, finding.ageMs)) {
				this.starts?.joined();
			}
			return;
		}
		if (!this.abandoned && !client.stopped && this.lost.startsAgain(finding)) this.startJob();
		else this.outcome = { ...notFound, finding };
		this.wake();
	}

	/** The monotonic time of a time in milliseconds since 1970. */
	private monotonic(atMs: number): number {
		const { time } = this.client;
		return time.now() - (time.wallClock() - atMs);
	}

	/** How its id is known, for those that watch it. */
	private get known(): Pick<KnownJob, 'evidence'> {
		return this.evidence ? { evidence: this.evidence } : {};
	}

	private watchJob(job: KnownJob, pollNow: boolean): JobPoller {
		const { id } = job;
		this.evidence ??= job.evidence;
		const { client } = this;
		client.limits.progress.watchBegan();
		const { kind, maxWaitMs, interval, watched, start } = this.task;
		const once = !watched;
		const isStarted = start !== undefined || client.limits.register.isStarted(id);
		const how = { pollNow, once, isStarted, maxWaitMs, interval };
		return new JobPoller({ kind, client, ...job, ...how });
	}

	private settle(watch: JobPoller): void {
		const { outcome } = watch;
		if (this.watch !== watch) return;
		if (outcome) this.end(outcome);
		this.wake();
	}

	private end(outcome: JobOutcome): void {
		const { task, starts, attachedId } = this;
		const now = this.client.time.now();
		this.watch = undefined;
		this.client.limits.progress.watchEnded(now);
		this.attachedId = undefined;
		if (outcome.kind === 'done' || outcome.kind === 'failed') starts?.ended(now);
		else starts?.left();
		if (attachedId === undefined || !task.start) {
			this.outcome = outcome;
		} else if (outcome.kind === 'error' && outcome.isGone) {
			// There is nothing left to attach to.
			this.settings.events.onGone(task, attachedId);
			const failure = this.settings.refusesStart?.(task);
			if (failure) this.outcome = { kind: 'error', failure, uncertain: false };
			else this.startJob();
		} else if (!task.watched) {
			// Only its start was wanted, and that is the same whatever has become of it since.
			this.outcome = { kind: 'started', id: attachedId };
		} else {
			this.outcome = outcome;
		}
	}
}

/**
 * Sends the start of one task, so that the others of the credential know of it while it is on its way: a
 * job that the service lists may be this one's.
 */
class StartRequest<T extends JobTask> {
	/** Monotonic time at which it was sent, the latest time. */
	sentMs = 0;

	/** The job that was at work already, where one was. */
	joinedId: string | undefined;

	/** Tells the others that its end is known, or that its job is looked for. */
	arrived: () => void = () => undefined;

	constructor(
		private readonly task: T,
		private readonly settings: Pick<JobSettings<T>, 'events' | 'along'>,
		private readonly client: ServiceClient,
	) {}

	/** `throughStop`: not cut off when the execution is stopped. Throws ServiceFailure. */
	async send(request: ServiceRequest, throughStop: boolean): Promise<JsonObject> {
		const { client, task } = this;
		const { events, along } = this.settings;
		const { kind } = task;
		const { register } = client.limits;
		events.onSending(task);
		this.sentMs = client.time.now();
		this.joinedId = undefined;
		this.arrived = register.begin(underWay(kind, request.body ?? {}));
		const sent = along ? { ...request, body: { ...request.body, ...along } } : request;
		const answer = throughStop ? client.sendThroughStop(sent) : client.send(sent);
		const body = await answer.catch((error: unknown) => {
			const failure = startFailureOf(task.kind, failureOrThrow(error));
			const busyId = this.busyIdOf(failure);
			if (busyId !== undefined) {
				this.joinedId = busyId;
				events.onJoined?.(task, busyId);
				return { success: true, id: busyId } satisfies JsonObject;
			}
			// Where it may have arrived, it counts as on its way until somebody looks for it.
			if (failure.reached === 'no') {
				this.arrived();
				events.onRefused?.(task);
			}
			throw failure;
		});
		const id = readJobId(body.id);
		if (id !== undefined) register.startedAs(id, client.time.now());
		return body;
	}

	/** The id of a job at work that is as good, where the start was refused for it. */
	private busyIdOf({ httpCode, answer }: ServiceFailure): string | undefined {
		const { busyId } = this.task.kind;
		return httpCode === 409 && busyId !== undefined ? readJobId(answer?.[busyId]) : undefined;
	}
}

/** What becomes of a task whose start has an unclear end: its job is looked for, or it is sent again. */
class StartRecovery<T extends JobTask> {
	/** True until a start that was not found has been sent again. */
	mayStartAgain: boolean;

	constructor(
		private readonly task: T,
		private readonly settings: Pick<JobSettings<T>, 'events' | 'findLost' | 'refusesStart'>,
	) {
		const { known, lost, startsAgain } = task;
		this.mayStartAgain = startsAgain === true || (!known && lost?.startsWhenMissing === true);
	}

	/** What the service's lists say of the start that was sent and lost at these monotonic times. Never throws. */
	async find(times: Pick<LostStart, 'sentMs' | 'lostMs' | 'isFresh'>): Promise<LostStartFinding> {
		const { kind, start } = this.task;
		const { findLost } = this.settings;
		if (!start || !findLost) return { kind: 'unknown' };
		return await findLost({ kind, start, ...times });
	}

	/** True, at most once, when a start that was not found is sent (again). */
	startsAgain(finding: LostStartFinding): boolean {
		const { task, settings } = this;
		// One of those that are listed may be its own.
		if (!this.mayStartAgain || finding.kind === 'several') return false;
		this.mayStartAgain = false;
		const isMissing = finding.kind === 'none' && finding.isProof;
		if (isMissing && task.lost?.startsWhenMissing) return true;
		if (!task.startsAgain || settings.refusesStart?.(task)) return false;
		settings.events.onStartedAgain?.(task);
		return true;
	}
}
