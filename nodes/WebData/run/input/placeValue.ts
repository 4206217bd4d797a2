import type { INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';

/** Sets `a.b.c` of `property` in the body or the query. Two groups with one place are joined. */
export function placeValue(
	field: INodeProperties,
	value: unknown,
	target: { body: JsonObject; query: JsonObject },
): void {
	const send = field.routing?.send;
	if (send?.property === undefined) return;
	const nested = send.property
		.split('.')
		.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
	if (isJsonObject(nested)) merge(send.type === 'query' ? target.query : target.body, nested);
}

/** Copies `from` into `into`, key by key where both have an object. */
export function merge(into: JsonObject, from: JsonObject): void {
	for (const [key, value] of Object.entries(from)) {
		const there = into[key];
		if (isJsonObject(there) && isJsonObject(value)) merge(there, value);
		else into[key] = value;
	}
}
