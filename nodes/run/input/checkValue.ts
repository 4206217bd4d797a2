import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { chosenValue, isNeeded, ruleOf } from '../../fields/basic';
import { named } from '../../operation/hint';
import { isJsonObject } from '../../service/http/answer';
import { ServiceFailure, failureOrThrow, refusedInput, shorten } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { sameAddress } from '../../text/addresses';
import { mappingOf, readMapping } from './readMapping';
import {
	addressFault,
	cronFault,
	expressionFault,
	isSeveralAddresses,
	readCode,
	readCountryCode,
	readDay,
	readId,
	readList,
	readPositiveNumber,
	readStringMap,
	readToken,
	readWebAddress,
	scheduleTextFault,
	timeZoneFault,
} from './readText';
import type { ListKind } from './readText';
import { exampleFault, schemaFault, schemaOfExample } from './schemaOfExample';
import { isEmpty } from '../../text/values';

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
			return withinSize(field, checkObject(field, value));
		// An expression or an AI agent gives the object itself.
		case 'resourceMapper': {
			const mapping = mappingOf(value);
			return withinSize(field, mapping ? readMapping(field, mapping) : checkObject(field, value));
		}
		// The place of a field in an earlier version: its kind shows in its default only.
		case 'hidden':
			return typeof field.default === 'number' ? checkNumber(field, value) : checkText(field, value);
		default:
			return checkText(field, value);
	}
}

function withinSize(field: INodeProperties, value: unknown): unknown {
	const { maxJsonBytes } = ruleOf(field);
	if (maxJsonBytes === undefined || value === undefined) return value;
	const bytes = Buffer.byteLength(JSON.stringify(value));
	if (bytes <= maxJsonBytes) return value;
	const [most, has] = [maxJsonBytes, bytes].map((size) => Math.ceil(size / 1024));
	throw refusedInput(`"${field.displayName}" may have at most ${most} KB as JSON, but it has ${has}.`);
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
	if (ruleOf(field).otherValues === true && typeof value === 'string') return value.trim();
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
		// If nothing is chosen by default, an empty choice means nothing.
		if (Array.isArray(field.default) && field.default.length === 0 && !field.required) return undefined;
		throw validationError(field, `needs at least one of ${allowed.join(', ')}`, value);
	}
	const chosen = [...new Set<unknown>(list)];
	const alone = ruleOf(field).alone?.find((choice) => chosen.includes(choice));
	if (alone !== undefined && chosen.length > 1) {
		throw validationError(field, `takes ${alone} alone, without any other`, value);
	}
	return chosen;
}

function checkObject(field: INodeProperties, value: unknown): unknown {
	let object = value;
	if (typeof value === 'string') {
		try {
			object = JSON.parse(value);
		} catch (error) {
			const sample = sampleOf(field);
			throw refusedInput(`"${field.displayName}" needs JSON${sample}, but ${placeOfFault(error, value)}.`);
		}
	}
	if (ruleOf(field).sentAs === 'objectOrList' && Array.isArray(object) && object.every(isJsonObject)) return object;
	if (!isJsonObject(object)) throw validationError(field, 'must be a JSON object', object);
	switch (ruleOf(field).sentAs) {
		case 'stringMap':
			return orValidationError(field, readStringMap(object), 'must be a JSON object of texts', notTexts(object));
		case 'schemaOfExample':
			refuse(field, exampleFault(object), object);
			return schemaOfExample(object);
		case 'jsonSchema':
			refuse(field, schemaFault(object), object);
			return object;
		default:
			return object;
	}
}

/** ` such as {"name": ""}`: what the panel shows of the field; empty where that is nothing. */
function sampleOf({ default: byDefault, placeholder = '' }: INodeProperties): string {
	const samples = [placeholder.replace(/^e\.g\. /, ''), String(byDefault)];
	const sample = samples.find((one) => one.length > 2);
	return sample === undefined ? '' : ` such as ${sample.replace(/\s+/g, ' ')}`;
}

/**
 * The place where JSON is broken: `it is broken at line 2, column 3`, as far as Node.js says. Its own words hold a
 * piece of the text, which may be a password.
 */
