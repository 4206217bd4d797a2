import { failureOrThrow, executionStopped, isAnswerLost, ServiceFailure } from '../http/failure';
import { Attempts, policyFor, POLICIES, STANDSTILL_MS } from '../http/retry';
import type { RetryPolicy } from '../http/retry';
import { orAborted } from '../http/time';
import type { JsonObject, ServiceRequest } from '../http/transport';
import type { ServiceClient } from './client';

/** Most requests of one run that are on their way together. */
const MAX_CONCURRENT_CALLS = 50;

export interface CallTask {
	request: ServiceRequest;
	timeoutMs: number;
	/** When it is sent again. Default: that of its method, and as long as its work goes on. */
	policy?: RetryPolicy;
	/** Sends one try. Default: the client sends it. Throws ServiceFailure. */
	send?(): Promise<JsonObject>;
	/** Asked when its answer was lost, while the run continues: the answer, where it is to be had all the same. */
	recover?(failure: ServiceFailure): Promise<JsonObject | ServiceFailure>;
}

interface CallEvents {
	answered(index: number, body: JsonObject): void;
	/** Returns true when the run must end: nothing more is sent then, and no later failure is reported to it. */
	failed(index: number, failure: ServiceFailure): boolean;
	/** Aborted when nothing more is wanted: the run ends at once, whatever is on its way. */
	over?: AbortSignal;
}

/**
 * Sends many requests side by side, each when it is its turn among all calls of the credential in this
 * process (Limits). Each request is repeated as its method allows; a refusal for the plan's limits does
 * not count, and ends a call only when nothing has moved for the credential for ten minutes.
 * When `failed` ends the run, nothing more is sent, and what is on its way is waited for, since it is paid.
 * Resolves when all that was sent has ended.
 * Throws a ServiceFailure of kind `aborted` when the execution was stopped, and what an event throws or what is
 * thrown that is no ServiceFailure; never because of an answer.
 */
export async function runCalls(tasks: CallTask[], events: CallEvents, client: ServiceClient): Promise<void> {
	await new CallRun(tasks, events, client).run();
}

class CallRun {
	private next = 0;

	/** Aborted when nothing more is sent. */
	private readonly ended = new AbortController();

	/** Aborted when the run ends at once: the execution was stopped, or nothing more is wanted. */
	private readonly cutOff: AbortSignal;

	/** Either. */
	private readonly over: AbortSignal;

	/** What was thrown that is no word of the service's. */
	private crash: { error: unknown } | undefined;

	private readonly beganMs: number;

	constructor(
		private readonly tasks: CallTask[],
		private readonly events: CallEvents,
		private readonly client: ServiceClient,
	) {
		this.beganMs = client.time.now();
		const { stopSignal } = client;
		this.cutOff = events.over ? AbortSignal.any([stopSignal, events.over]) : stopSignal;
		this.over = AbortSignal.any([this.cutOff, this.ended.signal]);
	}

	async run(): Promise<void> {
		const { tasks, client, cutOff } = this;
		const lanes = Array.from(
			{ length: Math.min(MAX_CONCURRENT_CALLS, tasks.length) },
			async () => await this.lane().catch((error: unknown) => this.crashed(error)),
		);
		await orAborted(Promise.all(lanes), cutOff);
		if (this.crash) throw this.crash.error;
		if (client.stopped) throw executionStopped('maybe');
	}

	private async lane(): Promise<void> {
		for (;;) {
			const index = this.next++;
			const task = this.tasks[index];
			if (!task || this.over.aborted) return;
			const ended = await this.bringToEnd(task);
			const recovery = this.recoveryOf(task, ended);
			const result = recovery ? await recovery : ended;
			if (this.client.stopped) return;
			if (!(result instanceof ServiceFailure)) this.events.answered(index, result);
			else if (!this.over.aborted && this.events.failed(index, result)) this.ended.abort();
		}
	}

	private recoveryOf(
		{ recover }: CallTask,
		ended: JsonObject | ServiceFailure,
	): Promise<JsonObject | ServiceFailure> | undefined {
		if (!(ended instanceof ServiceFailure) || this.over.aborted) return undefined;
		return isAnswerLost(ended) ? recover?.(ended) : undefined;
	}

	/** Ends the run, when what is on its way has ended: that is paid. */
	private crashed(error: unknown): void {
		this.crash ??= { error };
		this.ended.abort();
	}

	/** One call, when it is its turn, and again as its policy says. */
	private async bringToEnd(task: CallTask): Promise<JsonObject | ServiceFailure> {
		const { client, over, beganMs: sinceMs } = this;
		const { execution: owner, throttled: meter, time } = client;
		const { request, timeoutMs, policy = { ...POLICIES.call, ...policyFor(request) } } = task;
		const attempts = new Attempts(policy, time);
		const lane = { of: 'calls', bucket: request.bucket } as const;
		const ask = { owner, meter, over, sinceMs, standstillMs: STANDSTILL_MS };
		const ran = await client.limits.run<JsonObject | ServiceFailure>(lane, ask, async () => {
			const result = await (task.send?.() ?? client.send(request, timeoutMs)).catch(failureOrThrow);
			if (!(result instanceof ServiceFailure)) return { kind: 'done', value: result };
			if (result.kind === 'rateLimited') return { kind: 'refused', failure: result };
			const { unansweredSinceMs } = client;
			const next = attempts.after(result, { unansweredSinceMs });
			if (typeof next !== 'string') return { kind: 'again', atMs: next.atMs, failure: result };
			return { kind: result.httpCode === undefined ? 'lost' : 'done', value: result };
		});
		if ('value' in ran) return ran.value;
		return ran.noTurn === 'standstill' && ran.last ? ran.last : executionStopped('no');
	}
}
