import type { ServiceClient } from '../../service/client';
import { ServiceFailure, executionStopped } from '../../service/http/failure';
import { MAX_STANDSTILL_MS, POLICIES, policyFor } from '../../service/http/retry';
import type { RetryPolicy } from '../../service/http/retry';
import { orAborted } from '../../service/http/time';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import { sendPaid } from './sendPaid';
import type { Paid, Sent } from './sendPaid';

/** Most requests of one run that are on their way together. */
const MAX_CONCURRENT_CALLS = 50;

/** One request whose answer is all that is wanted. When nothing else is said, it is repeated as its method allows. */
export type Call = Pick<Paid, 'request'> & Partial<Paid>;

interface CallEvents {
	answered(index: number, body: JsonObject): void;
	/** Returns true when the run must end: nothing more is sent then, and no later failure is reported to it. */
	failed(index: number, failure: ServiceFailure): boolean;
	/** Aborted when nothing more is wanted: the run ends at once, whatever is on its way. */
	over?: AbortSignal;
}

/**
 * Sends many requests side by side, each when it is its turn among all calls of the credential in this process.
 * A refusal for the plan's limits ends a call only when nothing has moved for the credential for ten minutes.
 * When `failed` ends the run, nothing more is sent, and what is on its way is waited for, since it is paid.
 * Resolves when all that was sent has ended.
 * Throws a ServiceFailure of kind `aborted` when the execution was stopped, and what an event throws or what is
 * thrown that is no ServiceFailure; never because of an answer.
 */
export async function runCalls(
	calls: Call[],
	{ answered, failed, over: unwanted }: CallEvents,
	client: ServiceClient,
): Promise<void> {
	const { stopSignal, time } = client;
	/** Aborted when nothing more is sent. */
	const ended = new AbortController();
	/** Aborted when the run ends at once: the execution was stopped, or nothing more is wanted. */
	const cutOff = unwanted ? AbortSignal.any([stopSignal, unwanted]) : stopSignal;
	const over = AbortSignal.any([cutOff, ended.signal]);
	const sinceMs = time.now();
	const queue = calls.entries();
	let crash: { error: unknown } | undefined;
	const work = async (): Promise<void> => {
		for (const [index, call] of queue) {
			if (over.aborted) return;
			const result = answerOf(await sendPaid(asPaid(call, over, sinceMs), client));
			if (client.stopped) return;
			if (!(result instanceof ServiceFailure)) answered(index, result);
			else if (!over.aborted && failed(index, result)) ended.abort();
		}
	};
	const workers = Array.from(
		{ length: Math.min(MAX_CONCURRENT_CALLS, calls.length) },
		async () =>
			await work().catch((error: unknown) => {
				// A request on its way is paid: it comes to its end.
				crash ??= { error };
				ended.abort();
			}),
	);
	await orAborted(Promise.all(workers), cutOff);
	if (crash) throw crash.error;
	if (client.stopped) throw executionStopped({ mayHaveExecuted: true });
}

/** When a call is sent again: as its method allows, and as long as its work goes on. */
export const callPolicy = (request: ServiceRequest): RetryPolicy => ({ ...POLICIES.call, ...policyFor(request) });

/** The options of a call where nothing else is said. */
const USUAL_CALL = {
	laneOf: 'calls',
	standstillMs: MAX_STANDSTILL_MS,
	onStop: 'cut',
	reads: { isLost: () => false },
	journal: {},
	uncertain: { ifUncertain: 'sendIfCheap' },
} as const;

/** The call as something that may cost. `sinceMs`: since when it waits for its turn, monotonic. */
export function asPaid(call: Call, over: AbortSignal, sinceMs: number): Paid {
	const { policy = callPolicy(call.request) } = call;
	return { ...USUAL_CALL, ...call, policy, over, sinceMs };
}

const answerOf = (sent: Sent): JsonObject | ServiceFailure => ('failure' in sent ? sent.failure : sent.answer);
