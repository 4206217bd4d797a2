import type { ServiceClient } from '../limits/client';
import { asFailure } from '../http/failure';
import type { ServiceFailure } from '../http/failure';
import type { JsonObject, ServiceRequest } from '../http/transport';
import { readJobId } from './jobKinds';
import { canonicalTarget } from './jobListings';
import type { JobSettings, JobTask } from './jobTask';

/**
 * Sends the start of one task, so that the others of the credential know of it while it is on its way: a
 * job that the service lists may be this one's.
 */
export class SentStart<T extends JobTask> {
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
		const target = kind.listed?.targetsOf(request.body ?? {})[0] ?? '';
		this.sentMs = client.time.now();
		this.joinedId = undefined;
		this.arrived = register.begin({ place: kind.statusPath, target: canonicalTarget(target) });
		const sent = along ? { ...request, body: { ...request.body, ...along } } : request;
		const answer = throughStop ? client.sendThroughStop(sent) : client.send(sent);
		const body = await answer.catch((error: unknown) => {
			const failure = asFailure(error);
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
			throw error;
		});
		const id = readJobId(body.id);
		if (id !== undefined) register.know(id, client.time.now());
		return body;
	}

	/** The id of a job at work that is as good, where the start was refused for it. */
	private busyIdOf({ httpCode, answer }: ServiceFailure): string | undefined {
		const { busyId } = this.task.kind;
		return httpCode === 409 && busyId !== undefined ? readJobId(answer?.[busyId]) : undefined;
	}
}
