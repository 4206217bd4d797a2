import { failureOrThrow, ServiceFailure } from '../http/failure';
import { backoffMs, MAX_RETRIES, retry } from '../http/retry';
import type { JsonObject, ServiceRequest } from '../http/transport';
import { ABSENCE_MS, deniedPauseMs } from '../jobs/jobAbsence';
import type { ServiceClient } from '../limits/client';

/**
 * Asks for something of a job that a status request has shown. The machine that answers this time may not
 * have it yet, so a 404 counts only after a minute of them. `problemOf` tells what is wrong with an answer that
 * cannot be used: it is asked for again like one that is not JSON. Throws a ServiceFailure.
 */
export async function callOfShownJob(
	client: ServiceClient,
	request: ServiceRequest,
	problemOf?: (answer: JsonObject) => ServiceFailure | undefined,
): Promise<JsonObject> {
	const { time } = client;
	const endMs = time.now() + ABSENCE_MS;
	let denials = 0;
	let unusable = 0;
	let problem: ServiceFailure | undefined;
	const pauseMs = (answer: JsonObject | ServiceFailure) => {
		if (problem) {
			unusable += 1;
			return unusable <= MAX_RETRIES ? backoffMs(unusable, time.random()) : undefined;
		}
		denials += 1;
		const isDenied = answer instanceof ServiceFailure && answer.notFound;
		return isDenied && time.now() < endMs ? deniedPauseMs(denials, time.random()) : undefined;
	};
	const answer = await retry<JsonObject | ServiceFailure>(
		{ pauseMs, sleep: async (ms) => await client.pause(ms) },
		async () => {
			const given = await client.call(request).catch(failureOrThrow);
			problem = given instanceof ServiceFailure ? undefined : problemOf?.(given);
			return problem ?? given;
		},
	);
	if (answer instanceof ServiceFailure) throw answer;
	return answer;
}
