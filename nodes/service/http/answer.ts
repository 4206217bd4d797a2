import { trimEnd } from '../../text/ends';
import { ServiceFailure, notTheService, shorten } from './failure';
import type { FailureFacts } from './failure';
import type { Problem } from './refusal';
import { droppedRoute, missingOnServer, readErrorText, readProblems, withCode } from './refusal';
import { readRetryAfterMs } from './retry';
import { routedSiteText } from './routedSites';
import { readHeader } from './transport';
import type { Answer, JsonObject, ServiceRequest } from './transport';

export { readErrorText, withCode } from './refusal';

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Judges an answer by its HTTP status first (docs/reference/service-notes.md#envelope): returns the body of a 2xx answer
 * that is a JSON object, throws a ServiceFailure that a person can act on for everything else.
 * `success: false` with HTTP 200 is returned: the job's state decides, not that flag.
 */
export function readAnswer(answer: Answer, request: ServiceRequest, baseUrl: string, wallClockMs: number): JsonObject {
	const { status, json } = answer;
	const isGood = status >= 200 && status < 300;
	if (isGood && isJsonObject(json)) return json;
	if (!isGood) throw refusalOf(answer, request, baseUrl, wallClockMs);
	if (request.method === 'DELETE' && isPlain(answer)) return {};
	throw notJson(answer, baseUrl);
}

/** What an answer that is no good one says, and what to do about it. */
function refusalOf(answer: Answer, request: ServiceRequest, baseUrl: string, wallClockMs: number): ServiceFailure {
	const { status, json } = answer;
	const body = isJsonObject(json) ? json : undefined;
	const said = body ? withCode(readErrorText(body), body) : '';
	const failure = (message: string, more: Partial<FailureFacts> = {}) =>
		new ServiceFailure({
			kind: 'http',
			mayHaveExecuted: !provesNothingWasDone(status),
			httpCode: status,
			message: closed(message),
			answer: body,
			...more,
		});

	const missing =
		(body && status >= 400 ? missingOnServer(said, request, baseUrl) : undefined) ??
		droppedRoute(status, request, baseUrl, said);
	if (missing !== undefined) {
		return failure(missing, { mayHaveExecuted: false, isMissingOnServer: true });
	}
	const code = typeof body?.code === 'string' ? body.code : '';
	const cacheMiss = CACHE_MISSES.get(code);
	if (cacheMiss !== undefined) {
		// Nothing but the cache was asked, so that nothing was done, whatever the status.
		return failure(`The service has no copy of it in its cache, ${cacheMiss}`, { mayHaveExecuted: false });
	}
	if (status >= 300 && status < 400) {
		return new ServiceFailure({
			kind: 'redirect',
			mayHaveExecuted: false,
			httpCode: status,
			message: `${baseUrl} redirects to ${redirectTarget(answer.headers)}: set the base URL in the Web Data API (Firecrawl) credential to the address it should go to.`,
		});
	}
	const why = orStatus(said, status);
	const open = OPEN.get(code);
	if (open) return failure(open.text(why), { mayHaveExecuted: true, isOpen: true, retryInMs: open.retryInMs });
	const charged = CHARGED.get(code);
	if (charged) {
		const facts = { mayHaveExecuted: true, isAboutPage: true, chargedCredits: charged.credits };
		return failure(charged.text(why), facts);
	}
	const routed = body && routedSiteText(body, said);
	if (routed !== undefined) return failure(routed, { isAboutPage: true });
	if (status === 400 || status === 422) {
		const problems = body ? readProblems(body) : [];
		const unknown = problems.flatMap((problem) => problem.unknown);
		const named = [...unknown, ...refusedValues(problems, request.body)];
		const lacking = named.map((name) => LACKING.get(name)).find((text) => text !== undefined);
		if (lacking !== undefined) {
			const text = `${lacking}: use another server, or leave this out. The service says: ${why}.`;
			return failure(text, { isMissingOnServer: true });
		}
		if (unknown.length > 0) return failure(unknownOptionsText(unknown, said === '' ? undefined : why));
	}
	if (status === 404 && !body) {
		return failure(
			`This operation is not available on this server (${request.method} ${request.path.split('?')[0]} gives 404 at ${baseUrl}): check the base URL in the Web Data API (Firecrawl) credential. Older and self-hosted servers do not have every operation.`,
		);
	}
	const text = (REFUSALS[status] ?? (status >= 500 ? FAILED : REFUSED))(why);
	switch (status) {
		case 404:
			return failure(text, { notFound: true });
		case 408:
			return failure(text, { retryInMs: body && readRetryInMs(body, answer.headers, wallClockMs) });
		case 429: {
			const retryAfterMs = readRetryAfterMs(answer.headers, said, wallClockMs);
			const facts = { kind: 'rateLimited', mayHaveExecuted: false, httpCode: 429, retryAfterMs, answer: body } as const;
			return new ServiceFailure({ ...facts, message: closed(text) });
		}
		default:
			return failure(text);
	}
}

/**
 * What the service says of a request that it knows by its id, and that has no end yet
 * (docs/reference/service-notes.md#data-tools). With the same id the paid answer of one that runs is collected; of one
 * without a known end nothing more is to be had.
 */
const OPEN: ReadonlyMap<string, { text: (why: string) => string; retryInMs?: number }> = new Map([
	[
		'request_in_flight',
		{ text: (why: string) => `The service is still at work on this request: ${why}.`, retryInMs: 5_000 },
	],
	[
		'request_unresolved',
		{ text: (why: string) => `The service does not know what has become of this request: ${why}.` },
	],
]);

/** Refusals that cost all the same (docs/reference/service-notes.md#prompt-injection). */
const CHARGED: ReadonlyMap<string, { text: (why: string) => string; credits: number }> = new Map([
	[
		'SCRAPE_PROMPT_INJECTION_DETECTED',
		{
			text: (why: string) =>
				`Firecrawl found orders to AI models on the page and withheld it, which costs 5 credits: ${why}. No retry of this execution asks for it again; to read it all the same, turn Check for Prompt Injection off.`,
			credits: 5,
		},
	],
]);

const REFUSED = (why: string) => `The service refused the request: ${why}.`;
const FAILED = (why: string) => `The service failed: ${why}.`;

/** The meaning of each status, and what to do. `why`: the service's own words. */
const REFUSALS: Partial<Record<number, (why: string) => string>> = {
	401: (why) =>
		`The service does not accept the API key: ${why}. Check the key in the Web Data API (Firecrawl) credential.`,
	402: (why) =>
		`The account does not have enough credits: ${why}. Buy credits or a larger plan with the service, or ask for fewer pages; Account · Get Credit Usage shows what is left.`,
	403: (why) => `The service does not allow this: ${why}.`,
	404: (why) => `The service does not know it: ${why}.`,
	408: (why) => `The service ran out of time: ${why}.`,
	429: (why) =>
		`The service refuses more requests for now (its limit of requests a minute or of jobs at once): ${why}.`,
};

/**
 * Of the options that name a part of the service by their value, the values whose option a server refuses (recordings
 * search-20 and feedback-12 of 2026).
 */
function refusedValues(problems: readonly Problem[], sent: JsonObject = {}): string[] {
	const refused = ['sources', 'endpoint'].filter((option) =>
		problems.some(({ path }) => path === option || path.startsWith(`${option}.`)),
	);
	return refused.flatMap((option) => [sent[option]].flat()).filter((value) => typeof value === 'string');
}

/** Options, and values of options, that stand for a whole part of the service, which servers of one's own do not have. */
const LACKING: ReadonlyMap<string, string> = new Map([
	['alexandria', 'This server has no data tools'],
	['exchange', 'The agent of this server has no paid data providers'],
]);

const MAX_OPTIONS = 10;

function unknownOptionsText(unknown: string[], why: string | undefined): string {
	const listed = unknown
		.slice(0, MAX_OPTIONS)
		.map((name) => `"${name}"`)
		.join(', ');
	const isOne = unknown.length === 1;
	const rest = why === undefined ? '' : ` The service says: ${why}.`;
	return `This server does not know the option${isOne ? '' : 's'} ${listed}: remove ${isOne ? 'it' : 'them'}, or use a newer server.${rest}`;
}

/** The advice where only a cached copy was wanted. Scrapes answer so with 404, Parse with 500. */
const CACHE_MISSES: ReadonlyMap<string, string> = new Map([
	[
		'SCRAPE_LOCKDOWN_CACHE_MISS',
		'and Lockdown lets it use nothing else: turn Lockdown off, or scrape it without Lockdown first.',
	],
	['SCRAPE_NO_CACHED_DATA', 'or none of the age that Min Age asks for: leave Min Age out, or scrape it first.'],
]);

const SHORTEST_WORK_MS = 5_000;
const LONGEST_WORK_MS = 600_000;
const USUAL_WORK_MS = 60_000;

/**
 * When to ask again for work that continues after a 408, or undefined when it does not
 * (docs/reference/service-notes.md#scrapes-that-go-on).
 */
function readRetryInMs({ details }: JsonObject, headers: JsonObject, wallClockMs: number): number | undefined {
	if (!isJsonObject(details) || details.state !== 'processing_continues') return undefined;
	const { retryAfterSeconds } = details;
	const ms =
		typeof retryAfterSeconds === 'number' && Number.isFinite(retryAfterSeconds)
			? retryAfterSeconds * 1000
			: (readRetryAfterMs(headers, '', wallClockMs) ?? USUAL_WORK_MS);
	return Math.min(LONGEST_WORK_MS, Math.max(SHORTEST_WORK_MS, ms));
}

/** A 4xx other than 408 is the service's word that nothing was started. */
function provesNothingWasDone(status: number): boolean {
	return status >= 400 && status < 500 && status !== 408;
}

/**
 * True for an answer that says nothing but its status, as proxies and other servers give one to a DELETE:
 * no body, or a word. HTML means that a proxy answered, and JSON that breaks off may have said anything.
 */
function isPlain({ status, text }: Answer): boolean {
	return status === 204 || !/^\s*[<{[]/.test(text);
}

function notJson(answer: Answer, baseUrl: string): ServiceFailure {
	const text = answer.text.trimStart();
	let what = 'something that is not JSON';
	if (text === '') what = 'an empty body';
	else if (text.startsWith('<')) what = 'a web page instead of JSON';
	else if (text.startsWith('{') || text.startsWith('[')) what = 'JSON that breaks off or is not an object';
	return notTheService(baseUrl, `with ${what} (HTTP ${answer.status})`, answer.status);
}

function redirectTarget(headers: JsonObject): string {
	return shorten(readHeader(headers, 'location'), 120) || 'another address';
}

/** The service's words without their full stop, which the sentence around them sets. */
function orStatus(said: string, status: number): string {
	return trimEnd(said, /\./) || `HTTP ${status}`;
}

/** A text that was cut ends already. */
function closed(message: string): string {
	return message.replace('….', '…');
}
