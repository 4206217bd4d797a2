import { readRetryAfterMs } from '../../service/http/retryAfter';
import { asSentence, shorten } from '../../service/http/shortText';
import { ResearchFailure } from '../contract/failure';
import { isRecord } from './answers';
import type { JsonRecord } from './answers';

/**
 * What may be done about a failed call of the model. `wait`: try again later; `tooLong`: send less;
 * `refused`: this request is not answered, another may be; `useless`: no request will be answered.
 */
export interface ModelTrouble {
	kind: 'wait' | 'tooLong' | 'refused' | 'useless';
	status: number | undefined;
	retryAfterMs: number | undefined;
	/** What the model's server says, shortened and without what looks like a key. */
	said: string;
}

/** A call of the model that was refused or was too long: the run goes on without its answer. */
export class UnansweredCall extends Error {
	constructor(
		readonly kind: 'tooLong' | 'refused',
		/** What to throw where the run cannot go on without this answer. */
		readonly failure: ResearchFailure,
	) {
		super(
			kind === 'tooLong' ? 'The text is too long for the model.' : 'The model refused to answer.',
		);
		this.name = 'UnansweredCall';
	}
}

/** The call that went unanswered. Throws anything else on. */
export function unansweredOrThrow(error: unknown): UnansweredCall {
	if (error instanceof UnansweredCall) return error;
	throw error;
}

/** The errors of a chain, as n8n and LangChain wrap them. The bound keeps a circular chain from hanging. */
function chain(error: unknown): JsonRecord[] {
	const found: JsonRecord[] = [];
	let current = error;
	for (let level = 0; level < 5 && isRecord(current); level++) {
		found.push(current);
		if (isRecord(current.response)) found.push(current.response);
		current = current.cause;
	}
	return found;
}

function statusOf(errors: JsonRecord[]): number | undefined {
	for (const error of errors) {
		for (const value of [error.status, error.statusCode, error.httpCode]) {
			const status = Number(value);
			if (value !== null && value !== '' && status >= 400 && status < 600) return status;
		}
	}
	return undefined;
}

const TOO_LONG =
	/context[ _-]?(length|window|size)|maximum context|too (long|large|many tokens)|token limit|exceeds? .{0,40}(tokens|context)|reduce the length/i;

/**
 * Reads what the model's client threw: its status, its headers, whether its text speaks of the length, and the
 * beginning of that text. It may hold the key or the prompt: what looks like a key is taken out, and a text that
 * repeats the prompt is not shown.
 */
export function readModelError(error: unknown, wallClockMs: number, prompt = ''): ModelTrouble {
	const errors = chain(error);
	const status = statusOf(errors);
	const texts = errors.flatMap(({ message, code, error: inner }) => [message, code, inner]);
	const text = texts.map((one) => (typeof one === 'string' ? one : '')).join(' ');
	const headers = errors.map((one) => one.headers).find(isRecord) ?? {};
	const retryAfterMs = readRetryAfterMs(headersOf(headers), '', wallClockMs);
	const [first = ''] = errors.flatMap(({ message }) =>
		typeof message === 'string' ? [message] : [],
	);
	return { kind: kindOf(status, text), status, retryAfterMs, said: shownText(first, prompt) };
}

const SHOWN = 200;

/** So many characters in a row that the prompt has, too, are taken for a part of it. */
const SAME_AS_PROMPT = 25;

function shownText(text: string, prompt: string): string {
	const clean = shorten(text, SHOWN)
		.replace(/\b(?:sk|pk|key|token|bearer)[-_: ]+[\w*.-]{4,}/gi, '…')
		.replace(/\S{30,}/g, '…');
	const [even, asked] = [clean, prompt].map((one) => one.replace(/\s+/g, ' '));
	for (let at = 0; even && asked && at + SAME_AS_PROMPT <= even.length; at++) {
		if (asked.includes(even.slice(at, at + SAME_AS_PROMPT))) return '';
	}
	return clean;
}

/** Clients give headers as an object or with a `get`. */
function headersOf(headers: JsonRecord): JsonRecord {
	if (typeof headers.get !== 'function') return headers;
	const value: unknown = headers.get('retry-after');
	return { 'retry-after': value };
}

function kindOf(status: number | undefined, text: string): ModelTrouble['kind'] {
	if (status === undefined || status === 429 || status === 408 || status >= 500) {
		return TOO_LONG.test(text) && status !== 429 ? 'tooLong' : 'wait';
	}
	if (status === 413 || TOO_LONG.test(text)) return 'tooLong';
	return [401, 402, 403, 404].includes(status) ? 'useless' : 'refused';
}

/** Why the model cannot be used, in a sentence that says what to do. */
export function modelFailure({ status, said }: ModelTrouble): ResearchFailure {
	const code = status === undefined ? '' : ` (HTTP ${status})`;
	// Of a refused credential there is no more to say, and what its server says may hold the key.
	const isTold = said !== '' && status !== undefined && [400, 404, 422].includes(status);
	const words = isTold ? ` The model says: ${asSentence(said)}` : '';
	return new ResearchFailure('model', sentence(status, code) + words, status);
}

function sentence(status: number | undefined, code: string): string {
	if (status === 401 || status === 403) {
		return `The chat model refused its credential${code}. Check the credential of the connected model node, then retry: what was found so far is kept.`;
	}
	if (status === 402) {
		return `The account of the chat model has no credit left${code}. Add some, then retry: what was found so far is kept.`;
	}
	if (status === 404) {
		return `The chat model was not found${code}. Check the model name and the base URL of the connected model node.`;
	}
	if (status === 429) {
		return `The chat model refused too many calls${code}. Retry later, or lower Model Calls at Once: what was found so far is kept.`;
	}
	if (status !== undefined && status < 500) {
		return `The chat model did not accept the request${code}. Check the settings of the connected model node.`;
	}
	return `The chat model did not answer${code}. Check the connected model node and retry: what was found so far is kept.`;
}
