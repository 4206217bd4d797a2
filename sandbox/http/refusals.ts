import { jsonAnswer } from './answer.ts';
import type { RetryAfterStyle } from '../account/plan.ts';
import type { Answer } from './answer.ts';

/** Text of every 429 that does not say how long to wait (docs/service-notes.md#one-text-for-two-limits). */
export const RATE_LIMIT_TEXT = 'Request rate limit exceeded. Please wait and try again later.';

const NO_CREDITS_TEXT =
	'Insufficient credits to perform this request. For more credits, you can upgrade your plan at https://firecrawl.dev/pricing or try changing the request limit to a lower value.';

/** A failure in the service's envelope. */
export function refusal(status: number, error: string, extra?: Record<string, unknown>): Answer {
	return jsonAnswer(status, { success: false, ...extra, error });
}

/** 402 for a start with nothing left (recording auth-20). */
export function noCreditsLeft(): Answer {
	return refusal(402, NO_CREDITS_TEXT);
}

/**
 * 500 for what a server did not foresee; the id is 32 hexadecimal digits (recordings of 2025: scrape-28,
 * crawl-39, crawl-44). One of 2026 that checks no keys sends to its own logs (plain-01, auth26-10).
 */
export function unknownError(
	exceptionId: string,
	generation: 2025 | 2026,
	checksKeys: boolean,
): Answer {
	const isOwn = generation === 2026 && !checksKeys;
	return refusal(
		500,
		isOwn
			? `An error occurred. Please check your logs for more details. Error ID: ${exceptionId}`
			: `An unexpected error occurred. Please contact help@firecrawl.com for help. Your exception ID is ${exceptionId}`,
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

/** The moment as `Sat Nov 21 2026 01:51:35 GMT+0000 (Coordinated Universal Time)`, whatever the machine's zone. */
function longUtcDate(atMs: number): string {
	const [weekday = '', day = '', month = '', year = '', time = ''] = new Date(atMs)
		.toUTCString()
		.replace(',', '')
		.split(' ');
	return `${weekday} ${month} ${day} ${year} ${time} GMT+0000 (Coordinated Universal Time)`;
}

function retryAfterHeader(
	style: RetryAfterStyle,
	retryAtMs: number,
	nowMs: number,
): Record<string, string> {
	const waitSeconds = Math.max(1, Math.ceil((retryAtMs - nowMs) / 1000));
	if (style === 'seconds') return { 'retry-after': String(waitSeconds) };
	// An HTTP date has whole seconds: rounding down would send the client back too early.
	if (style === 'date') {
		return { 'retry-after': new Date(Math.ceil(retryAtMs / 1000) * 1000).toUTCString() };
	}
	return {};
}

/** 429 for more requests a minute than the plan allows. Style `text` words it as recording auth-30 does. */
export function tooManyRequests(
	style: RetryAfterStyle,
	window: { consumed: number; resetsAtMs: number },
	nowMs: number,
): Answer {
	if (style === 'text') {
		const waitSeconds = Math.max(1, Math.ceil((window.resetsAtMs - nowMs) / 1000));
		return refusal(
			429,
			`Rate limit exceeded. Consumed (req/min): ${window.consumed}, Remaining (req/min): 0. Upgrade your plan at https://firecrawl.dev/pricing for increased rate limits or please retry after ${waitSeconds}s, resets at ${longUtcDate(window.resetsAtMs)}`,
		);
	}
	return jsonAnswer(
		429,
		{ success: false, error: RATE_LIMIT_TEXT },
		retryAfterHeader(style, window.resetsAtMs, nowMs),
	);
}

/** 429 for more jobs at once than the plan allows. When one ends is not known, so the wait is a modest guess. */
export function tooManyJobs(style: RetryAfterStyle, guessedWaitMs: number, nowMs: number): Answer {
	return jsonAnswer(
		429,
		{ success: false, error: RATE_LIMIT_TEXT },
		retryAfterHeader(style, nowMs + guessedWaitMs, nowMs),
	);
}
