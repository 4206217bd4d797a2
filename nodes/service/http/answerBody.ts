import { count } from '../../text/amounts';
import { ServiceFailure } from './failure';
import { failureFromNetworkError } from './networkFailure';

/**
 * Largest body that is read, in bytes. A result slice of the service holds up to 10 MiB of pages
 * (docs/reference/service-notes.md#parts-of-a-result); the rest is room for one oversized page. More is refused, not
 * buffered.
 */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * Deepest nesting of lists and objects that is taken from the service. n8n copies, stores and compares
 * items with functions that call themselves, which end in a RangeError at some thousand levels: after
 * the job is paid for, and with no word of its id.
 */
export const MAX_NESTING = 200;

/** Whether a JSON value holds more than `most` levels of lists and objects. Itself at most that deep. */
export function isNestedDeeper(value: unknown, most: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (most === 0) return true;
	// Few parts are lists or objects: a call for each of the others would cost as much again.
	for (const part of Object.values(value)) {
		if (typeof part === 'object' && isNestedDeeper(part, most - 1)) return true;
	}
	return false;
}

/** The body of an answer as it arrives: what is used of Node's Readable. */
export interface ByteStream extends AsyncIterable<unknown> {
	on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
	on(event: 'end' | 'close', listener: () => void): unknown;
	on(event: 'error', listener: (error: Error) => void): unknown;
	destroy(reason?: Error): unknown;
}

/**
 * Reads a body with an end to its size (MAX_BODY_BYTES) and to its time, in milliseconds. Throws a
 * ServiceFailure that names the origin when it does not come to its end.
 */
export async function readBytes({ body }: { body: ByteStream }, origin: string, timeoutMs: number): Promise<Buffer> {
	// It takes whole milliseconds only, and throws at the fraction that a monotonic clock leaves.
	const deadline = AbortSignal.timeout(Math.ceil(timeoutMs));
	const giveUp = () => body.destroy(new Error('body too slow'));
	deadline.addEventListener('abort', giveUp);
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

/** By events: an iterator costs several times as much, and a thousand answers are read side by side. */
async function collect(body: ByteStream, origin: string): Promise<Uint8Array[]> {
	return await new Promise((resolve, reject) => {
		const chunks: Uint8Array[] = [];
		let size = 0;
		body.on('data', (chunk: Uint8Array) => {
			size += chunk.byteLength;
			if (size <= MAX_BODY_BYTES) chunks.push(chunk);
			else body.destroy(tooLarge(origin));
		});
		body.on('end', () => resolve(chunks));
		body.on('error', reject);
		// After the end it changes nothing.
		body.on('close', () => reject(new Error('premature close')));
	});
}

/** Whether JSON has escapes of NUL or of half characters, which databases, vector stores and model servers refuse. */
function isBroken(json: string): boolean {
	// Most texts have no escape of this kind, and are looked through in a fraction of the time.
	return json.includes('\\u') && /\\u0000|\\ud[89a-f]/i.test(json);
}

function wholeText(_name: string, value: unknown): unknown {
	return typeof value === 'string' ? wellFormed(value) : value;
}

/** A text with a blank for each NUL, each half of a character replaced by U+FFFD. */
export function wellFormed(text: string): string {
	return text.replaceAll('\0', ' ').replace(/\p{Surrogate}/gu, '\ufffd');
}

/** The same for all texts of a body that goes out: what a user's own data ends with may be cut off. */
export function wellFormedBody(body: Record<string, unknown>): Record<string, unknown> {
	const text = JSON.stringify(body);
	return isBroken(text) ? (JSON.parse(text, wholeText) as Record<string, unknown>) : body;
}

/**
 * The JSON that a text is, its texts well formed; undefined for any other text. The content type is not asked:
 * servers behind proxies send JSON as text/plain and HTML as JSON. Throws a ServiceFailure when it is nested too deep.
 */
export function readJson(text: string, origin: string): unknown {
	let json: unknown;
	try {
		json = isBroken(text) ? JSON.parse(text, wholeText) : JSON.parse(text);
	} catch {
		return undefined;
	}
	if (isNestedDeeper(json, MAX_NESTING)) throw tooDeep(origin);
	return json;
}

function tooLarge(origin: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'tooLarge',
		mayHaveExecuted: true,
		message: `The answer from ${origin} is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB and was not read to the end.`,
	});
}

function tooDeep(origin: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'tooLarge',
		mayHaveExecuted: true,
		message: `The answer from ${origin} is nested more than ${MAX_NESTING} levels deep, which n8n cannot store, so it was not used.`,
	});
}

function tooSlow(origin: string, timeoutMs: number): ServiceFailure {
	return new ServiceFailure({
		kind: 'timeout',
		mayHaveExecuted: true,
		message: `The answer from ${origin} was not complete after ${count(Math.round(timeoutMs / 1000), 'second')}.`,
	});
}
