import type { ServiceClient } from '../limits/client';
import { failureOrThrow } from '../http/failure';
import type { ServiceFailure } from '../http/failure';
import type { JsonObject, ServiceRequest } from '../http/transport';
import { readJobId, startFailureOf, underWay } from './jobKinds';
import type { JobSettings, JobTask, LostStart, LostStartFinding } from './jobTask';

/**
 * Sends the start of one task, so that the others of the credential know of it while it is on its way: a
 * job that the service lists may be this one's.
 */
export class StartRequest<T extends JobTask> {
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
export class StartRecovery<T extends JobTask> {
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
