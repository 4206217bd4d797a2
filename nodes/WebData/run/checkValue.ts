import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isJsonObject } from '../../service/answer';
import { ServiceFailure } from '../../service/failure';

/**
 * Checks one parameter value against its own field, as the panel would: type, limits, choices. Values
 * from expressions and AI agents arrive unchecked, so numbers may be text and objects may be JSON text.
 * Returns the value to send, or undefined when the field is empty.
 * Throws a ServiceFailure of kind badInput that names the field and what is allowed.
 */
export function checkValue(field: INodeProperties, value: unknown): unknown {
	const isEmpty =
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
	if (isEmpty) {
		if (field.required && field.type !== 'collection') throw problem(field, 'is required', '');
		return undefined;
	}
	switch (field.type) {
		case 'number':
			return checkNumber(field, value);
		case 'boolean':
			return checkBoolean(field, value);
		case 'options':
			return checkChoice(field, value);
		case 'multiOptions':
			return checkChoices(field, value);
		case 'json':
			return checkObject(field, value);
		default:
			return checkText(field, value);
	}
}

function checkNumber(field: INodeProperties, value: unknown): number {
	const { minValue, maxValue, numberPrecision } = field.typeOptions ?? {};
	const number = typeof value === 'string' ? Number(value) : value;
	const isAllowed =
		typeof number === 'number' &&
		Number.isFinite(number) &&
		(minValue === undefined || number >= minValue) &&
		(maxValue === undefined || number <= maxValue) &&
		(numberPrecision !== 0 || Number.isInteger(number));
	if (isAllowed) return number;
	const kind = numberPrecision === 0 ? 'a whole number' : 'a number';
	let range = '';
	if (minValue !== undefined && maxValue !== undefined) range = ` from ${minValue} to ${maxValue}`;
	else if (minValue !== undefined) range = ` of at least ${minValue}`;
	throw problem(field, `must be ${kind}${range}`, value);
}

function checkBoolean(field: INodeProperties, value: unknown): boolean {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw problem(field, 'must be true or false', value);
}

function checkText(field: INodeProperties, value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	throw problem(field, 'must be text', value);
}

function choices(field: INodeProperties): unknown[] {
	return (field.options ?? []).map((option) => (option as INodePropertyOptions).value);
}

function checkChoice(field: INodeProperties, value: unknown): unknown {
	if (choices(field).includes(value)) return value;
	throw problem(field, `must be one of ${choices(field).join(', ')}`, value);
}

function checkChoices(field: INodeProperties, value: unknown): unknown[] {
	// An agent writes "markdown, json" where the panel makes a list.
	const list = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;
	const allowed = choices(field);
	if (!Array.isArray(list) || !list.every((choice) => allowed.includes(choice))) {
		throw problem(field, `must be a list made of ${allowed.join(', ')}`, value);
	}
	if (list.length === 0) throw problem(field, `needs at least one of ${allowed.join(', ')}`, value);
	return [...new Set<unknown>(list)];
}

function checkObject(field: INodeProperties, value: unknown): unknown {
	let object = value;
	if (typeof value === 'string') {
		try {
			object = JSON.parse(value);
		} catch {
			throw problem(field, 'must be valid JSON', value);
		}
	}
	if (isJsonObject(object)) return object;
	throw problem(field, 'must be a JSON object', value);
}

/** The error for a value that a field does not allow. `value` is shown shortened. */
export function problem(field: INodeProperties, rule: string, value: unknown): ServiceFailure {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
	const got = text === '' ? 'it is empty' : `it is ${text.slice(0, 80)}`;
	return new ServiceFailure({
		kind: 'badInput',
		reached: 'no',
		message: `"${field.displayName}" ${rule}, but ${got}. Nothing was sent.`,
	});
}
