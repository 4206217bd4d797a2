import { trimEnd } from '../text/ends';
import type { ServiceClient } from './client';
import { readErrorText } from './http/answer';
import { ServiceFailure, failureOrThrow } from './http/failure';
import { Attempts, POLICIES, SHOWN_WITHIN_MS } from './http/retry';
import { MAX_SLEEP_MS, sleep } from './http/time';
import type { JsonObject, ServiceRequest } from './http/transport';

/** Longest time that a stopped execution continues to close its sessions: n8n does not wait for it by then. */
const CLOSE_AFTER_STOP_MS = 4000;

/** Longest time otherwise: by then most sessions have ended by themselves. */
const CLOSE_WITHIN_MS = 60_000;

const TRY_MS = 10_000;

export type Closing =
	/** `isUnknown`: the service denies it. */
	| { kind: 'closed'; answer: JsonObject; isUnknown?: true }
	/** It may still be open. */
	| { kind: 'open'; failure: ServiceFailure };

/**
 * The request that closes a session; the id must have passed readJobId. Safe to repeat (recording browser-52). It is
 * never held back by the pauses of opening, and holds nothing else back: what it ends costs by the minute.
 */
function closeRequest(id: string): ServiceRequest {
	return { method: 'DELETE', path: `/v2/interact/${id}`, bucket: 'other' };
}

/**
 * Closes a session, and tries again until it is closed or the time is over. A session that has ended (410), or
 * that the service continues to deny (404), is closed. Goes on when the execution is stopped, for a few seconds. Throws no
 * ServiceFailure. `stopMs`: the monotonic time at which the execution was seen to be stopped, if it was.
 */
export async function closeSession(id: string, client: ServiceClient, stopMs = Infinity): Promise<Closing> {
	const { time } = client;
	const beganMs = time.now();
	let stoppedMs = stopMs;
	const untilMs = () => {
		if (client.stopped) stoppedMs = Math.min(stoppedMs, time.now());
		return Math.min(beganMs + CLOSE_WITHIN_MS, stoppedMs + CLOSE_AFTER_STOP_MS);
	};
	const attempts = new Attempts(POLICIES.close, time);
	for (;;) {
		const tryMs = Math.max(1, Math.min(TRY_MS, untilMs() - time.now()));
		const answer = await client.sendAfterStop(closeRequest(id), tryMs).then(orNotClosed).catch(failureOrThrow);
		if (!(answer instanceof ServiceFailure)) return { kind: 'closed', answer };
		if (answer.httpCode === 410) return { kind: 'closed', answer: {} };
		const next = attempts.after(answer, { deadlineMs: untilMs() });
		// Machines that do not know it yet answer 404 for seconds after its opening, and no longer.
		const isGone = answer.notFound && time.now() >= (attempts.deniedSinceMs ?? Infinity) + SHOWN_WITHIN_MS;
		if (isGone) return { kind: 'closed', answer: {}, isUnknown: true };
		const open: Closing = { kind: 'open', failure: answer };
		if (typeof next === 'string') return open;
		while (time.now() < next.atMs && time.now() < untilMs()) {
			const ms = next.atMs - time.now();
			if (client.stopped) await sleep(time, Math.min(MAX_SLEEP_MS, ms));
			else await client.pause(ms);
		}
		if (time.now() >= untilMs()) return open;
	}
}

/** The service may say with HTTP 200 that it has not done it. */
function orNotClosed(answer: JsonObject): JsonObject {
	if (answer.success !== false) return answer;
	const said = trimEnd(readErrorText(answer), /\./);
	throw new ServiceFailure({
		kind: 'http',
		mayHaveExecuted: true,
		message: `The service did not close it: ${said === '' ? 'it gives no reason' : said}.`,
	});
}
