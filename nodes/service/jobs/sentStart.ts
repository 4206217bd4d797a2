import type { ServiceClient } from '../limits/client';
import { asFailure } from '../http/failure';
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

	/** Tells the others that its end is known, or that its job is looked for. */
	arrived: () => void = () => undefined;

	constructor(
		private readonly task: T,
		private readonly settings: Pick<JobSettings<T>, 'events' | 'kind'>,
		private readonly client: ServiceClient,
	) {}

	/** `throughStop`: not cut off when the execution is stopped. Throws ServiceFailure. */
	async send(request: ServiceRequest, throughStop: boolean): Promise<JsonObject> {
		const { client, task } = this;
		const { events, kind } = this.settings;
		const { register } = client.limits;
		events.onSending(task);
		const [target = ''] = kind.listed?.targetsOf(request.body ?? {}) ?? [];
		this.sentMs = client.time.now();
		this.arrived = register.begin({ kind: kind.name, target: canonicalTarget(target) });
		const answer = throughStop ? client.sendThroughStop(request) : client.send(request);
		const body = await answer.catch((error: unknown) => {
			// Where it may have arrived, it counts as on its way until somebody looks for it.
			if (asFailure(error).reached === 'no') {
				this.arrived();
				events.onRefused?.(task);
			}
			throw error;
		});
		const id = readJobId(body.id);
		if (id !== undefined) register.know(id);
		return body;
	}
}
