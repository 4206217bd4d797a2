import { MAX_SLEEP_MS } from './client';
import type { ServiceClient } from './client';
import { asFailure, executionStopped, ServiceFailure } from '../http/failure';
import { backoffMs, MAX_RETRIES, mayRetry } from '../http/retry';
import type { JsonObject, ServiceRequest } from '../http/transport';

/** Most requests of one run that are on their way together. */
export const MAX_CONCURRENT_CALLS = 50;

/** How many go out before the service has accepted any: a tight plan refuses the rest. */
const FIRST_CONCURRENT_CALLS = 10;

/** A run that is refused for so long without a single acceptance gives up. */
const MAX_REFUSED_MS = 10 * 60_000;

/** Bounds for asking again after a 408 that says that the work goes on (CONTRACT section 4). */
const MAX_JOINS = 5;
const MAX_JOINING_MS = 20 * 60_000;

export interface CallTask {
	request: ServiceRequest;
	timeoutMs: number;
	/** How many times in a row it may be repeated. Default: MAX_RETRIES. */
	retries?: number;
}

export interface CallEvents {
	answered(index: number, body: JsonObject): void;
	/** Returns true when the run must end: nothing more is sent then. It is told no failure after that. */
	failed(index: number, failure: ServiceFailure): boolean;
}

/**
 * Sends many requests side by side, as many as the plan's limits allow: a refusal takes the number back
 * to one, each acceptance raises it by one. Each request is repeated as its method allows.
 * When `failed` ends the run, nothing more is sent, and what is on its way is waited for, since it is paid.
 * Resolves when all that was sent has ended.
 * Throws a ServiceFailure of kind `aborted` when the execution was stopped; never because of an answer.
 */
export async function runCalls(
	tasks: CallTask[],
	events: CallEvents,
	client: ServiceClient,
): Promise<void> {
	await new CallLoop(tasks, events, client).run();
}

class CallLoop {
	private next = 0;

	private inFlight = 0;

	private concurrency = FIRST_CONCURRENT_CALLS;

	private ended = false;

	private lastProgressMs: number;

	private waiting: AbortController[] = [];

	private endRun: () => void = () => undefined;

	constructor(
		private readonly tasks: CallTask[],
		private readonly events: CallEvents,
		private readonly client: ServiceClient,
	) {
		this.lastProgressMs = client.time.now();
	}

	async run(): Promise<void> {
		const end = new Promise<void>((resolve) => {
			this.endRun = resolve;
		});
		const lanes = Array.from({ length: Math.min(MAX_CONCURRENT_CALLS, this.tasks.length) }, () =>
			this.lane(),
		);
		await Promise.race([Promise.all(lanes), end]);
		if (this.client.stopped) throw executionStopped('maybe');
	}

	private async lane(): Promise<void> {
		for (;;) {
			const index = this.next++;
			const task = this.tasks[index];
			if (!task || this.ended) return;
			const result = await this.bringToEnd(task);
			if (this.client.stopped) {
				this.endSending();
				return this.endRun();
			}
			if (!(result instanceof ServiceFailure)) this.events.answered(index, result);
			else if (!this.ended && this.events.failed(index, result)) this.endSending();
		}
	}

	/** Nothing is sent after this. */
	private endSending(): void {
		this.ended = true;
		this.wakeAll();
	}

	private async bringToEnd({
		request,
		timeoutMs,
		retries = MAX_RETRIES,
	}: CallTask): Promise<JsonObject | ServiceFailure> {
		const { time, throttled } = this.client;
		const joinUntilMs = time.now() + MAX_JOINING_MS;
		for (let failures = 0, joins = 0; ;) {
			if (!(await this.hasTurn(request))) return executionStopped('no');
			const result = await this.sendOnce(request, timeoutMs);
			if (!(result instanceof ServiceFailure)) return result;
			if (result.kind === 'rateLimited') {
				if (time.now() - this.lastProgressMs >= MAX_REFUSED_MS) return result;
				throttled.hold(request);
				continue;
			}
			const { worksOnMs } = result;
			if (worksOnMs !== undefined) {
				joins += 1;
				if (joins > MAX_JOINS || time.now() + worksOnMs > joinUntilMs) return result;
				await this.pause(worksOnMs);
				continue;
			}
			failures += 1;
			if (failures > retries || !mayRetry(request.method, result)) return result;
			await this.pause(backoffMs(failures, time.random()));
		}
	}

	/** Sends what has its turn, and gives the room back. */
	private async sendOnce(
		request: ServiceRequest,
		timeoutMs: number,
	): Promise<JsonObject | ServiceFailure> {
		const result = await this.client.send(request, timeoutMs).catch(asFailure);
		this.inFlight -= 1;
		if (result instanceof ServiceFailure && result.kind === 'rateLimited') {
			this.concurrency = 1;
		} else {
			this.client.throttled.release(request);
			this.lastProgressMs = this.client.time.now();
			this.concurrency = Math.min(MAX_CONCURRENT_CALLS, this.concurrency + 1);
		}
		this.wakeAll();
		return result;
	}

	/**
	 * Waits until the shared pause is over and there is room, and takes the room at once: others are woken
	 * in the same moment. False when nothing may be sent any more.
	 */
	private async hasTurn({ bucket }: ServiceRequest): Promise<boolean> {
		for (;;) {
			if (this.ended || this.client.stopped) return false;
			const pauseMs = this.client.limits.pauses.untilMs(bucket) - this.client.time.now();
			if (pauseMs <= 0 && this.inFlight < this.concurrency) {
				this.inFlight += 1;
				return true;
			}
			await this.sleep(pauseMs > 0 ? pauseMs : MAX_SLEEP_MS);
		}
	}

	private async pause(ms: number): Promise<void> {
		const { time } = this.client;
		const endMs = time.now() + ms;
		while (time.now() < endMs && !this.ended && !this.client.stopped) {
			await this.sleep(endMs - time.now());
		}
	}

	/** Sleeps for a slice, or until something has happened in this run. */
	private async sleep(ms: number): Promise<void> {
		const wake = new AbortController();
		this.waiting.push(wake);
		const woken = new Promise<void>((resolve) => {
			wake.signal.addEventListener('abort', () => resolve(), { once: true });
		});
		const slice = this.client.time.sleep(Math.min(MAX_SLEEP_MS, Math.max(1, ms)), wake.signal);
		await Promise.race([slice, woken]);
		this.waiting = this.waiting.filter((other) => other !== wake);
	}

	private wakeAll(): void {
		for (const wake of this.waiting.splice(0)) wake.abort();
	}
}
