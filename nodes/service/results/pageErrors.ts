import { isJsonObject } from '../http/answer';
import type { ServiceClient } from '../limits/client';
import { asFailure } from '../http/failure';
import { jobPath } from '../jobs/jobKinds';
import type { JobKind } from '../jobs/jobKinds';
import type { JsonObject, ServiceRequest } from '../http/transport';

/** Why a job has no result for one page. */
export interface PageError {
	url: string;
	/** `robots`: the site's robots.txt forbids it. */
	cause: 'failed' | 'robots';
	/** Machine code such as SCRAPE_TIMEOUT; empty when the service names none. */
	code: string;
	/** In the service's words. */
	message: string;
	timestamp: string | null;
	/** Of the scrape. */
	id: string | null;
}

/**
 * The pages that an ended job failed on (shape `scrapeErrors`: at the top level or in `data`). Never
 * throws; wrong types count as missing. Undefined when the answer has no such list at all.
 */
export function readPageErrors(body: JsonObject): PageError[] | undefined {
	const data = isJsonObject(body.data) ? body.data : {};
	const errors = [body.errors, data.errors].find(Array.isArray) as unknown[] | undefined;
	const blocked = [body.robotsBlocked, data.robotsBlocked].find(Array.isArray) as
		unknown[] | undefined;
	if (!errors && !blocked) return undefined;
	return [
		...(errors ?? []).filter(isJsonObject).map(readError),
		...(blocked ?? []).filter(isText).map(blockedPage),
	];
}

function readError({ url, code, error, message, timestamp, id }: JsonObject): PageError {
	return {
		url: isText(url) ? url : '',
		cause: 'failed',
		code: isText(code) ? code : '',
		message: [error, message].find(isText) ?? 'The service gives no reason.',
		timestamp: isText(timestamp) ? timestamp : null,
		id: isText(id) ? id : null,
	};
}

function blockedPage(url: string): PageError {
	const message = 'The robots.txt of the site forbids this page.';
	return { url, cause: 'robots', code: '', message, timestamp: null, id: null };
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

/** Asks for the pages that an ended job failed on. Throws a ServiceFailure. */
export async function fetchPageErrors(
	client: ServiceClient,
	kind: JobKind,
	id: string,
): Promise<PageError[]> {
	const { errorsPath, olderErrorsPath, statusBucket: bucket } = kind;
	if (errorsPath === undefined) return [];
	const request: ServiceRequest = { method: 'GET', path: jobPath(errorsPath, id), bucket };
	const older = olderErrorsPath === undefined ? undefined : jobPath(olderErrorsPath, id);
	return readPageErrors(await callWithOlderPath(client, request, older)) ?? [];
}

/**
 * Calls, and asks once more at the path of older servers when the answer is a 404 that is not the
 * service's own, which is how a missing route answers (CONTRACT section 15, recording batch-07).
 */
export async function callWithOlderPath(
	client: ServiceClient,
	request: ServiceRequest,
	olderPath: string | undefined,
): Promise<JsonObject> {
	return await client.call(request).catch(async (error: unknown) => {
		const failure = asFailure(error);
		const isMissingRoute = failure.httpCode === 404 && !failure.notFound;
		if (!isMissingRoute || olderPath === undefined) throw failure;
		return await client.call({ ...request, path: olderPath });
	});
}
