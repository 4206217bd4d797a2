import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import { isNeeded, ruleOf } from '../../fields/basic/valueRule';
import { validationError, tooLong } from './validationError';
import {
	readCode,
	readCountryCode,
	readDay,
	readId,
	readList,
	readPositiveNumber,
	readStringMap,
	readWebAddress,
} from './readText';
import type { ListKind } from './readText';
import { cronFault, scheduleTextFault, timeZoneFault } from './readSchedule';
import { schemaOfExample } from './schemaOfExample';

/**
 * Checks one parameter value against its own field, as the panel would: type, limits, choices. Values
 * from expressions and AI agents arrive unchecked, so numbers may be text and objects may be JSON text.
 * Returns the value to send, or undefined when the field is empty.
 * Throws a ServiceFailure of kind badInput that names the field and what is allowed.
 */
export function checkValue(field: INodeProperties, value: unknown): unknown {
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

/** Text, or what the field's rule makes of text. */
function checkText(field: INodeProperties, value: unknown): unknown {
	const { sentAs } = ruleOf(field);
	switch (sentAs) {
		case 'list':
		case 'lines':
		case 'urls':
		case 'numbers':
		case 'codes':
			return checkList(field, value, sentAs);
		case 'url': {
			const url = readWebAddress(value);
			if (url !== undefined) return url;
			throw validationError(field, 'must be a web address such as https://example.com/page', value);
		}
		case 'countryCode':
			return orValidationError(
				field,
				readCountryCode(value),
				'must be a two-letter country code such as DE',
				value,
			);
		case 'date':
			return orValidationError(field, readDay(value), 'must be a date such as 2026-01-31', value);
		case 'id':
			return orValidationError(
				field,
				readId(value),
				'must be an ID made of letters, digits and dashes',
				value,
			);
		case 'cron':
		case 'scheduleText':
		case 'timeZone':
			return checkSchedule(field, value, SCHEDULE_FAULTS[sentAs]);
		default:
			return checkPlainText(field, value);
	}
}

const SCHEDULE_FAULTS = {
	cron: cronFault,
	scheduleText: scheduleTextFault,
	timeZone: timeZoneFault,
} as const;

function checkSchedule(
	field: INodeProperties,
	value: unknown,
	faultOf: (text: string) => string | undefined,
): string {
	const text = checkPlainText(field, value).trim();
	const fault = faultOf(text);
	if (fault === undefined) return text;
	throw validationError(field, fault, text);
}

function checkPlainText(field: INodeProperties, value: unknown): string {
	if (!['string', 'number', 'boolean'].includes(typeof value)) {
		throw validationError(field, 'must be text', value);
	}
	const text = String(value);
	const { maxLength } = ruleOf(field);
	if (maxLength === undefined || text.length <= maxLength) return text;
	throw tooLong(field, maxLength, 'characters', text.length);
}

function checkList(field: INodeProperties, value: unknown, sentAs: ListKind): unknown {
	const list = readList(value, sentAs);
	if (!list) throw validationError(field, 'must be text, or a list of texts', value);
	if (list.length === 0) {
		if (field.required) throw validationError(field, 'needs at least one entry', '');
		return undefined;
	}
	const { maxItems } = ruleOf(field);
	if (maxItems !== undefined && list.length > maxItems) {
		throw tooLong(field, maxItems, 'entries', list.length);
	}
	const { read, rule } = ENTRY_RULES[sentAs] ?? {};
	if (!read || rule === undefined) return list;
	return list.map((entry) => orValidationError(field, read(entry), rule, entry));
}

/** Lists whose entries must be of a kind. */
const ENTRY_RULES: Partial<Record<ListKind, { read: (entry: string) => unknown; rule: string }>> = {
	urls: {
		read: readWebAddress,
		rule: 'must be made of web addresses such as https://example.com/page',
	},
	numbers: { read: readPositiveNumber, rule: 'must be made of whole numbers from 1' },
	codes: {
		read: readCode,
		rule: 'must be made of short names in lower case: letters, digits, - and _, at most 80',
	},
};

function choices(field: INodeProperties): unknown[] {
	return (field.options ?? []).map((option) => (option as INodePropertyOptions).value);
}

function checkChoice(field: INodeProperties, value: unknown): unknown {
	if (choices(field).includes(value)) return value;
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
	return [...new Set<unknown>(list)];
}

function checkObject(field: INodeProperties, value: unknown): unknown {
	let object = value;
	if (typeof value === 'string') {
		try {
			object = JSON.parse(value);
		} catch {
			throw validationError(field, 'must be valid JSON', value);
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
			return schemaOfExample(object);
		default:
			return object;
	}
}

function orValidationError<T>(
	field: INodeProperties,
	read: T | undefined,
	rule: string,
	value: unknown,
): T {
	if (read === undefined) throw validationError(field, rule, value);
	return read;
}
