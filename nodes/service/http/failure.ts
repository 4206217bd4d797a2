import { trimEnd } from '../../text/ends';

/** The kind of trouble with one request or job, which decides what may be done about it. */
export type FailureKind =
	| 'badInput'
	| 'unreachable'
	| 'tls'
	| 'blocked'
	| 'timeout'
	| 'connection'
	| 'aborted'
	| 'notJson'
	| 'tooLarge'
	| 'redirect'
	| 'rateLimited'
	| 'quotaExceeded'
	| 'http';

export interface FailureFacts {
	kind: FailureKind;
	/**
	 * Whether the service may have acted on the request. False is proven: it never arrived, or was refused. Decides
	 * whether a job start may be sent again.
	 */
	mayHaveExecuted: boolean;
	/** One sentence for the user. Holds no key and no text that was not meant to be shown. */
	message: string;
	httpCode?: number | undefined;
	/** How long the service asked to wait, in milliseconds. */
	retryAfterMs?: number;
	/** The server does not have what was asked for: to ask again is no use (refusal.ts). */
	isMissingOnServer?: boolean;
	/** True for a 404 in the service's own envelope: the job is unknown there. */
	notFound?: boolean;
	/**
	 * The service works on: after this many milliseconds the same request joins the running work
	 * (docs/reference/service-notes.md#scrapes-that-go-on).
	 */
	retryInMs?: number | undefined;
	/** The service knows the request by its id, and does not say what has become of it: it may be paid. */
	isOpen?: boolean;
	/** It is about the one page that was asked for, whatever its status. */
	isAboutPage?: boolean;
	/** The credits that it was charged, although it has no result. */
	chargedCredits?: number | undefined;
	/** The service's answer, where it refused in its own envelope. */
	answer?: Record<string, unknown> | undefined;
}

/** The one error type of this folder. Never wraps the original error: that may hold the key. */
export class ServiceFailure extends Error {
	readonly kind: FailureKind;

	readonly mayHaveExecuted: boolean;

	readonly httpCode: number | undefined;

	readonly retryAfterMs: number | undefined;

	readonly notFound: boolean;

	readonly isMissingOnServer: boolean;

	readonly retryInMs: number | undefined;

	readonly isOpen: boolean;

	readonly isAboutPage: boolean;

	readonly chargedCredits: number | undefined;

	readonly answer: FailureFacts['answer'];

	constructor(facts: FailureFacts) {
		super(facts.message);
		this.name = 'ServiceFailure';
		this.kind = facts.kind;
		this.mayHaveExecuted = facts.mayHaveExecuted;
		this.httpCode = facts.httpCode;
		this.retryAfterMs = facts.retryAfterMs;
		this.notFound = facts.notFound ?? false;
		this.isMissingOnServer = facts.isMissingOnServer ?? false;
		this.retryInMs = facts.retryInMs;
		this.isOpen = facts.isOpen ?? false;
		this.isAboutPage = facts.isAboutPage ?? false;
		this.chargedCredits = facts.chargedCredits;
		this.answer = facts.answer;
	}
}

/**
 * The execution was stopped by the user. The word "canceled" is how n8n's engine tells a stopped
 * execution from a failed one (n8n-core 2.41, processSuccessExecution).
 */
export function executionStopped({ mayHaveExecuted }: Pick<FailureFacts, 'mayHaveExecuted'>): ServiceFailure {
	return new ServiceFailure({ kind: 'aborted', mayHaveExecuted, message: 'The execution was canceled.' });
}

/**
 * True when the request may have been carried out, and paid for, and its answer is lost. An answer in the
 * service's own envelope with a code is its word on what became of the request.
 */
export function isAnswerLost({ mayHaveExecuted, kind, retryInMs, isOpen, answer }: ServiceFailure): boolean {
	if (isOpen) return true;
	if (!mayHaveExecuted || kind === 'aborted' || retryInMs !== undefined) return false;
	return typeof answer?.code !== 'string';
}

