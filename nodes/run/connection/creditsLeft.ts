import type { ServiceClient } from '../../service/client';
import { isJsonObject } from '../../service/http/answer';
import { failureOrThrow } from '../../service/http/failure';
import type { ServiceRequest } from '../../service/http/transport';

/** The time that an answer may take which is only asked for to be sure. */
const CREDITS_TIMEOUT_MS = 15_000;

/** The credits that the account has left: a server without credits has no end of them; NaN where it is not known. */
export async function creditsLeft(client: ServiceClient): Promise<number> {
	const request: ServiceRequest = {
		method: 'GET',
		path: '/v2/team/credit-usage',
		bucket: 'crawlStatus',
	};
	try {
		const { data } = (await client.send(request, CREDITS_TIMEOUT_MS)).body;
		const { remainingCredits, remaining_credits: older } = isJsonObject(data) ? data : {};
		return Number(remainingCredits ?? older ?? Infinity);
	} catch (error) {
		const failure = failureOrThrow(error);
		if (failure.kind === 'aborted') throw failure;
		// A server without a database has no end of credits (recordings plain-30 to plain-33).
		return failure.httpCode === 404 || failure.isMissingOnServer ? Infinity : NaN;
	}
}
