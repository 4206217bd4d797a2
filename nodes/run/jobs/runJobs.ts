import type { ServiceClient } from '../../service/client';
import { ServiceFailure, executionStopped } from '../../service/http/failure';
import { POLICIES } from '../../service/http/retry';
import { orAborted, waitAtMost } from '../../service/http/time';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import { jobBefore, readJobId, startFailureOf, statusRequest, underWay } from '../../service/jobs/jobKinds';
import type { JobKind } from '../../service/jobs/jobKinds';
import type { JobOutcome, KnownJob, LostStart } from '../../service/jobs/jobOutcome';
import { waitForJob } from '../../service/jobs/wait';
import type { Lane, Lease } from '../../service/limits/limits';
import { recoverStart } from '../../service/startRecovery/recoverStart';
import { count } from '../../text/amounts';
import { decide, provesAccount } from '../paid/decide';
import { sendPaid, startLane } from '../paid/sendPaid';
import type { Earlier, Paid, Sent } from '../paid/sendPaid';
import { cancelStopped, goesWithExecution, isCancelledOnStop } from './cancelOnStop';
import type { JobPlan } from '../job/jobPlan';
import type { Job, JobRecords } from '../job/jobRecords';

/** The way in which jobs are run. */
export interface HowToRun {
	records: JobRecords;
	/** Most jobs of this run in work at once. */
	concurrency: number;
	/** Goes into the body of each start besides what is asked for: neither ledger nor searches know of it. */
	along?: JsonObject;
	/** True for an outcome after which the rest is not wanted any more. */
	stopsTheRun(job: Job, outcome: JobOutcome): boolean;
	/**
	 * The reason why a start is not sent that was not planned: of a job that is gone, or once more; undefined when it
	 * may be.
	 */
	refusesStart(job: Job): ServiceFailure | undefined;
	/** True once no further job is to be begun: what is begun comes to its end, the rest is `notStarted`. */
	beginsNoMore(): boolean;
}

/**
 * Brings many jobs to their end side by side: starts them as the plan's limits allow, checks them on
 * schedule. Resolves with one outcome each, in their order. After an outcome that stops the run, the
 * rest is not started (`notStarted`) or no longer watched (`left`).
 * Throws a ServiceFailure of kind `aborted` when the execution was stopped, and what is thrown that is no
 * ServiceFailure; never because of a job.
 */
export async function runJobs(jobs: readonly Job[], how: HowToRun, client: ServiceClient): Promise<JobOutcome[]> {
	return await new JobRun(jobs, how, client).toEnds();
}

/**
 * The same, but only until nothing is left to start. Jobs are watched meanwhile, since their ends make room for others;
 * those that still run then come out as `started`.
 */
export async function startJobs(jobs: readonly Job[], how: HowToRun, client: ServiceClient): Promise<JobOutcome[]> {
	return await new JobRun(jobs, how, client).toStarts();
}

/** So long a stopped execution waits for starts that are under way, for the sake of their ids, in milliseconds. */
const SETTLE_AFTER_STOP_MS = 1000;

/** The work on one job in this run. */
interface Work {
	readonly job: Job;
	/** The queue of its start; undefined for a job that was started elsewhere. */
	readonly lane: Lane | undefined;
	/** The place that it holds, once it runs. */
	lease?: Lease;
	/** Settles when its start is over, or at once where it was before this run. */
	started: Promise<void>;
	onStarted: () => void;
	outcome?: JobOutcome;
	/** Settles with the outcome; undefined where something unexpected was thrown. */
	ended: Promise<JobOutcome | undefined>;
}

class JobRun {
	private readonly works: Work[] = [];

	/** Aborted when nothing more is wanted of this run: no start is sent, no job watched. */
	private readonly over = new AbortController();

	/** The same, or the execution was stopped. */
	private readonly overOrStopped: AbortSignal;

	/** Nobody waits for a job that another one has to wait for. */
	private onlyStarts = false;

	/** Jobs that are watched no longer count as started: that is all that was wanted. */
	private isStarted = false;

	/** An error that is no word of the service's. */
	private crash: { error: unknown } | undefined;

