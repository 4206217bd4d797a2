import { randomUUID } from 'node:crypto';
import { FormBody, frameOf } from '../form';
import type { FileForm } from '../form';
import type { Secrets } from '../secrets';
import { readBytes, readJson, wellFormedBody } from './answerBody';
import type { ByteStream } from './answerBody';
import { originOf } from './credential';
import { ServiceFailure } from './failure';
import { failureFromNetworkError } from './networkFailure';

/**
 * Column of the plan table that a request counts against (docs/reference/service-notes.md#requests-a-minute). `other`: no
 * plan names one, so a refusal there must hold back nothing else.
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
	/** The request goes out as a form, with the body as one of its parts. */
	form?: FileForm;
	bucket: RateLimitBucket;
	/** It changes nothing and costs nothing, whatever its method: it may be sent again. */
	isRead?: true;
	/**
	 * The service's own key of a request that costs (header `x-request-id`): the same one with the same body is the same
	 * execution there, and paid once (docs/reference/service-notes.md#data-tools). So it may be sent again, too.
	 */
	requestId?: string;
}

/** A body that is sent piece by piece, so that it is never whole in memory. */
export interface StreamedBody {
	contentType: string;
	/** Of the whole, sent ahead. */
	bytes: number;
	chunks: AsyncIterable<Uint8Array>;
}

/** The options of a request that leaves the process: an absolute URL and nothing that could carry the key elsewhere. */
export interface HttpOptions {
	method: ServiceRequest['method'];
	url: string;
	query?: JsonObject;
	body?: JsonObject;
	/** Instead of `body`. */
	stream?: StreamedBody;
	/** The header `x-request-id`. */
	requestId?: string;
	timeoutMs: number;
}

/** A raw HTTP answer whose body has not been read yet. */
export interface HttpResponse {
	statusCode: number;
	headers: JsonObject;
	body: ByteStream;
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

/** A header of an answer, by its name in small letters; empty where there is none. */
export function readHeader(headers: JsonObject, name: string): string {
	for (const [key, value] of Object.entries(headers)) {
		if (key.toLowerCase() !== name) continue;
		if (typeof value === 'string') return value;
		if (typeof value === 'number') return String(value);
	}
	return '';
}

/** Longest time one request may take, headers and body each, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Sends one request and reads its answer completely, whatever it is, and takes the key out of it. This
 * is the only way in for what the service says.
 * Throws a ServiceFailure when there is no complete answer: network error, time-out, body too large or
 * nested too deep. What n8n throws for another reason is thrown on.
 * The status is not judged here (see answer.ts).
 */
export async function sendRequest(
	{ http, baseUrl, secrets }: Route,
	{ method, path, query, body: given, form, requestId }: ServiceRequest,
	timeoutMs: number = REQUEST_TIMEOUT_MS,
): Promise<Answer> {
	const body = given && wellFormedBody(given);
	secrets.learn(given);
	const origin = originOf(baseUrl);
	const stream = form && new FormBody(frameOf(form, body, `----n8n${randomUUID()}`), form.file);
	try {
		const response = await http({
			method,
			url: baseUrl + path,
			timeoutMs,
			...(query && { query }),
			...(stream ? { stream } : body && { body }),
			...(requestId !== undefined && { requestId }),
		}).catch((error: unknown) => {
			throw failureFromNetworkError(error, origin);
		});
		const text = (await readBytes(response, origin, timeoutMs)).toString('utf8');
		const json = readJson(text, origin);
		const { statusCode: status, headers } = response;
		return withoutSecrets({ status, headers, json, text }, secrets);
	} catch (error) {
		throw form && stream ? failureOfForm(error, form, stream, origin) : error;
	} finally {
		stream?.close();
	}
}

function withoutSecrets({ status, headers, json, text }: Answer, secrets: Secrets): Answer {
	const answer = { status, headers: secrets.inHeaders(headers) };
	if (status >= 300) {
		return { ...answer, json: secrets.inSaid(json), text: secrets.inMessage(text) };
	}
	if (!secrets.mayBeIn(text)) return { ...answer, json: secrets.inResult(json), text };
	return { ...answer, json: secrets.inResult(secrets.inJson(json)), text: secrets.inText(text) };
}

/** An incomplete upload cannot have been processed: the service never saw its end. */
function failureOfForm(
	error: unknown,
	{ file }: FileForm,
	{ isHandedOver, trouble }: FormBody,
	origin: string,
): unknown {
	const kind = error instanceof ServiceFailure ? error.kind : undefined;
	if (kind === 'aborted' || isHandedOver) return error;
	if (trouble !== undefined) {
		return new ServiceFailure({
			kind: 'badInput',
			mayHaveExecuted: false,
			message: `The file "${file.name}" could not be read: ${trouble}. Nothing was done with it.`,
		});
	}
	if (kind !== 'connection' && kind !== 'timeout') return error;
	const how = kind === 'timeout' ? `${origin} stopped taking it` : `the connection to ${origin} broke`;
	return new ServiceFailure({
		kind,
		mayHaveExecuted: false,
		message: `The file "${file.name}" did not arrive: ${how} while it was sent.`,
	});
}
