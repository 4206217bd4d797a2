import type { IDataObject } from 'n8n-workflow';

import type { JsonObject } from '../../service/http/transport';
import { readCredits } from './webPage';

/** Fields of the envelope, which the item tells in its own way. */
const ENVELOPE = ['success', 'status', 'error'];

/** True for data that says nothing: none at all, an empty text, list or object (recording agent-16). */
export function holdsNothing(data: unknown): boolean {
	if (data === undefined || data === null || data === '') return true;
	return typeof data === 'object' && Object.keys(data).length === 0;
}

/**
 * Everything a status body tells, without its envelope. The reason of a failed job is called `reason`:
 * n8n takes an item with a field `error` for a failed one (N8N fact 4). Credits below zero are unknown ones.
 */
export function recordFields(body: JsonObject): IDataObject {
	const { error: reason, creditsUsed } = body;
	const isUnknown = typeof creditsUsed === 'number' && readCredits(body) === undefined;
	const left = isUnknown ? [...ENVELOPE, 'creditsUsed'] : ENVELOPE;
	const kept = Object.entries(body).filter(([name]) => !left.includes(name));
	return {
		...(Object.fromEntries(kept) as IDataObject),
		...(typeof reason === 'string' && reason !== '' && { reason }),
	};
}
