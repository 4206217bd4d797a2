import type { RetryAfterStyle } from '../account/plan.ts';

/** An answer before it is written to the wire. A string body is sent as it is, anything else as JSON. */
export interface Answer {
	status: number;
	headers?: Record<string, string>;
	body: unknown;
	/** Default: JSON. */
	contentType?: string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';

/** A JSON answer. */
export function jsonAnswer(status: number, body: unknown, headers?: Record<string, string>): Answer {
	return headers ? { status, body, headers } : { status, body };
}

/** The body as it goes over the wire. */
export function bodyText(answer: Answer): string {
	return typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
}

function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The page a missing route gives: HTML, not the JSON envelope (recordings dr-42 to dr-44, other-06). */
export function routeNotFound(method: string, url: string): Answer {
	const path = url.split('?', 1)[0] ?? url;
	const body = `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot ${method} ${escapeHtml(path)}</pre>\n</body>\n</html>`;
	return { status: 404, contentType: HTML_TYPE, body };
}

/** Text of every 429 that does not say how long to wait (docs/reference/service-notes.md#one-text-for-two-limits). */
export const RATE_LIMIT_TEXT = 'Request rate limit exceeded. Please wait and try again later.';

const NO_CREDITS_TEXT =
	'Insufficient credits to perform this request. For more credits, you can upgrade your plan at https://firecrawl.dev/pricing or try changing the request limit to a lower value.';

/** Thrown where a request is refused: what it is answered with. */
export class Refused extends Error {
	readonly answer: Answer;
	constructor(answer: Answer) {
		super(`Refused with ${answer.status}`);
		this.answer = answer;
	}
}

/** What the work answers, also where it refuses. */
export async function answered(work: () => Answer | Promise<Answer>): Promise<Answer> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof Refused) return error.answer;
		throw error;
	}
}

/** A failure in the service's envelope. */
export function refusal(status: number, error: string, extra?: Record<string, unknown>): Answer {
	return jsonAnswer(status, { success: false, ...extra, error });
}

/** 429 for an address that has used up what it may ask for without a key (docs/reference/service-notes.md#without-a-key). */
export function addressUsedUp(reason: string, seconds: number): Answer {
	return refusal(429, `The ${reason} without a key are used up`, {
		reason,
		retry_after_seconds: seconds,
		signup_url: 'https://firecrawl.dev/k/sandbox',
	});
}

/** 402 for a start with nothing left (recording auth-20). */
export function noCreditsLeft(): Answer {
	return refusal(402, NO_CREDITS_TEXT);
}

/**
 * 500 for what a server did not foresee; the id is 32 hexadecimal digits. One that checks no keys sends to
 * its own logs (recordings plain-01, auth26-10).
 */
export function unknownError(exceptionId: string, checksKeys: boolean): Answer {
	return refusal(
		500,
		checksKeys
			? `An unexpected error occurred. Please contact help@firecrawl.com for help. Your exception ID is ${exceptionId}`
			: `An error occurred. Please check your logs for more details. Error ID: ${exceptionId}`,
		{ code: 'UNKNOWN_ERROR' },
	);
}

/** 400 for a search with wrong fields (recording search-04). */
export function badSearch(details: readonly unknown[]): Answer {
	return jsonAnswer(400, { success: false, error: 'Invalid request body', details });
}

/** 403 for a setting that an account must be unlocked for (recordings crawl-124, batch-68 of 2026). */
export function noZeroDataRetention(): Answer {
	return refusal(
		403,
		'Zero Data Retention (ZDR) is not enabled for your team. Contact support@firecrawl.com to enable this feature.',
	);
}

/** 400 for a body that is not JSON (recording dr-22). */
export function malformedJson(): Answer {
	return refusal(400, 'Bad request, malformed JSON', { code: 'BAD_REQUEST_INVALID_JSON' });
}

/** 400 for a body with wrong fields; `details` are zod's issues (recordings dr-20 to dr-33). */
export function badRequest(details: readonly unknown[], error = 'Bad Request'): Answer {
	return jsonAnswer(400, { success: false, code: 'BAD_REQUEST', error, details });
}

/**
 * 429 for more requests a minute, or more jobs at once, than the plan allows. When a job ends is not known, so that
 * wait is a modest guess.
 */
export function tooMany(style: RetryAfterStyle, waitMs: number): Answer {
	const body = { success: false, error: RATE_LIMIT_TEXT };
	const seconds = Math.max(1, Math.ceil(waitMs / 1000));
	return jsonAnswer(429, body, style === 'seconds' ? { 'retry-after': String(seconds) } : {});
}

/** An operation that is to go: its path as it names itself, and what takes its place, if anything does. */
export interface Deprecated {
	path: string;
	replacement?: string;
	/** What is said after the path, without a full stop. Default: to use the replacement. */
	advice?: string;
}

/**
 * The answer with what a server of 2026 adds to those of an operation that is to go: `warnings` and
 * `replacement` in the body, Deprecation, Link and Warning among the headers (recordings dr26-01, dr26-50).
 */
export function withDeprecation(answer: Answer, { path, replacement, advice }: Deprecated): Answer {
	const { body } = answer;
	if (typeof body !== 'object' || body === null) return answer;
	const sentence = `${path} is deprecated${advice ?? `. Use ${replacement ?? 'another'} instead`}.`;
	return {
		...answer,
		body: { ...body, warnings: [sentence], ...(replacement !== undefined && { replacement }) },
		headers: {
			...answer.headers,
			deprecation: 'true',
			...(replacement !== undefined && { link: `<${replacement}>; rel="successor-version"` }),
			warning: `299 - "${sentence}"`,
		},
	};
}
