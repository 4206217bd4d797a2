import type { IDataObject } from 'n8n-workflow';

import type { JsonObject } from '../../service/http/transport';

/** Fields of the envelope, which the item tells in its own way. */
const ENVELOPE = ['success', 'status', 'error'];

/**
 * Everything a status body tells, without its envelope. The reason of a failed job is called `reason`:
 * n8n takes an item with a field `error` for a failed one (N8N fact 4).
 */
export function recordFields(body: JsonObject): IDataObject {
	const kept = Object.entries(body).filter(([name]) => !ENVELOPE.includes(name));
	const { error: reason } = body;
	return {
		...(Object.fromEntries(kept) as IDataObject),
		...(typeof reason === 'string' && reason !== '' && { reason }),
	};
}
