import { failureOrThrow, ServiceFailure } from '../http/failure';
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
	for (let denials = 1; ; denials++) {
		const answer = await client.call(request).catch(failureOrThrow);
		if (!(answer instanceof ServiceFailure)) return answer;
		if (!answer.notFound || time.now() >= endMs) throw answer;
		await client.pause(deniedPauseMs(denials, time.random()));
	}
}
