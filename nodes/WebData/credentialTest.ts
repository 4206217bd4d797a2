import type { ICredentialsDecrypted, ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';
import { readResponse } from '../run/connection/connect';
import { processClock } from '../run/connection/processClock';
import { readAnswer } from '../service/http/answer';
import { authorizationFor, normalizeBaseUrl } from '../service/http/credential';
import { reasonOf, ServiceFailure } from '../service/http/failure';
import { sendRequest } from '../service/http/transport';
import type { HttpCall } from '../service/http/transport';
import { WORKS_WITHOUT_KEY, isWithoutKey, missingKeyText } from '../service/http/withoutKey';
import { Secrets, normalizeKey } from '../service/secrets';
import { getActive } from './resources/crawl';

const TIMEOUT_MS = 15_000;

/**
 * Tests a credential with the list of active crawls, which is read-only and free
 * (docs/reference/service-notes.md#active-crawls). A function and not n8n's declarative test, because that one shows bare
 * words such as "Unauthorized" or "ECONNREFUSED" and takes a web page with status 200 for success (n8n 1.123
 * and 2.40).
 */
export async function webDataApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { data = {} } = credential;
	const secrets = new Secrets(typeof data.apiKey === 'string' ? data.apiKey : '');
	let baseUrl = '';
	try {
		baseUrl = normalizeBaseUrl(data.baseUrl);
		const route = { http: httpCall(this, data), baseUrl, secrets };
		const answer = await sendRequest(route, getActive.request, TIMEOUT_MS);
		// The path is the service's own: only another server does not know it.
		if (answer.status === 404) {
			return {
				status: 'Error',
				message: `${baseUrl} answers, but there is no web data service at this address (HTTP 404): check the base URL.`,
			};
		}
		const body = readAnswer(answer, getActive.request, baseUrl, processClock.wallClock());
		if (getActive.readList(body)) return { status: 'OK', message: 'Connection successful' };
		return {
			status: 'Error',
			message: `${baseUrl} answers, but not as the web data service does: check the base URL.`,
		};
	} catch (error) {
		const message = reasonOf(error);
		const httpCode = error instanceof ServiceFailure ? error.httpCode : undefined;
		const key = normalizeKey(data.apiKey);
		const isRefused = httpCode === 401 && key === '';
		if (isRefused && isWithoutKey(baseUrl, key)) return { status: 'OK', message: WORKS_WITHOUT_KEY };
		return { status: 'Error', message: secrets.inMessage(isRefused ? missingKeyText(baseUrl) : message) };
	}
}

/** The only way out that n8n gives a credential test is its older request helper. */
function httpCall({ helpers }: ICredentialTestFunctions, credential: Record<string, unknown>): HttpCall {
	return async ({ method, url, timeoutMs }) => {
		const response: unknown = await helpers.request({
			method,
			uri: url,
			headers: { Accept: 'application/json', ...authorizationFor(new URL(url), credential) },
			timeout: timeoutMs,
			followRedirect: false,
			resolveWithFullResponse: true,
			simple: false,
			useStream: true,
		});
		return readResponse(response);
	};
}
