import { readErrorText } from '../http/answer';
import { failureOrThrow, ServiceFailure } from '../http/failure';
import { backoffMs } from '../http/retry';
import type { JsonObject } from '../http/transport';
import { MAX_SLEEP_MS } from '../limits/client';
import type { ServiceClient } from '../limits/client';
import { closeRequest } from './sessionList';

/** Longest time that a stopped execution goes on to close its sessions: n8n does not wait for it by then. */
const CLOSE_AFTER_STOP_MS = 4000;

/** Longest time otherwise: by then most sessions have ended by themselves. */
const CLOSE_WITHIN_MS = 60_000;

const TRY_MS = 10_000;

export type Closing =
	| { kind: 'closed'; answer: JsonObject }
	/** It may still be open. */
	| { kind: 'open'; failure: ServiceFailure };

/**
 * Closes a session, and tries again until it is closed or the time is over. A session that the service
 * does not know (404, 410) is closed. Goes on when the execution is stopped, for a few seconds. Throws no
 * ServiceFailure. `stopMs`: the monotonic time at which the execution was seen to be stopped, if it was.
 */
export async function closeSession(
	id: string,
	client: ServiceClient,
	stopMs = Infinity,
): Promise<Closing> {
	const { time } = client;
	const beganMs = time.now();
	let stoppedMs = stopMs;
	const untilMs = () => {
		if (client.stopped) stoppedMs = Math.min(stoppedMs, time.now());
		return Math.min(beganMs + CLOSE_WITHIN_MS, stoppedMs + CLOSE_AFTER_STOP_MS);
	};
	for (let failures = 1; ; failures++) {
		const tryMs = Math.max(1, Math.min(TRY_MS, untilMs() - time.now()));
		const answer = await client
			.sendAfterStop(closeRequest(id), tryMs)
			.then(orNotClosed)
			.catch(failureOrThrow);
		if (!(answer instanceof ServiceFailure)) return { kind: 'closed', answer };
		if (answer.notFound || answer.httpCode === 410) return { kind: 'closed', answer: {} };
		if (isRefused(answer)) return { kind: 'open', failure: answer };
		let nextMs = time.now() + (answer.retryAfterMs ?? backoffMs(failures, time.random()));
		while (time.now() < nextMs) {
			if (client.stopped) nextMs = Math.min(nextMs, time.now() + MAX_SLEEP_MS);
			if (time.now() >= untilMs()) return { kind: 'open', failure: answer };
			await time.sleep(Math.min(MAX_SLEEP_MS, nextMs - time.now()));
		}
	}
}

/** The service may say with HTTP 200 that it has not done it. */
function orNotClosed(answer: JsonObject): JsonObject {
	if (answer.success !== false) return answer;
	const said = readErrorText(answer).replace(/\.+$/, '');
	throw new ServiceFailure({
		kind: 'http',
		reached: 'maybe',
		message: `The service did not close it: ${said === '' ? 'it gives no reason' : said}.`,
	});
}

/** What the service says of the key or the request does not change in seconds. */
function isRefused({ httpCode = 0, kind }: ServiceFailure): boolean {
	if (kind === 'rateLimited') return false;
	return kind === 'redirect' || (httpCode >= 400 && httpCode < 500 && httpCode !== 408);
}