function placeOfFault(error: unknown, text: string): string {
	const said = String(error);
	if (said.includes('Unexpected end')) return 'it breaks off at its end';
	const position = /at position (\d+)/.exec(said)?.[1];
	const piece = /^SyntaxError: Unexpected token '(.)', (?:\.{3})?"([^]+?)"(?:\.{3})? is not valid JSON$/u.exec(said);
	const start = piece ? text.indexOf(piece[2] ?? '') : -1;
	const at = position === undefined ? start + (piece?.[2] ?? '').indexOf(piece?.[1] ?? '') : Number(position);
	if (position === undefined && start < 0) return 'it is broken';
	const before = text.slice(0, at).split('\n');
	return `it is broken at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

/** The entries that are no texts, by name: their values may be passwords. */
function notTexts(object: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(object).filter(([, part]) => typeof part === 'object'));
}

/** The reading of a text, and the rule that it breaks where it cannot be read. */
interface TextRule<T> {
	read: (text: T) => unknown;
	rule: string;
}

const OF_TOKENS = 'made of letters, digits and . _ : -, at most 128';

const TEXT_RULES = {
	countryCode: { read: readCountryCode, rule: 'must be a two-letter country code such as DE' },
	date: { read: readDay, rule: 'must be a date such as 2026-01-31' },
	id: { read: readId, rule: 'must be an ID made of letters, digits and dashes' },
	token: { read: readToken, rule: `must be one ID ${OF_TOKENS}` },
} satisfies Record<string, TextRule<unknown>>;

/** Lists whose entries must be of a kind. */
const ENTRY_RULES: Partial<Record<ListKind, TextRule<string>>> = {
	numbers: { read: readPositiveNumber, rule: 'must be made of whole numbers from 1' },
	codes: {
		read: readCode,
		rule: 'must be made of short names in lower case: letters, digits, - and _, at most 80',
	},
	tokens: { read: readToken, rule: `must be IDs ${OF_TOKENS}` },
};

/** Each says which rule a text breaks. */
const SCHEDULE_FAULTS = {
	cron: cronFault,
	scheduleText: scheduleTextFault,
	timeZone: timeZoneFault,
};

/**
 * Text, or what the field's rule makes of it; undefined for a list without entries. Throws a
 * ServiceFailure of kind badInput that names the field and what is allowed.
 */
function checkText(field: INodeProperties, value: unknown): unknown {
	const { sentAs } = ruleOf(field);
	switch (sentAs) {
		case 'list':
		case 'lines':
		case 'urls':
		case 'numbers':
		case 'codes':
		case 'tokens':
			return checkList(field, value, sentAs);
		case 'binaryFields':
			// Files themselves are told from names where they are looked for (run/files).
			return typeof value === 'object' ? value : checkList(field, value, 'list');
		case 'url':
			return checkAddress(field, value, AN_ADDRESS);
		case 'countryCode':
		case 'date':
		case 'id':
		case 'token': {
			const { read, rule } = TEXT_RULES[sentAs];
			return orValidationError(field, read(value), rule, value);
		}
		case 'cron':
		case 'scheduleText':
		case 'timeZone': {
			const text = checkPlainText(field, value).trim();
			const fault = SCHEDULE_FAULTS[sentAs](text);
			if (fault === undefined) return text;
			throw validationError(field, fault, text);
		}
		default:
			return checkPlainText(field, value);
	}
}

function checkAddress(field: INodeProperties, value: unknown, rule: string): string {
	const text = Array.isArray(value) && value.length > 1 ? value.join('\n') : [value].flat()[0];
	if (isSeveralAddresses(text)) {
		throw refusedInput(`"${field.displayName}" holds more than one URL. Use Batch Scrape for a list.`);
	}
	refuse(field, addressFault(text), value);
	return orValidationError(field, readWebAddress(text), rule, value);
}

const AN_ADDRESS = 'must be a web address such as https://example.com/page';
const ADDRESSES = 'must be made of web addresses such as https://example.com/page';

function checkPlainText(field: INodeProperties, value: unknown): string {
	// NaN comes of an expression that has failed: as text it would be sent, and looked up as an ID.
	const isText = ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
	if (!isText) throw validationError(field, 'must be text', value);
	const text = String(value);
	const { maxLength } = ruleOf(field);
	if (maxLength === undefined || text.length <= maxLength) return text;
	throw tooLong(field, maxLength, 'characters', text.length);
}

function checkList(field: INodeProperties, value: unknown, sentAs: ListKind): unknown {
	if (sentAs === 'urls') refuse(field, expressionFault(value), value);
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
	if (sentAs === 'urls') {
		const bad = list.filter((entry) => readWebAddress(entry) === undefined);
		// All of them at once: nobody wants to learn of them one run after the other.
		if (bad.length > 1) throw badInput(field, ADDRESSES, `these are none: ${named(bad.map(quoted))}`);
		const addresses = list.map((entry) => checkAddress(field, entry, ADDRESSES));
		// Each address once, in the spelling that was written first.
		return [...new Map(addresses.toReversed().map((address) => [sameAddress(address), address])).values()].toReversed();
	}
	const entryRule = ENTRY_RULES[sentAs];
	if (!entryRule) return list;
	return list.map((entry) => orValidationError(field, entryRule.read(entry), entryRule.rule, entry));
}

/** Longest piece of a value that is shown. */
const MAX_SHOWN = 80;

function quoted(text: string): string {
	return `"${shorten(text, MAX_SHOWN)}"`;
}

/**
 * A list of addresses without the entries that are no address, and those entries. Where none of the entries is an
 * address, or the value is no list, it stays as it is, and the error that follows names what is wrong.
 */
export function withoutInvalid(given: unknown): { value: unknown; leftOut: string[] } {
	const list = readList(given, 'urls') ?? [];
	const leftOut = list.filter((entry) => readWebAddress(entry) === undefined && expressionFault(entry) === undefined);
	if (leftOut.length === 0 || leftOut.length === list.length) return { value: given, leftOut: [] };
	return { value: list.filter((entry) => !leftOut.includes(entry)), leftOut: leftOut.map(quoted) };
}

/** Kinds of fields whose values are choices and numbers. */
const HOLDS_NO_SECRET = ['options', 'multiOptions', 'number', 'boolean'];

/**
 * The error for a value that a field does not allow. `value` is shown shortened; of what may hold a password, an object
 * or a list, only what kind it is and the names in it.
 */
export function validationError(field: INodeProperties, rule: string, value: unknown): ServiceFailure {
	const isShown = HOLDS_NO_SECRET.includes(field.type) || (field.type !== 'json' && typeof value !== 'object');
	const text = typeof value === 'string' ? value : jsonOf(value);
	const short = shorten(text, MAX_SHOWN);
	const shown = typeof value === 'string' ? `"${short}"` : short;
	return badInput(field, rule, value === '' ? 'it is empty' : `it is ${isShown ? shown : kindOf(value)}`);
}

/** `a list`, `an object with name, price`. */
function kindOf(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'string') return 'a text';
	if (typeof value !== 'object' || value === null) return jsonOf(value);
	const names = Object.keys(value)
		.slice(0, 5)
		.map((name) => shorten(name, 40));
	return names.length === 0 ? 'an object without fields' : `an object with ${names.join(', ')}`;
}

/** Throws that error where there is a fault. */
function refuse(field: INodeProperties, fault: string | undefined, value: unknown): void {
	if (fault !== undefined) throw validationError(field, fault, value);
}

/** The error for a text or a list that is too long. `unit` is what its length is counted in. */
export function tooLong(
	field: INodeProperties,
	most: number,
	unit: 'characters' | 'entries',
	length: number,
): ServiceFailure {
	return badInput(field, `may have at most ${most} ${unit}`, `it has ${length}`);
}

function badInput({ displayName }: INodeProperties, rule: string, got: string): ServiceFailure {
	return refusedInput(`"${displayName}" ${rule}, but ${got}.`);
}

/** JSON knows no NaN, no BigInt and no circles, and expressions can give all of them. */
function jsonOf(value: unknown): string {
	if (typeof value === 'number') return String(value);
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return typeof value === 'bigint' ? String(value) : 'a value that cannot be shown';
	}
}

/** The same error, told where in a list of groups it is: `"Formats" (number 2): …`. */
export function validationErrorIn(
	field: INodeProperties,
	position: number | undefined,
	error: unknown,
): ServiceFailure {
	const where = position === undefined ? '' : ` (number ${position})`;
	const { kind, mayHaveExecuted, message } = failureOrThrow(error);
	return new ServiceFailure({
		kind,
		mayHaveExecuted,
		message: `"${field.displayName}"${where}: ${message}`,
	});
}

/** The value that was read, or the error that names the field and the rule that the value breaks. */
function orValidationError<T>(field: INodeProperties, read: T | undefined, rule: string, value: unknown): T {
	if (read === undefined) throw validationError(field, rule, value);
	return read;
}
