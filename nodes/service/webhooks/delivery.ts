import { createHash } from 'node:crypto';

import { isJsonObject } from '../http/answer';
import type { JsonObject } from '../http/transport';

/** One event as the service tells it (docs/service-notes.md#webhooks). */
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

/** The event in a body; undefined for bytes that are none. Never throws. */
export function readDelivery(rawBody: Buffer): Delivery | undefined {
	const body = parsed(rawBody);
	if (!isJsonObject(body) || typeof body.type !== 'string' || body.type === '') return undefined;
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

function parsed(rawBody: Buffer): unknown {
	try {
		return JSON.parse(rawBody.toString('utf8'));
	} catch {
		return undefined;
	}
}

/** Letters of a key: far from any chance of two alike, and short enough to store hundreds of them. */
const KEY_LENGTH = 24;

/**
 * What repetitions of an event have in common: its `webhookId`, else its bytes, which hold its id and type.
 * No timestamp is signed, so this is all that tells a repetition (docs/service-notes.md#webhook-signature).
 */
export function deliveryKey({ webhookId }: Delivery, rawBody: Buffer): string {
	const told = webhookId === undefined ? rawBody : JSON.stringify(webhookId);
	return createHash('sha256').update(told).digest('hex').slice(0, KEY_LENGTH);
}
