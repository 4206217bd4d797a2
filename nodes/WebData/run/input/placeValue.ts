import type { INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';

/**
 * Sets `a.b` of `property` in the body or the query. Two groups with one place are joined. `a[x].b` is a
 * setting of the entry `x` in the list `a`, which is a bare name until it has settings.
 */
export function placeValue(
	field: INodeProperties,
	value: unknown,
	target: { body: JsonObject; query: JsonObject },
): void {
	const send = field.routing?.send;
	if (send?.property === undefined) return;
	const container = send.type === 'query' ? target.query : target.body;
	if (!/[.[]/.test(send.property)) return merge(container, { [send.property]: value });
	const [, list, entry, rest] = /^([^[]+)\[(\w+)\](?:\.(.+))?$/.exec(send.property) ?? [];
	if (list === undefined || entry === undefined) merge(container, nested(send.property, value));
	else placeSetting(container, list, entry, rest === undefined ? value : nested(rest, value));
}

function nested(path: string, value: unknown): JsonObject {
	const inner = path.split('.').reduceRight<unknown>((one, key) => ({ [key]: one }), value);
	return isJsonObject(inner) ? inner : {};
}

/** Turns the name `entry` in a list of names into `{ type: entry, ...settings }`. */
function placeSetting(container: JsonObject, path: string, entry: string, settings: unknown): void {
	const keys = path.split('.');
	const last = keys.pop() ?? '';
	const holder = keys.reduce<unknown>(
		(one, key) => (isJsonObject(one) ? one[key] : one),
		container,
	);
	const list = isJsonObject(holder) ? holder[last] : undefined;
	if (!isJsonObject(holder) || !Array.isArray(list) || !isJsonObject(settings)) return;
	holder[last] = list.map((one: unknown) => {
		if (one === entry) return { type: entry, ...settings };
		return isJsonObject(one) && one.type === entry ? { ...one, ...settings } : one;
	});
}

/** Copies `from` into `into`, key by key where both have an object. */
export function merge(into: JsonObject, from: JsonObject): void {
	for (const [key, value] of Object.entries(from)) {
		const there = into[key];
		if (isJsonObject(there) && isJsonObject(value)) merge(there, value);
		else into[key] = value;
	}
}

/**
 * Copies `from` into `into` in the same way, from text of the user's. Returns the places of the values that
 * were there and are others now: `scrapeOptions.formats`.
 */
export function mergeOver(into: JsonObject, from: JsonObject, path = ''): string[] {
	return Object.entries(from).flatMap(([key, value]) => {
		// Assigning to this name would change what kind of object it is.
		if (key === '__proto__') return [];
		const there = Object.hasOwn(into, key) ? into[key] : undefined;
		if (isJsonObject(there) && isJsonObject(value)) {
			return mergeOver(there, value, `${path}${key}.`);
		}
		into[key] = value;
		const isReplaced = there !== undefined && JSON.stringify(there) !== JSON.stringify(value);
		return isReplaced ? [`${path}${key}`] : [];
	});
}
