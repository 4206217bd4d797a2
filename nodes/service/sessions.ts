import { readErrorText } from './http/answer';
import { ServiceFailure, failureOrThrow } from './http/failure';
import { backoffMs, deniedPauseMs, retry } from './http/retry';
import type { RetryPolicy } from './http/retry';
import { MAX_SLEEP_MS, sleep } from './http/time';
import type { JsonObject, ServiceRequest } from './http/transport';
import type { ServiceClient } from './limits/client';
import { trimEnd } from '../text/ends';

/** Longest time that a stopped execution continues to close its sessions: n8n does not wait for it by then. */
const CLOSE_AFTER_STOP_MS = 4000;

/** Longest time otherwise: by then most sessions have ended by themselves. */
const CLOSE_WITHIN_MS = 60_000;

const TRY_MS = 10_000;

export type Closing =
	| { kind: 'closed'; answer: JsonObject }
	/** It may still be open. */
	| { kind: 'open'; failure: ServiceFailure };

/**
 * So long the service must deny a session without a break before it counts as gone, in milliseconds: machines
 * that do not know it yet answer 404 for seconds after its opening.
 */
export const SESSION_ABSENCE_MS = 15_000;

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
	let deniedMs: number | undefined;
	const untilMs = () => {
		if (client.stopped) stoppedMs = Math.min(stoppedMs, time.now());
		return Math.min(beganMs + CLOSE_WITHIN_MS, stoppedMs + CLOSE_AFTER_STOP_MS);
	};
	let failures = 0;
	const tryOnce = async (): Promise<Closing> => {
		const tryMs = Math.max(1, Math.min(TRY_MS, untilMs() - time.now()));
		const answer = await client.sendAfterStop(closeRequest(id), tryMs).then(orNotClosed).catch(failureOrThrow);
		if (!(answer instanceof ServiceFailure)) return { kind: 'closed', answer };
		deniedMs = answer.notFound ? (deniedMs ?? time.now()) : undefined;
		const isGone = deniedMs !== undefined && time.now() >= deniedMs + SESSION_ABSENCE_MS;
		if (isGone || answer.httpCode === 410) return { kind: 'closed', answer: {} };
		return { kind: 'open', failure: answer };
	};
	const policy: RetryPolicy<Closing> = {
		pauseMs: (closing) => {
			failures += 1;
			if (closing.kind === 'closed' || isRefused(closing.failure)) return undefined;
			const ms = pauseAfter(closing.failure, failures, time.random());
			return Math.min(ms, untilMs() - time.now());
		},
		sleep: async (ms) => {
			if (client.stopped) await sleep(time, Math.min(MAX_SLEEP_MS, ms));
			else await client.pause(ms);
		},
		isOver: () => time.now() >= untilMs(),
	};
	return await retry(policy, tryOnce);
}

function pauseAfter(failure: ServiceFailure, failures: number, random: number): number {
	if (failure.notFound) return deniedPauseMs(failures, random);
	return failure.retryAfterMs ?? backoffMs(failures, random);
}

/** The service may say with HTTP 200 that it has not done it. */
function orNotClosed(answer: JsonObject): JsonObject {
	if (answer.success !== false) return answer;
	const said = trimEnd(readErrorText(answer), /\./);
	throw new ServiceFailure({
		kind: 'http',
		reached: 'maybe',
		message: `The service did not close it: ${said === '' ? 'it gives no reason' : said}.`,
	});
}

/** What the service says of the key or the request does not change in seconds. */
function isRefused({ httpCode = 0, kind, notFound }: ServiceFailure): boolean {
	if (kind === 'rateLimited' || notFound) return false;
	return kind === 'redirect' || (httpCode >= 400 && httpCode < 500 && httpCode !== 408);
}
