import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isJsonObject } from './http/answer';
import { readJson } from './http/answerBody';
import type { JsonObject } from './http/transport';

/** One event as the service tells it (docs/reference/service-notes.md#webhooks). */
export interface Delivery {
	/** `crawl.completed` */
	type: string;
	/** Id of the job; of a monitor's event, that of the check. Empty where the call has none. */
	id: string;
	/** The same on each repetition; servers of 2025 have none. */
	webhookId: string | undefined;
	success: boolean;
	/** Always a list: an object alone counts as one. */
	data: JsonObject[];
	metadata: JsonObject;
	error: string | undefined;
}

/** `crawl.completed`, `monitor.check.completed`: it stands in logs and in what is remembered. */
const EVENT_TYPE = /^[a-z_]{1,40}(?:\.[a-z_]{1,40}){1,3}$/;

/** The event in a body; undefined for bytes that are none, or nested too deep. Never throws. */
export function readDelivery(rawBody: Buffer): Delivery | undefined {
	const body = parsed(rawBody);
	if (!isJsonObject(body) || typeof body.type !== 'string' || !EVENT_TYPE.test(body.type)) return undefined;
	const { type, id, webhookId, success, data, metadata, error } = body;
	const list: unknown[] = Array.isArray(data) ? data : [data];
	return {
		type,
		id: typeof id === 'string' ? id : '',
		webhookId: typeof webhookId === 'string' && webhookId !== '' ? webhookId : undefined,
		success: success !== false,
		data: list.filter(isJsonObject),
		metadata: isJsonObject(metadata) ? metadata : {},
		error: typeof error === 'string' ? error : undefined,
	};
}

/** As strictly as an answer: without NUL and half characters, and not nested deeper than n8n can store. */
function parsed(rawBody: Buffer): unknown {
	try {
		return readJson(rawBody.toString('utf8'), '');
	} catch {
		return undefined;
	}
}

/** Letters of a key: far from any chance of two alike, and short enough to store hundreds of them. */
const KEY_LENGTH = 24;

/**
 * The key that repetitions of an event have in common: its `webhookId`, else its bytes, which hold its id and type. No
 * timestamp is signed, so this is all that tells a repetition (docs/reference/service-notes.md#webhook-signature).
 */
export function deliveryKey({ webhookId }: Delivery, rawBody: Buffer): string {
	const told = webhookId === undefined ? rawBody : JSON.stringify(webhookId);
	return createHash('sha256').update(told).digest('hex').slice(0, KEY_LENGTH);
}

/** The header that carries the signature, in small letters as Node has it (docs/reference/service-notes.md#webhook-signature). */
export const SIGNATURE_HEADER = 'x-firecrawl-signature';

/** The value that the service puts into that header: HMAC-SHA256 over the bytes of the body, in hexadecimal. */
export function signatureOf(secret: string, rawBody: Buffer): string {
	return `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
}

/**
 * Whether the value of a header is this text. Takes as long for a value that is wrong in its first letter
 * as for one that is wrong in its last. Anything that is no text is not it; never throws.
 */
export function isSecret(given: unknown, expected: string): boolean {
	if (typeof given !== 'string' || expected === '') return false;
	const [left, right] = [Buffer.from(given), Buffer.from(expected)];
	return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Whether the header is the signature of these bytes. It must be checked on the bytes as they came: JSON
 * that is written again differs. Never throws.
 */
export function isSigned(secret: string, rawBody: Buffer, header: unknown): boolean {
	return secret !== '' && isSecret(header, signatureOf(secret, rawBody));
}

/** The header with the secret that this package gives to monitors and starts, where nothing is signed. */
export const SECRET_HEADER = 'x-web-data-secret';

/** A call as it came. */
interface ReceivedCall {
	rawBody: Buffer;
	/** Names in small letters. */
	headers: Record<string, unknown>;
}

/** The secrets that a call must prove itself with; empty or left out where there is none. */
export interface CallSecrets {
	/** The account's webhook secret, which signs the body. With it, nothing else counts. */
	webhookSecret?: string | undefined;
	/** The value of SECRET_HEADER. */
	headerSecret?: string | undefined;
}

/**
 * The reason why a call is not to be believed, in a sentence for the service's log; undefined for one that is. Without
 * any secret all are, since only the service was told the address. Never throws.
 */
export function signatureProblem(
	{ rawBody, headers }: ReceivedCall,
	{ webhookSecret = '', headerSecret = '' }: CallSecrets,
): string | undefined {
	if (webhookSecret !== '') {
		const given = headers[SIGNATURE_HEADER];
		if (given === undefined) {
			return 'The call is not signed, but the credential has a webhook secret: give the same secret to the service, or empty that field.';
		}
		return isSigned(webhookSecret, rawBody, given)
			? undefined
			: 'The signature does not fit: the webhook secret in the credential is not the one of the service, or the call is forged.';
	}
	if (headerSecret === '' || isSecret(headers[SECRET_HEADER], headerSecret)) return undefined;
	return `The header ${SECRET_HEADER} is missing or wrong.`;
}

/** Events that one receiver remembers: days of most workflows, and 15 KB of what n8n stores with them. */
const MAX_SEEN = 500;
/** Receivers that one process remembers; the one that was called longest ago goes first. */
const MAX_RECEIVERS = 1000;

/**
 * The events that have come already, in bounds. What is stored with a workflow survives a restart, but calls at the
 * same moment overwrite each other's there (docs/reference/n8n-internals.md#static-data-of-a-trigger): this is the set
 * in the process beside it.
 */
export class SeenDeliveries {
	private readonly receivers = new Map<string, Set<string>>();

	constructor(
		private readonly mostSeen = MAX_SEEN,
		private readonly mostReceivers = MAX_RECEIVERS,
	) {}

	/**
	 * Notes an event. True when it is new, also to what was `stored`: the caller alone may act on it then.
	 * `receiver` names who was called.
	 */
	isNew(receiver: string, key: string, stored: unknown): boolean {
		const seen = this.receivers.get(receiver) ?? new Set<string>();
		this.receivers.delete(receiver);
		this.receivers.set(receiver, seen);
		dropOldest(this.receivers, this.mostReceivers);
		if (seen.has(key) || storedKeys(stored).includes(key)) return false;
		seen.add(key);
		dropOldest(seen, this.mostSeen);
		return true;
	}

	/** The state to be stored: what was, and what this process has seen, the newest at the end. */
	toStore(receiver: string, stored: unknown): string[] {
		const all = new Set([...storedKeys(stored), ...(this.receivers.get(receiver) ?? [])]);
		return [...all].slice(-this.mostSeen);
	}

	/** Takes an event back that could not be acted on, so that a repetition is not refused. */
	forget(receiver: string, key: string): void {
		this.receivers.get(receiver)?.delete(key);
	}
}

/** The keys that were stored, whatever stands there: other than a list of texts counts as nothing. */
function storedKeys(stored: unknown): string[] {
	return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : [];
}

/** Keeps the newest of a map or a set that only grows at its end. */
export function dropOldest(row: Map<string, unknown> | Set<string>, most: number): void {
	for (const oldest of row.keys()) {
		if (row.size <= most) return;
		row.delete(oldest);
	}
}