	constructor(
		private readonly jobs: readonly Job[],
		private readonly how: HowToRun,
		private readonly client: ServiceClient,
	) {
		this.overOrStopped = AbortSignal.any([this.over.signal, client.stopSignal]);
	}

	/** Starts and watches one job after the other in each lane. */
	async toEnds(): Promise<JobOutcome[]> {
		await orAborted(
			this.inLanes(async (work) => await work.ended),
			this.overOrStopped,
		);
		return await this.windDown();
	}

	/** Starts all; a job that runs holds none up. */
	async toStarts(): Promise<JobOutcome[]> {
		this.onlyStarts = true;
		await orAborted(
			this.inLanes(async ({ started, ended }) => await Promise.race([started, ended])),
			this.overOrStopped,
		);
		// A stopped execution lets none go: some are to be cancelled.
		this.isStarted = !this.isOver;
		return await this.windDown();
	}

	/** Takes one job after the other, several beside one another, until there is none or nothing more is wanted. */
	private async inLanes(until: (work: Work) => Promise<unknown>): Promise<void> {
		const { how, jobs, works } = this;
		const inLane = async (): Promise<void> => {
			for (;;) {
				const job = jobs[works.length];
				if (!job || this.isOver || how.beginsNoMore()) return;
				await until(this.begin(job));
			}
		};
		await Promise.all(Array.from({ length: Math.min(how.concurrency, jobs.length) }, inLane));
	}

	/** The outcomes, when all is over. */
	private async windDown(): Promise<JobOutcome[]> {
		const { jobs, client } = this;
		await this.endWhatIsLeft();
		if (this.crash) throw this.crash.error;
		// Stop may have ended every job that was left.
		client.throwIfStopped();
		return jobs.map((_job, index) => this.works[index]?.outcome ?? { kind: 'notStarted' });
	}

	private begin(job: Job): Work {
		const { start } = job.plan;
		const lane = start && startLane(start);
		let onStarted = (): void => undefined;
		const started = new Promise<void>((resolve) => (onStarted = resolve));
		const work: Work = { job, lane, started, onStarted, ended: Promise.resolve(undefined) };
		this.works.push(work);
		work.ended = this.bringToEnd(work)
			.then((outcome) => this.end(work, outcome))
			.catch((error: unknown) => {
				this.crash ??= { error };
				this.over.abort();
				return undefined;
			});
		return work;
	}

	/** A job that has ended is told at once. */
	private end(work: Work, reached: JobOutcome): JobOutcome {
		const { how } = this;
		const { job } = work;
		const isLetGo = this.isStarted && reached.kind === 'left';
		const outcome: JobOutcome = isLetGo ? { kind: 'started', id: reached.id } : reached;
		work.outcome = outcome;
		if (this.isOver && !this.isStarted) return outcome;
		how.records.note(job, { kind: 'ended', outcome });
		if (how.stopsTheRun(job, outcome)) this.over.abort();
		return outcome;
	}

	/** One job: a start on its way, or one that is looked for, then a job that is watched, then an outcome. */
	private async bringToEnd(work: Work): Promise<JobOutcome> {
		const { how, client } = this;
		const { job } = work;
		const { plan, awaited } = job;
		const known = awaited ?? plan.known;
		if (!known) return await this.start(work, plan.past?.kind === 'open' ? plan.past : undefined);
		if (!awaited) client.register.own(known.id, client.time.now());
		work.onStarted();
		this.occupies(work);
		const outcome = await this.watch(work, known, true);
		if (awaited || !plan.start) return outcome;
		if (outcome.kind === 'error' && outcome.isGone) {
			const { past, ifUncertain } = plan;
			const next = past?.kind === 'known' ? decide({ ifUncertain }, { ...past, isGone: true }) : undefined;
			if (next?.do !== 'send') return outcome;
			how.records.note(job, { kind: 'gone', id: known.id });
			const failure = how.refusesStart(job);
			return failure ? { kind: 'error', failure, uncertain: false } : await this.start(work);
		}
		// If only its start was wanted, that is the same whatever has become of it since.
		return plan.watched ? outcome : { kind: 'started', id: known.id };
	}