/** Input that is not sent, and why: a sentence that names the field and what is allowed. */
export function refusedInput(reason: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'badInput',
		mayHaveExecuted: false,
		message: `${reason} Nothing was sent.`,
	});
}

/**
 * The service failure that was thrown. Throws anything else on: an error of n8n's or a mistake in this
 * package says nothing about the service, so it is neither tried again nor told in the service's name.
 */
export function failureOrThrow(error: unknown): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	throw error;
}

/** Names and not classes: what n8n runs apart has classes of its own. */
const MISTAKE = /^(Type|Range|Reference|Syntax|Eval|URI)Error$/;

/**
 * The error of a mistake in the code, by the names that JavaScript has for them: the error itself or one that
 * it was thrown for, since n8n wraps what its request helper throws. Undefined for any other error.
 */
export function mistakeIn(error: unknown): Error | undefined {
	let current: unknown = error;
	// The bound keeps a circular chain from hanging.
	for (let level = 0; level < 5 && isError(current); level++) {
		// An error of axios about an address that it cannot use is no mistake of the code.
		if ('isAxiosError' in current) return undefined;
		if (MISTAKE.test(current.name)) return current;
		current = current.cause;
	}
	return undefined;
}

/** Anything that was thrown, as a sentence for a message about something else. */
export function reasonOf(error: unknown): string {
	if (error instanceof ServiceFailure) return error.message;
	const mistake = mistakeIn(error);
	if (mistake) return asSentence(`${mistake.name}: ${mistake.message}`);
	return asSentence(isError(error) ? error.message : String(error));
}

function isError(value: unknown): value is Error {
	if (typeof value !== 'object' || value === null) return false;
	const { name, message } = value as Partial<Error>;
	return typeof name === 'string' && typeof message === 'string';
}

/** The response is not from the expected API, or not as it should be. `what`: how it answered, `without a list`. */
export function notTheService(baseUrl: string, what: string, httpCode?: number): ServiceFailure {
	return new ServiceFailure({
		kind: 'notJson',
		mayHaveExecuted: true,
		...(httpCode !== undefined && { httpCode }),
		message: `${baseUrl} answered ${what}: check that the base URL in the Web Data API (Firecrawl) credential is that of the service.`,
	});
}

/** Longest piece of the service's own text that is shown. */
const MAX_SHOWN = 500;

/** A text without a blank in the last so many characters is cut where it is too long. */
const LONGEST_WORD = 60;

/** The least share of the room that is left of a text when it is cut behind a sentence. */
const SHARE_OF_SENTENCES = 0.5;

/**
 * Text from outside as it may stand in a sentence: without control characters, which would break it in
 * logs and in the panel, and with at most so many characters. It is cut behind a sentence, or between two
 * words where that would leave too little.
 */
export function shorten(text: string, most = MAX_SHOWN): string {
	const clean = text.replace(/[\p{Cc}\p{Surrogate}\u2028\u2029]+/gu, ' ').trim();
	if (clean.length <= most) return clean;
	const cut = clean.slice(0, most + 1);
	const sentences = [...cut.matchAll(/[.!?](?=\s)/g)].map(({ index }) => index + 1);
	const lastSentence = sentences.filter((at) => at >= most * SHARE_OF_SENTENCES && at < most - 1).at(-1);
	if (lastSentence !== undefined) return `${cut.slice(0, lastSentence)} …`;
	const lastBlank = cut.lastIndexOf(' ');
	const end = lastBlank > Math.max(0, most - LONGEST_WORD) ? lastBlank : most;
	return `${cut
		.slice(0, end)
		.replace(/\p{Surrogate}/u, '')
		.trimEnd()}…`;
}

/** The text as a sentence: closed, unless it is. */
export function asSentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** The first sentence of a text, for where there is room for no more. */
export function firstSentence(text: string, most: number): string {
	const sentence = text.replace(/(?<=\S[.!?])\s[^]*/, '');
	return shorten(trimEnd(sentence, /[.!\s]/), most);
}
