import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import { chosenValue, isNeeded, ruleOf } from '../../fields/basic';
import { orValidationError, refuse, validationError } from './validationError';
import { checkText } from './checkText';
import { jsonFaultPlace } from './jsonText';
import { readStringMap } from './readText';
import { exampleFault, schemaFault, schemaOfExample } from './schemaOfExample';

/**
 * Checks one parameter value against its own field, as the panel would: type, limits, choices. Values
 * from expressions and AI agents arrive unchecked, so numbers may be text and objects may be JSON text.
 * Returns the value to send, or undefined when the field is empty.
 * Throws a ServiceFailure of kind badInput that names the field and what is allowed.
 */
export function checkValue(field: INodeProperties, given: unknown): unknown {
	const value = field.type === 'resourceLocator' ? chosenValue(given) : given;
	if (isEmpty(value)) {
		if (isNeeded(field)) throw validationError(field, 'is required', '');
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
		// Where an earlier version had a field: its kind shows in its default only.
		case 'hidden':
			return typeof field.default === 'number'
				? checkNumber(field, value)
				: checkText(field, value);
		default:
			return checkText(field, value);
	}
}

function isEmpty(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
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
	throw validationError(field, `must be ${kind}${range}`, value);
}

function checkBoolean(field: INodeProperties, value: unknown): boolean {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw validationError(field, 'must be true or false', value);
}

function choices(field: INodeProperties): unknown[] {
	return (field.options ?? []).map((option) => (option as INodePropertyOptions).value);
}

function checkChoice(field: INodeProperties, value: unknown): unknown {
	// An expression or an agent may write a switch as a text.
	const chosen = choices(field).find(
		(choice) => choice === value || (typeof choice === 'boolean' && String(choice) === value),
	);
	if (chosen !== undefined) return chosen;
	throw validationError(field, `must be one of ${choices(field).join(', ')}`, value);
}

function checkChoices(field: INodeProperties, value: unknown): unknown[] | undefined {
	// An agent writes "markdown, json" where the panel makes a list.
	const list = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;
	const allowed = choices(field);
	if (!Array.isArray(list) || !list.every((choice) => allowed.includes(choice))) {
		throw validationError(field, `must be a list made of ${allowed.join(', ')}`, value);
	}
	if (list.length === 0) {
		// Where nothing is chosen by default, nothing chosen says nothing.
		if (Array.isArray(field.default) && field.default.length === 0 && !field.required)
			return undefined;
		throw validationError(field, `needs at least one of ${allowed.join(', ')}`, value);
	}
	const chosen = [...new Set<unknown>(list)];
	const { alone } = ruleOf(field);
	if (alone !== undefined && chosen.length > 1 && chosen.includes(alone)) {
		throw validationError(field, `takes ${alone} alone, without any other`, value);
	}
	return chosen;
}

function checkObject(field: INodeProperties, value: unknown): unknown {
	let object = value;
	if (typeof value === 'string') {
		try {
			object = JSON.parse(value);
		} catch {
			throw validationError(field, `must be valid JSON (see ${jsonFaultPlace(value)})`, value);
		}
	}
	if (!isJsonObject(object)) throw validationError(field, 'must be a JSON object', value);
	switch (ruleOf(field).sentAs) {
		case 'stringMap':
			return orValidationError(
				field,
				readStringMap(object),
				'must be a JSON object of texts',
				value,
			);
		case 'schemaOfExample':
			refuse(field, exampleFault(object), value);
			return schemaOfExample(object);
		case 'jsonSchema':
			refuse(field, schemaFault(object), value);
			return object;
		default:
			return object;
	}
}