	/** Starts a job and watches it. `past`: it may have been started before, and is looked for first. */
	private async start(work: Work, past?: Earlier): Promise<JobOutcome> {
		const { job } = work;
		const sent = await this.sendStart(job, past);
		if (sent.how === 'unconfirmed') {
			const { failure, finding } = sent;
			return { kind: 'error', failure, uncertain: true, ...(finding && { finding }) };
		}
		if (sent.how === 'failed') {
			const { failure } = sent;
			const isUnwanted = failure.kind === 'aborted' && !failure.mayHaveExecuted;
			return isUnwanted ? { kind: 'notStarted' } : { kind: 'error', failure, uncertain: false };
		}
		const { id = '', ageMs, lease } = sent;
		if (!job.plan.watched) {
			// Nobody will see it end.
			lease?.end('unwatched');
			return { kind: 'started', id };
		}
		if (lease) work.lease = lease;
		else this.occupies(work);
		work.onStarted();
		const known = { id, ageMs, ...(job.evidence && { evidence: job.evidence }) };
		return await this.watch(work, known, ageMs > 0);
	}

	/** Sends a start. Where it is refused because another job must end first, that one is waited for, once. */
	private async sendStart(job: Job, past: Earlier | undefined): Promise<Sent> {
		const { client, how, overOrStopped } = this;
		const { kind, maxWaitMs, interval, watched } = job.plan;
		const sent = await sendPaid(this.paid(job, past), client);
		const earlierId = sent.how === 'failed' ? jobBefore(kind, sent.failure) : undefined;
		if (sent.how !== 'failed' || earlierId === undefined) return sent;
		if (!watched || this.onlyStarts) return { how: 'failed', failure: busyWith(earlierId, kind, sent.failure) };
		how.records.note(job, { kind: 'held', byId: earlierId });
		const waited = { kind, maxWaitMs, interval, pollNow: false, once: false, isStarted: true };
		const known = { id: earlierId, ageMs: 0, onChecked: () => undefined };
		const { kind: end } = await waitForJob({ ...known, ...waited }, client, overOrStopped);
		if (end === 'done' || end === 'failed') return await sendPaid(this.paid(job, undefined), client);
		if (end === 'left') return { how: 'failed', failure: executionStopped({ mayHaveExecuted: false }) };
		return { how: 'failed', failure: busyWith(earlierId, kind, sent.failure, maxWaitMs) };
	}

	/** The start of a job, as something that is sent once. */
	private paid(job: Job, past: Earlier | undefined): Paid {
		const { client, how, overOrStopped: over } = this;
		const { plan } = job;
		const { start: request, kind, maxWaitMs: standstillMs } = plan;
		if (!request) throw new Error('A plan without a start has no job.');
		const { records, along } = how;
		return {
			request,
			...(along && { sent: { ...request, body: { ...request.body, ...along } } }),
			laneOf: 'starts',
			over,
			sinceMs: client.time.now(),
			standstillMs,
			policy: POLICIES.start,
			// A start that Stop cuts off may still have begun: to cancel it, its id must be waited for.
			onStop: isCancelledOnStop(plan) ? 'finish' : 'cut',
			reads: {
				idOf: ({ id }) => id,
				readFailure: (failure) => startFailureOf(kind, failure),
				insteadOf: (refusal) => busyIdOf(plan, refusal),
				isLost: ({ mayHaveExecuted }) => mayHaveExecuted,
			},
			journal: records.journalOf(job),
			past,
			lists: {
				shownAs: { register: client.register, start: underWay(kind, request.body ?? {}) },
				find: async (loss) => {
					const isOther = readsRecords(kind, request, client);
					const finding = await recoverStart({ kind, start: request, ...loss, isOther }, client);
					if (provesAccount(finding)) records.note(job, { kind: 'accountProven' });
					return finding;
				},
			},
			uncertain: { ifUncertain: plan.ifUncertain, refuses: () => how.refusesStart(job) !== undefined },
		};
	}

