import type { INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../service/answer';
import type { JsonObject } from '../../service/transport';
import { checkValue, problem } from './checkValue';

/** Reads one parameter of the node for one item; `fallback` stands for a parameter that is not there. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** What the fields of an operation come to for one item. */
export interface FieldValues {
	/** Checked values by parameter name; of a collection, an object of those that were added. */
	values: JsonObject;
	/** What goes into the request, where `routing.send` of each field says. */
	body: JsonObject;
	query: JsonObject;
}

/**
 * The one interpreter of the operations' field data. Reads each field that is shown, once, checks it,
 * and puts it where its `routing.send` says. Throws a ServiceFailure that names the field.
 *
 * A field outside a collection is sent unless it has its default, which stands for "not set";
 * `required` ones are always sent. Inside a collection, what was added is what was set.
 */
export function readFields(fields: INodeProperties[], read: ReadParameter): FieldValues {
	const result: FieldValues = { values: {}, body: {}, query: {} };
	for (const field of fields) {
		if (field.type === 'notice' || !isShown(field, result.values)) continue;
		const value = read(field.name, field.default);
		if (field.type === 'collection') readCollection(field, value, result);
		else readSingle(field, value, result);
	}
	return result;
}

function readSingle(field: INodeProperties, value: unknown, result: FieldValues): void {
	const checked = checkValue(field, value);
	result.values[field.name] = checked;
	if (checked === undefined || (!field.required && isSame(checked, field.default))) return;
	put(field, checked, result);
}

function readCollection(field: INodeProperties, value: unknown, result: FieldValues): void {
	const added = value === '' || value === null || value === undefined ? {} : value;
	if (!isJsonObject(added)) throw problem(field, 'must be a collection of options', value);
	const inner: FieldValues = { values: {}, body: {}, query: {} };
	for (const option of optionFields(field)) {
		if (!Object.hasOwn(added, option.name) || !isShown(option, inner.values)) continue;
		const checked = checkValue(option, added[option.name]);
		if (checked === undefined) continue;
		inner.values[option.name] = checked;
		put(option, checked, inner);
	}
	result.values[field.name] = inner.values;
	if (field.routing?.send?.property === undefined) {
		Object.assign(result.body, inner.body);
		Object.assign(result.query, inner.query);
	} else if (field.required || Object.keys(inner.body).length > 0) {
		put(field, inner.body, result);
	}
}

/** The fields inside a collection. */
export function optionFields(field: INodeProperties): INodeProperties[] {
	return (field.options ?? []).filter(
		(option): option is INodeProperties => 'displayName' in option && 'type' in option,
	);
}

/** Fields are listed after those they depend on, so the values are already there. */
function isShown(field: INodeProperties, values: JsonObject): boolean {
	return Object.entries(field.displayOptions?.show ?? {}).every(([name, allowed]) => {
		const value = values[name];
		const present: unknown[] = Array.isArray(value) ? value : [value];
		return present.some((one) => (allowed ?? []).some((other) => other === one));
	});
}

/** Sets `a.b.c` of `property` in the body or the query. */
function put(
	field: INodeProperties,
	value: unknown,
	target: Pick<FieldValues, 'body' | 'query'>,
): void {
	const send = field.routing?.send;
	if (send?.property === undefined) return;
	const keys = send.property.split('.');
	const last = keys.pop() ?? send.property;
	let place = send.type === 'query' ? target.query : target.body;
	for (const key of keys) {
		const next = place[key];
		place = isJsonObject(next) ? next : ((place[key] = {}) as JsonObject);
	}
	place[last] = value;
}

function isSame(left: unknown, right: unknown): boolean {
	return JSON.stringify(left) === JSON.stringify(right);
}
