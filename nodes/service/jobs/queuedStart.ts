import type { ServiceClient } from '../limits/client';
import { ServiceFailure } from '../http/failure';
import { readJobId } from './jobKinds';
import type { JobOutcome } from './jobTask';
import { backoffMs } from '../http/retry';
import type { Gate, Turn } from '../limits/gate';
import type { JsonObject, ServiceRequest } from '../http/transport';

type StartError = Extract<JobOutcome, { kind: 'error' }>;

export interface StartCallbacks {
	/** Returns false when nobody will check on the job, so that it does not count as in flight for ever. */
	accepted(id: string, answer: JsonObject): boolean;
	failed(outcome: StartError): void;
	/** Something was thrown that is no word of the service's. The start may have arrived. */
	crashed(error: unknown): void;
}

/**
 * One start on its way: queued until its turn comes, sent, and sent again only where that cannot pay
 * twice. A refusal for the plan's limits is not a failure: the start keeps its place in the queue.
 */
export class QueuedStart {
	private readonly turn: Turn;

	private readonly starts: Gate;

	private readonly beganMs: number;

	private failures = 0;

	private lastFailure: ServiceFailure | undefined;

	private closed = false;

	private withdrawn = false;

	/** When a start that never arrived is queued again. */
	private retryAtMs: number | undefined;

	/** Settles with the request that is under way: its answer may hold an id, so it is waited for. */
	sending: Promise<void> | undefined;

	constructor(
		private readonly request: ServiceRequest,
		private readonly maxWaitMs: number,
		private readonly client: ServiceClient,
		private readonly callbacks: StartCallbacks,
		/** Sends the start, once. Throws ServiceFailure. */
		private readonly sendOnce: (start: ServiceRequest) => Promise<JsonObject>,
	) {
		this.starts = client.limits.starts(request.bucket);
		this.beganMs = client.time.now();
		const go = () => {
			this.sending = this.send();
		};
		this.turn = { owner: client.execution, go };
		this.starts.enqueue(this.turn, this.beganMs);
	}

	/** Monotonic time at which the queue should be checked again; Infinity when only events matter. */
	get wakeMs(): number {
		if (this.retryAtMs !== undefined) return this.retryAtMs;
		const pauseEndMs = this.client.limits.pauses.untilMs(this.request.bucket);
		return pauseEndMs > this.client.time.now() ? pauseEndMs : Infinity;
	}

	/** Lets the queue move on with time, and gives up when nothing has moved for the longest wait. */
	tick(): void {
		const now = this.client.time.now();
		if (this.retryAtMs !== undefined && now >= this.retryAtMs && !this.closed) {
			this.retryAtMs = undefined;
			this.starts.enqueue(this.turn, now);
		}
		this.starts.pump(now);
		if (this.closed || this.sending) return;
		const stuckSinceMs = this.client.limits.progress.lastActivityMs(this.beganMs, now);
		if (now < stuckSinceMs + this.maxWaitMs) return;
		this.fail(givenUp(this.maxWaitMs, this.lastFailure ?? this.starts.lastFailure));
	}

	/**
	 * Takes the start back unless it is already being sent; then at least it is not sent again.
	 * Returns whether it was taken back.
	 */
	withdraw(): boolean {
		this.withdrawn = true;
		if (this.sending || this.closed) return false;
		this.close();
		this.starts.withdraw(this.turn);
		return true;
	}

	private async send(): Promise<void> {
		try {
			const body = await this.sendOnce(this.request);
			const id = readJobId(body.id);
			if (id === undefined) throw withoutId(body);
			this.sending = undefined;
			this.close();
			// The caller notes the id before the queue lets anything else happen.
			const isWatched = this.callbacks.accepted(id, body);
			this.starts.accepted(this.turn, this.client.time.now());
			if (!isWatched) this.starts.left();
		} catch (error) {
			this.sending = undefined;
			if (error instanceof ServiceFailure) return this.sendFailed(error);
			this.close();
			this.starts.released(this.turn);
			this.callbacks.crashed(error);
		}
	}

	private sendFailed(failure: ServiceFailure): void {
		const now = this.client.time.now();
		if (failure.kind !== 'aborted') this.lastFailure = this.starts.lastFailure = failure;
		if (failure.kind === 'rateLimited') {
			this.starts.refused(this.turn, now, failure);
			if (this.withdrawn) return this.close();
			this.client.throttled.hold(this);
			this.starts.enqueue(this.turn, now);
			return;
		}
		this.starts.released(this.turn);
		this.failures += 1;
		if (this.client.mayTryAgain('POST', failure, this.failures)) {
			this.retryAtMs = now + backoffMs(this.failures, this.client.time.random());
			return;
		}
		this.fail(failure);
	}

	private fail(failure: ServiceFailure): void {
		this.close();
		this.starts.withdraw(this.turn);
		this.callbacks.failed({ kind: 'error', failure, uncertain: failure.reached === 'maybe' });
	}

	private close(): void {
		this.closed = true;
		this.client.throttled.release(this);
	}
}

/** Of a start that was not sent, or provably never arrived. `last`: the latest trouble that is known. */
function givenUp(maxWaitMs: number, last: ServiceFailure | undefined): ServiceFailure {
	const { kind = 'timeout', httpCode } = last ?? {};
	return new ServiceFailure({
		kind,
		reached: 'no',
		...(httpCode !== undefined && { httpCode }),
		message: givenUpText(`for ${Math.round(maxWaitMs / 1000)} seconds`, last),
	});
}

function givenUpText(span: string, last: ServiceFailure | undefined): string {
	const nothing = 'so this one was not started and costs nothing';
	const advice = 'raise Max Wait, or run it later.';
	if (!last) return `The starts before this one were not answered ${span}, ${nothing}: ${advice}`;
	if (last.kind !== 'rateLimited') {
		return `No new job could be started ${span}, ${nothing}. ${last.message}`;
	}
	return `The service took no new job ${span} because of its limits, ${nothing}: ${advice} ${last.message}`;
}

function withoutId(body: JsonObject): ServiceFailure {
	const shown = JSON.stringify(body.id ?? null).slice(0, 80);
	return new ServiceFailure({
		kind: 'notJson',
		reached: 'maybe',
		message: `The service accepted the start but its answer holds no usable job id (${shown}).`,
	});
}
