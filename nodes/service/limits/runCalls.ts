import { failureOrThrow, executionStopped, isAnswerLost, ServiceFailure } from '../http/failure';
import { Attempts, policyFor, POLICIES, STANDSTILL_MS } from '../http/retry';
import type { RetryPolicy } from '../http/retry';
import { orAborted } from '../http/time';
import type { JsonObject, ServiceRequest } from '../http/transport';
import type { ServiceClient } from './client';
import type { Gate, Turn } from './gate';

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
 * process (Gate). Each request is repeated as its method allows; a refusal for the plan's limits does
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

	private async bringToEnd(task: CallTask): Promise<JsonObject | ServiceFailure> {
		const { client, over } = this;
		const { time } = client;
		const turn: Turn = { owner: client.execution, go: () => undefined };
		const attempts = new Attempts(task.policy ?? { ...POLICIES.call, ...policyFor(task.request) }, time);
		for (;;) {
			const result = await this.sendInTurn(task, turn);
			if (!(result instanceof ServiceFailure)) return result;
			const { unansweredSinceMs } = client;
			const next = attempts.after(result, { unansweredSinceMs });
			if (next === 'giveUp' || this.gateOf(task).exhausted(this.beganMs, time.now())) return result;
			if (next !== 'whenFree') await client.sleepUntil(next.atMs, over);
		}
	}

	/** One try, when its turn has come. The gate is told how it ended, whatever happens. */
	private async sendInTurn(task: CallTask, turn: Turn): Promise<JsonObject | ServiceFailure> {
		const gate = this.gateOf(task);
		const { client, over, beganMs: sinceMs } = this;
		const { time } = client;
		const givenUp = (nowMs: number) => gate.exhausted(sinceMs, nowMs);
		const patience = { sinceMs, maxMs: STANDSTILL_MS, givenUp };
		const noTurn = await gate.enter(turn, client, over, patience);
		if (noTurn) return noTurn;
		const released = () => {
			gate.released(turn);
			gate.pump(time.now());
		};
		const { request, timeoutMs } = task;
		const sent = task.send?.() ?? client.send(request, timeoutMs);
		const result = await sent.catch(failureOrThrow).catch((error: unknown) => {
			released();
			throw error;
		});
		const failure = result instanceof ServiceFailure ? result : undefined;
		if (failure?.kind === 'rateLimited') gate.refused(turn, time.now(), failure);
		else if (failure && failure.httpCode === undefined) released();
		else gate.answered(turn, time.now());
		return result;
	}

	private gateOf({ request }: CallTask): Gate {
		return this.client.limits.calls(request.bucket);
	}
}
