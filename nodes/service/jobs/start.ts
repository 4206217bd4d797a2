import { ServiceFailure, executionStopped, failureOrThrow } from '../http/failure';
import { Attempts, POLICIES } from '../http/retry';
import type { JsonObject, ServiceRequest } from '../http/transport';
import type { ServiceClient } from '../limits/client';
import type { Turn } from '../limits/gate';
import { readJobId } from './jobKinds';

interface StartParts {
	request: ServiceRequest;
	/** Longest wait for a turn in which nothing moves, in milliseconds. */
	maxWaitMs: number;
	/** Aborted when the start is not wanted any more: one under way comes to its end. */
	over: AbortSignal;
	/** Sends it, once. Throws ServiceFailure. */
	sendOnce(): Promise<JsonObject>;
}

/** A start that was accepted. It holds its turn: the gate is to be told once that it was accepted, and when it has ended. */
export interface Started {
	id: string;
	answer: JsonObject;
	turn: Turn;
}

/**
 * Sends one start when its turn has come, and again only where that cannot pay twice. A refusal for the plan's
 * limits is not a failure: the start keeps its place in the queue. Gives up when nothing has moved for the
 * longest wait. What was not sent because of `over` has failed as `aborted`, reached `no`. Throws what is no ServiceFailure; the
 * start may have arrived then.
 */
export async function sendStart(
	{ request, maxWaitMs, over, sendOnce }: StartParts,
	client: ServiceClient,
): Promise<Started | ServiceFailure> {
	const { time, limits, throttled } = client;
	const gate = limits.starts(request.bucket);
	const turn: Turn = { owner: client.execution, go: () => undefined };
	const beganMs = time.now();
	let last: ServiceFailure | undefined;
	const givenUp = (nowMs: number) => {
		const stuckSinceMs = limits.progress.lastActivityMs(beganMs, nowMs);
		if (nowMs < stuckSinceMs + maxWaitMs) return undefined;
		return notStarted(maxWaitMs, last ?? gate.lastFailure);
	};
	const patience = { sinceMs: beganMs, maxMs: maxWaitMs, givenUp };
	const attempts = new Attempts(POLICIES.start, time);
	for (;;) {
		const noTurn = await gate.enter(turn, client, over, patience);
		if (noTurn) return noTurn;
		const result = await sendOnce()
			.then(withId)
			.catch(failureOrThrow)
			.catch((error: unknown) => {
				gate.released(turn);
				throw error;
			});
		if (!(result instanceof ServiceFailure)) return { ...result, turn };
		if (result.kind !== 'aborted') last = gate.lastFailure = result;
		if (result.kind === 'rateLimited') {
			gate.refused(turn, time.now(), result);
			throttled.hold(turn);
			continue;
		}
		gate.released(turn);
		const { unansweredSinceMs } = client;
		const next = attempts.after(result, { unansweredSinceMs });
		if (typeof next === 'string') return result;
		await client.sleepUntil(next.atMs, over);
		const noMore = over.aborted ? executionStopped('no') : givenUp(time.now());
		if (noMore) return noMore;
	}
}

function withId(answer: JsonObject): Omit<Started, 'turn'> {
	const id = readJobId(answer.id);
	if (id !== undefined) return { id, answer };
	const shown = JSON.stringify(answer.id ?? null).slice(0, 80);
	throw new ServiceFailure({
		kind: 'notJson',
		reached: 'maybe',
		message: `The service accepted the start but its answer contains no usable job ID (${shown}).`,
	});
}

/** Of a start that was not sent, or provably never arrived. `last`: the latest trouble that is known. */
function notStarted(maxWaitMs: number, last: ServiceFailure | undefined): ServiceFailure {
	const { kind = 'timeout', httpCode } = last ?? {};
	return new ServiceFailure({
		kind,
		reached: 'no',
		...(httpCode !== undefined && { httpCode }),
		message: notStartedText(`for ${Math.round(maxWaitMs / 1000)} seconds`, last),
	});
}

function notStartedText(span: string, last: ServiceFailure | undefined): string {
	const nothing = 'so this one was not started and costs nothing';
	const advice = 'raise Max Wait, or run it later.';
	if (!last) return `The starts before this one were not answered ${span}, ${nothing}: ${advice}`;
	if (last.kind !== 'rateLimited') {
		return `No new job could be started ${span}, ${nothing}. ${last.message}`;
	}
	return `The service took no new job ${span} because of its limits, ${nothing}: ${advice} ${last.message}`;
}
