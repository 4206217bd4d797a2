import { ServiceFailure } from './failure';
import { readRetryAfterMs } from './pause';
import type { Answer, JsonObject, ServiceRequest } from './transport';

/** Longest piece of the service's own text that is shown. */
const MAX_SHOWN = 500;

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Judges an answer by its HTTP status first (CONTRACT section 3): returns the body of a 2xx answer
 * that is a JSON object, throws a ServiceFailure that a person can act on for everything else.
 * `success: false` with HTTP 200 is returned: the job's state decides, not that flag.
 */
export function readAnswer(
	answer: Answer,
	request: ServiceRequest,
	baseUrl: string,
	wallClockMs: number,
): JsonObject {
	const { status, json } = answer;
	if (status >= 200 && status < 300) {
		if (isJsonObject(json)) return json;
		throw notJson(answer, baseUrl);
	}
	const body = isJsonObject(json) ? json : undefined;
	const said = body ? readErrorText(body) : '';
	const failure = (message: string, more: { notFound?: boolean; retryAfterMs?: number } = {}) =>
		new ServiceFailure({
			kind: 'http',
			reached: provesNothingWasDone(status) ? 'no' : 'maybe',
			httpCode: status,
			message,
			...more,
		});

	if (status >= 300 && status < 400) {
		return raise(
			new ServiceFailure({
				kind: 'redirect',
				reached: 'no',
				httpCode: status,
				message: `${baseUrl} redirects to ${redirectTarget(answer.headers)}: set the base URL in the Web Data API credential to the address it should go to.`,
			}),
		);
	}
	switch (status) {
		case 400:
		case 422: {
			const unknown = body ? readUnknownKeys(body) : [];
			if (unknown.length > 0) {
				const names = unknown.map((name) => `"${name}"`).join(', ');
				return raise(
					failure(
						`This server does not know the option ${names}: remove it, or use a newer server. The service says: ${said}`,
					),
				);
			}
			return raise(failure(`The service refused the request: ${orStatus(said, status)}`));
		}
		case 401:
			return raise(
				failure(
					`The service does not accept the API key: ${orStatus(said, status)}. Check the key in the Web Data API credential.`,
				),
			);
		case 402:
			return raise(failure(`The account has not enough credits: ${orStatus(said, status)}`));
		case 403:
			return raise(failure(`The service does not allow this: ${orStatus(said, status)}`));
		case 404:
			return raise(
				body
					? failure(`The service does not know it: ${orStatus(said, status)}.`, { notFound: true })
					: failure(
							`This operation is not available on this server: ${request.method} ${request.path.split('?')[0]} gives 404 at ${baseUrl}. Check the base URL, or update the server.`,
						),
			);
		case 429:
			return raise(
				new ServiceFailure({
					kind: 'rateLimited',
					reached: 'no',
					httpCode: 429,
					retryAfterMs: readRetryAfterMs(answer.headers, said, wallClockMs),
					message: `The service refuses more requests for now (its limit of requests a minute or of jobs at once): ${orStatus(said, status)}`,
				}),
			);
		default:
			return raise(
				failure(
					status >= 500
						? `The service failed: ${orStatus(said, status)}`
						: `The service refused the request: ${orStatus(said, status)}`,
				),
			);
	}
}

/** A 4xx other than 408 is the service's word that nothing was started. */
function provesNothingWasDone(status: number): boolean {
	return status >= 400 && status < 500 && status !== 408;
}

/**
 * The service's own words from an error body: `error`, else `message`, `detail` or `title`
 * (CONTRACT section 4), with the field problems of `details`. Never throws; empty when there are none.
 */
export function readErrorText(body: JsonObject): string {
	const main = [body.error, body.message, body.detail, body.title].find(
		(value) => typeof value === 'string' && value.trim() !== '',
	);
	const problems = (Array.isArray(body.details) ? body.details.slice(0, 5) : [])
		.filter(isJsonObject)
		.filter((detail) => typeof detail.message === 'string')
		.map((detail) => {
			const path = Array.isArray(detail.path) ? detail.path.slice(0, 8).map(String).join('.') : '';
			return path === '' ? String(detail.message) : `${path}: ${String(detail.message)}`;
		});
	const text = typeof main === 'string' ? main.trim() : '';
	if (problems.length === 0) return shorten(text);
	return shorten(text === '' ? problems.join('; ') : `${text} (${problems.join('; ')})`);
}

/** Names of the options a strict server refused (recordings crawl-31, scrape-23). */
function readUnknownKeys(body: JsonObject): string[] {
	if (!Array.isArray(body.details)) return [];
	return body.details
		.filter(isJsonObject)
		.filter((detail) => detail.code === 'unrecognized_keys' && Array.isArray(detail.keys))
		.flatMap((detail) => (Array.isArray(detail.keys) ? detail.keys.slice(0, 10) : []))
		.map((key) => shorten(String(key)));
}

function notJson(answer: Answer, baseUrl: string): ServiceFailure {
	const text = answer.text.trimStart();
	let what = 'something that is not JSON';
	if (text === '') what = 'an empty body';
	else if (text.startsWith('<')) what = 'a web page instead of JSON';
	else if (text.startsWith('{') || text.startsWith('['))
		what = 'JSON that breaks off or is not an object';
	return new ServiceFailure({
		kind: 'notJson',
		reached: 'maybe',
		httpCode: answer.status,
		message: `${baseUrl} answered with ${what} (HTTP ${answer.status}): check that the base URL in the Web Data API credential is that of the service.`,
	});
}

function redirectTarget(headers: JsonObject): string {
	const entry = Object.entries(headers).find(([name]) => name.toLowerCase() === 'location');
	return entry && typeof entry[1] === 'string'
		? shorten(entry[1]).slice(0, 120)
		: 'another address';
}

function orStatus(said: string, status: number): string {
	return said === '' ? `HTTP ${status}` : said;
}

function shorten(text: string): string {
	// Control characters from outside would break the sentence in logs and in the panel.
	const clean = text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
	return clean.length > MAX_SHOWN ? `${clean.slice(0, MAX_SHOWN)}…` : clean;
}

function raise(failure: ServiceFailure): never {
	throw failure;
}