	/** It runs already, and takes a place. */
	private occupies(work: Work): void {
		if (work.lane) work.lease = this.client.limits.occupy(work.lane);
	}

	/** Its place is counted already; without a lane it has none. */
	private async watch(work: Work, known: KnownJob, pollNow: boolean): Promise<JobOutcome> {
		const {
			client,
			how: { records },
		} = this;
		const { job } = work;
		const { kind, maxWaitMs, interval, watched, start } = job.plan;
		job.evidence ??= known.evidence;
		const unwatch = work.lease ? undefined : client.limits.watch();
		let hasEnded = false;
		try {
			const isStarted = start !== undefined || client.register.isStarted(known.id);
			const onChecked = (body: JsonObject) => records.note(job, { kind: 'checked', body });
			const waited = { kind, maxWaitMs, interval, pollNow, once: !watched, isStarted, onChecked };
			const outcome = await waitForJob({ ...known, ...waited }, client, this.overOrStopped);
			hasEnded = outcome.kind === 'done' || outcome.kind === 'failed';
			return outcome;
		} finally {
			unwatch?.();
			work.lease?.end(hasEnded ? 'ended' : 'unwatched');
		}
	}

	private get isOver(): boolean {
		return this.overOrStopped.aborted;
	}

	/**
	 * Ends what is left. A start under way is waited for, since its answer holds an id that must not be
	 * lost; when the execution was stopped n8n has cut its connection, and it settles at once.
	 */
	private async endWhatIsLeft(): Promise<void> {
		const { client, works, how } = this;
		this.over.abort();
		const settled = async (some: Work[]) => await Promise.all(some.map(async ({ ended }) => await ended));
		if (!client.stopped) {
			await settled(works);
			return;
		}
		const open = works.filter(({ outcome }) => !outcome || outcome.kind === 'left');
		const others = open.filter(({ job }) => !goesWithExecution(job));
		const toCancel = open
			.filter(({ job }) => goesWithExecution(job))
			.map(({ job, ended }) => {
				// Only its answer tells of a start that it is another's job.
				const id = ended.then((outcome) =>
					outcome?.kind === 'left' && goesWithExecution(job) ? outcome.id : undefined,
				);
				return { job, id };
			});
		// Jobs that earlier tries have started and this one has not begun: Stop concerns it, too.
		const notBegun = this.jobs
			.slice(works.length)
			.filter(goesWithExecution)
			.map((job) => ({ job, id: Promise.resolve(job.id) }));
		await Promise.all([
			waitAtMost(client.time, SETTLE_AFTER_STOP_MS, settled(others)),
			cancelStopped([...toCancel, ...notBegun], how.records, client),
		]);
	}
}

/** Reads whether a listed job is another's, where its record may say so. */
function readsRecords(
	{ isOther, ...kind }: JobKind,
	{ body = {} }: ServiceRequest,
	client: ServiceClient,
): LostStart['isOther'] {
	if (!isOther) return undefined;
	return async (id) => {
		const record = await client.lookUp(statusRequest(kind, id));
		return record !== undefined && isOther(body, record);
	};
}

/** Of a start that another job is in the way of; `maxWaitMs`: it was waited for so long. */
function busyWith(id: string, { label }: JobKind, { httpCode, message }: ServiceFailure, maxWaitMs?: number) {
	const how =
		maxWaitMs === undefined
			? 'Nothing was started: run this again when it has ended, or wait for the job here, which waits for that one first.'
			: `It still ran after ${count(Math.round(maxWaitMs / 1000), 'second')} (Max Wait), so nothing was started: run this again when it has ended.`;
	const text = `The ${label} ${id} has to end first. ${how} ${message}`;
	return new ServiceFailure({ kind: 'http', httpCode, mayHaveExecuted: false, message: text });
}

/** The id of a job at work that is as good, where the start was refused for it. */
function busyIdOf({ kind }: JobPlan, { httpCode, answer }: ServiceFailure): string | undefined {
	const { busyId } = kind;
	return httpCode === 409 && busyId !== undefined ? readJobId(answer?.[busyId]) : undefined;
}
