import { failureOrThrow, ServiceFailure } from '../http/failure';
import { retry } from '../http/retry';
import type { JsonObject, ServiceRequest } from '../http/transport';
import { ABSENCE_MS, deniedPauseMs } from '../jobs/jobAbsence';
import type { ServiceClient } from '../limits/client';

/**
 * Asks for something of a job that a status request has shown. The machine that answers this time may not
 * have it yet, so a 404 counts only after a minute of them. Throws a ServiceFailure.
 */
export async function callOfShownJob(
	client: ServiceClient,
	request: ServiceRequest,
): Promise<JsonObject> {
	const { time } = client;
	const endMs = time.now() + ABSENCE_MS;
	let denials = 0;
	const pauseMs = (answer: JsonObject | ServiceFailure) => {
		denials += 1;
		const isDenied = answer instanceof ServiceFailure && answer.notFound;
		return isDenied && time.now() < endMs ? deniedPauseMs(denials, time.random()) : undefined;
	};
	const answer = await retry<JsonObject | ServiceFailure>(
		{ pauseMs, sleep: async (ms) => await client.pause(ms) },
		async () => await client.call(request).catch(failureOrThrow),
	);
	if (answer instanceof ServiceFailure) throw answer;
	return answer;
}
