import { readAnswer } from '../http/answer';
import { missingKeyText } from '../http/credential';
import { failureOrThrow } from '../http/failure';
import type { ServiceFailure } from '../http/failure';
import { backoffMs, MAX_RETRIES, mayRetry } from '../http/retry';
import type { Secrets } from '../secrets/secrets';
import type { Time } from '../http/time';
import { sendRequest } from '../http/transport';
import type { HttpCall, JsonObject, ServiceRequest } from '../http/transport';

/** How long a run looks for a service that does not answer at all, in milliseconds. */
const FIRST_CONTACT_MS = 4000;

export interface ExchangeParts {
	/** Normalized (see normalizeBaseUrl). */
	baseUrl: string;
	time: Time;
	/** What must not be seen of the answers. */
	secrets: Secrets;
	/** False for a credential without a key, as a self-hosted service takes it. */
	hasKey?: boolean;
	/** How the panel calls the parameters that a refusal names: a sentence after a blank, or nothing. */
	namesInPanel?: (said: string) => string;
}

/** A good answer, and when it came. */
export interface Received {
	body: JsonObject;
	headers: JsonObject;
	/** Monotonic milliseconds. */
	receivedMs: number;
}

/** True for a refusal of the request as such: the service could not read it, or not take what it says. */
function isAboutParameters({ httpCode, isMissingOnServer }: ServiceFailure): boolean {
	return (httpCode === 400 || httpCode === 422) && !isMissingOnServer;
}

/** One request and what its answer means, of one execution, which learns whether anybody is there. */
export class Exchange {
	/** True once the service has answered anything in this run. */
	private wasAnswered = false;

	private firstTryMs: number | undefined;

	constructor(private readonly parts: ExchangeParts) {}

	/** Sends once and judges the answer. Throws ServiceFailure. */
	async send(http: HttpCall, request: ServiceRequest, timeoutMs: number): Promise<Received> {
		return await this.receive(http, request, timeoutMs).catch((error: unknown) => {
			const { baseUrl, hasKey, secrets, namesInPanel } = this.parts;
			const failure = failureOrThrow(error);
			failure.message = secrets.inMessage(failure.message);
			if (isAboutParameters(failure)) failure.message += namesInPanel?.(failure.message) ?? '';
			if (failure.httpCode === 401 && hasKey === false) failure.message = missingKeyText(baseUrl);
			throw failure;
		});
	}

	private async receive(
		http: HttpCall,
		request: ServiceRequest,
		timeoutMs: number,
	): Promise<Received> {
		const { baseUrl, secrets, time } = this.parts;
		this.firstTryMs ??= time.now();
		const answer = await sendRequest({ http, baseUrl, secrets }, request, timeoutMs);
		this.wasAnswered = true;
		const receivedMs = time.now();
		const body = readAnswer(answer, request, baseUrl, time.wallClock());
		return { body, headers: answer.headers, receivedMs };
	}

	/**
	 * May a request be sent again after so many failures in a row? As retry.ts says; but where a run finds
	 * nobody at all it ends soon: an address is wrong more often than a service is down for seconds.
	 */
	mayTryAgain(
		method: ServiceRequest['method'],
		failure: ServiceFailure,
		failures: number,
	): boolean {
		if (failures > MAX_RETRIES || !mayRetry(method, failure)) return false;
		const isNobodyThere = failure.kind === 'unreachable' || failure.kind === 'tls';
		if (this.wasAnswered || !isNobodyThere) return true;
		const now = this.parts.time.now();
		return now + backoffMs(failures, 0) - (this.firstTryMs ?? now) <= FIRST_CONTACT_MS;
	}
}
