import { ServiceFailure } from './failure';
import { isNestedDeeper, MAX_NESTING } from './nesting';
import { failureFromNetworkError } from './networkFailure';
import type { Secrets } from './secrets';

/**
 * Column of the plan table that a request counts against (CONTRACT section 5). `other`: the contract
 * names none, so a refusal there must hold back nothing else.
 */
export type RateLimitBucket =
	| 'scrape'
	| 'map'
	| 'crawl'
	| 'search'
	| 'agent'
	| 'crawlStatus'
	| 'agentStatus'
	| 'interact'
	| 'interactExecute'
	| 'other';

export type JsonObject = Record<string, unknown>;

/** One request to the service, before it has an address. `path` starts with the API version: `/v2/…`. */
export interface ServiceRequest {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	path: string;
	query?: JsonObject;
	body?: JsonObject;
	bucket: RateLimitBucket;
}

/** What leaves the process: an absolute URL and nothing that could carry the key elsewhere. */
export interface HttpOptions {
	method: ServiceRequest['method'];
	url: string;
	query?: JsonObject;
	body?: JsonObject;
	timeoutMs: number;
}

/** A raw HTTP answer whose body has not been read yet. */
export interface HttpResponse {
	statusCode: number;
	headers: JsonObject;
	body: AsyncIterable<Uint8Array> & { destroy(reason?: Error): unknown };
}

/** The injected way out. It adds the credential, follows no redirect and throws on network errors only. */
export type HttpCall = (options: HttpOptions) => Promise<HttpResponse>;

/** Everything that a request needs to reach the service, and that its answer needs to be shown. */
export interface Route {
	http: HttpCall;
	/** Normalized (see normalizeBaseUrl). */
	baseUrl: string;
	secrets: Secrets;
}

/** An answer that was read to its end, without the key. `json` is undefined when the body is not JSON. */
export interface Answer {
	status: number;
	headers: JsonObject;
	json: unknown;
	text: string;
}

/**
 * Largest body that is read, in bytes. A result slice of the service holds up to 10 MiB of pages
 * (CONTRACT section 9); the rest is room for one oversized page. More is refused, not buffered.
 */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Longest time one request may take, headers and body each, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Sends one request and reads its answer completely, whatever it is, and takes the key out of it. This
 * is the only way in for what the service says.
 * Throws a ServiceFailure when there is no complete answer: network error, time-out, body too large or
 * nested too deep.
 * The status is not judged here (see answer.ts).
 */
export async function sendRequest(
	{ http, baseUrl, secrets }: Route,
	request: ServiceRequest,
	timeoutMs: number = REQUEST_TIMEOUT_MS,
): Promise<Answer> {
	const { method, path, query, body } = request;
	const { origin } = new URL(baseUrl);
	const response = await http({
		method,
		url: baseUrl + path,
		timeoutMs,
		...(query && { query }),
		...(body && { body }),
	}).catch((error: unknown) => {
		throw failureFromNetworkError(error, origin);
	});
	const text = (await readBytes(response, origin, timeoutMs)).toString('utf8');
	const json = parseJson(text);
	if (isNestedDeeper(json, MAX_NESTING)) throw tooDeep(origin);
	const { statusCode: status, headers } = response;
	return withoutSecrets({ status, headers, json, text }, secrets);
}

function withoutSecrets({ status, headers, json, text }: Answer, secrets: Secrets): Answer {
	const shown = Object.entries(headers).map(([name, value]) => [name, secrets.inJson(value)]);
	const answer = { status, headers: Object.fromEntries(shown) as JsonObject };
	if (!secrets.mayBeIn(text)) return { ...answer, json, text };
	return { ...answer, json: secrets.inJson(json), text: secrets.inText(text) };
}

/**
 * Reads a body with an end to its size (MAX_BODY_BYTES) and to its time, in milliseconds. Throws a
 * ServiceFailure that names the origin when it does not come to its end.
 */
export async function readBytes(
	{ body }: HttpResponse,
	origin: string,
	timeoutMs: number,
): Promise<Buffer> {
	// It takes whole milliseconds only, and throws at the fraction that a monotonic clock leaves.
	const deadline = AbortSignal.timeout(Math.ceil(timeoutMs));
	const giveUp = () => body.destroy(new Error('body too slow'));
	deadline.addEventListener('abort', giveUp, { once: true });
	const chunks = await collect(body, origin)
		.catch((error: unknown) => {
			if (deadline.aborted) throw tooSlow(origin, timeoutMs);
			throw failureFromNetworkError(error, origin, 'reading');
		})
		.finally(() => {
			deadline.removeEventListener('abort', giveUp);
		});
	return Buffer.concat(chunks);
}

async function collect(body: HttpResponse['body'], origin: string): Promise<Uint8Array[]> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.byteLength;
		if (size > MAX_BODY_BYTES) {
			body.destroy();
			throw tooLarge(origin);
		}
		chunks.push(chunk);
	}
	return chunks;
}

/** The content type is not asked: servers behind proxies send JSON as text/plain and HTML as JSON. */
function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function tooLarge(origin: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'tooLarge',
		reached: 'maybe',
		message: `The answer from ${origin} is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB and was not read to the end.`,
	});
}

function tooDeep(origin: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'tooLarge',
		reached: 'maybe',
		message: `The answer from ${origin} is nested more than ${MAX_NESTING} levels deep, which n8n cannot store, so it was not used.`,
	});
}

function tooSlow(origin: string, timeoutMs: number): ServiceFailure {
	return new ServiceFailure({
		kind: 'timeout',
		reached: 'maybe',
		message: `The answer from ${origin} was not complete after ${Math.round(timeoutMs / 1000)} seconds.`,
	});
}
