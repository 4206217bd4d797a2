import { ServiceFailure, executionStopped, failureOrThrow } from '../http/failure';
import { Attempts, POLICIES } from '../http/retry';
import type { JsonObject, ServiceRequest } from '../http/transport';
import type { ServiceClient } from '../limits/client';
import type { Lane, Lease } from '../limits/limits';
import { readJobId } from './jobKinds';

interface StartParts {
	request: ServiceRequest;
	/** Longest wait for a turn in which nothing moves, in milliseconds. */
	maxWaitMs: number;
	/** Aborted when the start is not wanted any more: one under way comes to its end. */
	over: AbortSignal;
	/** Sends it, once. Throws ServiceFailure. */
	sendOnce(): Promise<JsonObject>;
	/** Told the id before anything else happens. */
	onStarted(id: string, answer: JsonObject): void;
}

/** A start that was accepted: what it has started holds a place of the plan until the lease ends. */
export interface Started {
	id: string;
	answer: JsonObject;
	lease: Lease;
}

/**
 * Sends one start when its turn has come, and again only where that cannot pay twice. A refusal for the plan's
 * limits is not a failure: the start keeps its place in the queue. Gives up when nothing has moved for the
 * longest wait. What was not sent because of `over` has failed as `aborted`, reached `no`. Throws what is no
 * ServiceFailure; the start may have arrived then.
 */
export async function sendStart(
	{ request, maxWaitMs, over, sendOnce, onStarted }: StartParts,
	client: ServiceClient,
): Promise<Started | ServiceFailure> {
	const { time, limits, throttled: meter, execution: owner } = client;
	const ask = { owner, over, meter, sinceMs: time.now(), standstillMs: maxWaitMs };
	const attempts = new Attempts(POLICIES.start, time);
	const ran = await limits.run<Omit<Started, 'lease'> | ServiceFailure>(startLane(request), ask, async () => {
		const result = await sendOnce().then(withId).catch(failureOrThrow);
		if (!(result instanceof ServiceFailure)) {
			onStarted(result.id, result.answer);
			return { kind: 'holds', value: result };
		}
		if (result.kind === 'rateLimited') return { kind: 'refused', failure: result };
		if (result.kind === 'aborted') return { kind: 'lost', value: result };
		const { unansweredSinceMs } = client;
		const next = attempts.after(result, { unansweredSinceMs });
		if (typeof next === 'string') return { kind: 'lost', value: result, failure: result };
		return { kind: 'again', atMs: next.atMs, failure: result };
	});
	if ('noTurn' in ran) return ran.noTurn === 'over' ? executionStopped('no') : notStarted(maxWaitMs, ran.last);
	const { value, lease } = ran;
	if (value instanceof ServiceFailure) return value;
	if (!lease) throw new Error('A start that was taken holds a place.');
	return { ...value, lease };
}

/** Where starts wait. */
export const startLane = ({ bucket }: ServiceRequest): Lane => ({ of: 'starts', bucket });

function withId(answer: JsonObject): Omit<Started, 'lease'> {
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
