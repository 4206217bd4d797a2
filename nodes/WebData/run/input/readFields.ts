import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { choiceByDefault, isNeeded, optionFields, ruleOf } from '../../fields/basic';
import { checkValue } from './checkValue';
import { validationError, tooLong, validationErrorIn } from './validationError';

import { merge, mergeOver, placeValue } from './placeValue';

/** Reads one parameter of the node for one item; `fallback` stands for a parameter that is not there. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** What the fields of an operation come to for one item. */
export interface FieldValues {
	/** Checked values by parameter name; of a group, an object of those that were added. */
	values: JsonObject;
	/** What goes into the request, where `routing.send` of each field says. */
	body: JsonObject;
	query: JsonObject;
	/** Places in the body (`scrapeOptions.formats`) where additional fields replace what a field set. */
	replaced: string[];
}

/**
 * The one interpreter of the operations' field data. Reads each field that is shown, once, checks it,
 * and puts it where its `routing.send` says. Throws a ServiceFailure that names the field.
 *
 * A field outside a collection is sent unless it has its default, which stands for "not set";
 * `required` ones are always sent. Inside a collection, what was added is what was set. An entry of a
 * fixed collection has all its fields, so the first rule holds for them. There, a choice or a number that
 * an expression leaves empty is the default, because other fields and the operation itself go by it.
 */
export function readFields(fields: INodeProperties[], read: ReadParameter): FieldValues {
	const outside: Outside = { values: {}, additional: [] };
	const { values, body, query } = readAll(fields, false, read, outside, outside.values);
	const replaced = outside.additional.flatMap((added) => mergeOver(body, added));
	return { values, body, query, replaced: [...new Set(replaced)] };
}

type GroupValues = Omit<FieldValues, 'replaced'>;

/** What is outside all groups: values that options depend on, and objects that go into the body last. */
interface Outside {
	values: JsonObject;
	additional: JsonObject[];
}

/** Values on the way. */
interface Reading extends GroupValues {
	outside: Outside;
}

function readAll(
	fields: INodeProperties[],
	/** True inside a collection, where a value is there because somebody added it. */
	isAdded: boolean,
	read: ReadParameter,
	outside: Outside,
	values: JsonObject = {},
): GroupValues {
	const result: Reading = { values, body: {}, query: {}, outside };
	for (const field of fields) {
		if (field.type === 'notice' || !isShown(field, result)) continue;
		const value = read(field.name, field.default);
		if (field.type === 'collection') readCollection(field, value, isAdded, result);
		else if (field.type === 'fixedCollection') readFixedCollection(field, value, isAdded, result);
		else readSingle(field, value, isAdded, result);
	}
	return { values, body: result.body, query: result.query };
}

function readSingle(
	field: INodeProperties,
	value: unknown,
	isAdded: boolean,
	result: Reading,
): void {
	const given = checkValue(field, value);
	if (isAdded && given === undefined) return;
	const checked = given ?? choiceByDefault(field);
	result.values[field.name] = checked;
	if (ruleOf(field).sentAs === 'body') {
		if (isJsonObject(checked)) result.outside.additional.push(checked);
		return;
	}
	const isSet = isAdded || field.required || !isSame(checked, field.default);
	if (checked !== undefined && isSet) placeValue(field, checked, result);
}

function readCollection(
	field: INodeProperties,
	value: unknown,
	isAdded: boolean,
	result: Reading,
): void {
	const added = readGroup(field, value);
	const { all, sentAnyway } = optionsOf(field);
	const isPresent = ({ name }: INodeProperties) => Object.hasOwn(added, name);
	const present = Object.keys(added).length === 0 ? [] : all.filter(isPresent);
	const inner = readAll(present, true, (name) => added[name], result.outside);
	for (const option of sentAnyway) {
		if (!isPresent(option)) placeValue(option, ruleOf(option).whenNotAdded, inner);
	}
	result.values[field.name] = inner.values;
	if (field.routing?.send?.property === undefined) {
		merge(result.body, inner.body);
		merge(result.query, inner.query);
	} else {
		putGroup(field, inner.body, Object.keys(inner.body).length === 0, isAdded, result);
	}
}

interface Options {
	all: INodeProperties[];
	/** Those that are sent without being added. */
	sentAnyway: INodeProperties[];
}

/** The options of a collection are the same for each item, and are looked through once. */
const knownOptions = new WeakMap<INodeProperties, Options>();

function optionsOf(field: INodeProperties): Options {
	const known = knownOptions.get(field);
	if (known) return known;
	const all = optionFields(field);
	const sentAnyway = all.filter((option) => ruleOf(option).whenNotAdded !== undefined);
	const options = { all, sentAnyway };
	knownOptions.set(field, options);
	return options;
}

/** A list of groups (`multipleValues`), or one group of fields that belong together. */
function readFixedCollection(
	field: INodeProperties,
	value: unknown,
	isAdded: boolean,
	result: Reading,
): void {
	const [group] = (field.options ?? []).filter((option) => 'values' in option);
	if (!group) return;
	const given = Array.isArray(value) ? value : readGroup(field, value)[group.name];
	if (!field.typeOptions?.multipleValues) {
		const inner = given === undefined ? undefined : readEntry(field, group, given, result.outside);
		result.values[field.name] = inner?.values ?? {};
		return putGroup(field, inner?.body, inner === undefined, isAdded, result);
	}
	const entries = given === undefined ? [] : [given].flat();
	const { maxItems, shorthand } = ruleOf(field);
	if (isNeeded(field) && entries.length === 0)
		throw validationError(field, 'needs at least one entry', '');
	if (maxItems !== undefined && entries.length > maxItems) {
		throw tooLong(field, maxItems, 'entries', entries.length);
	}
	const read = entries.map((entry, index) => {
		// A list that an expression or an AI agent makes may hold bare names: ["markdown", "links"].
		const isName = shorthand !== undefined && typeof entry === 'string';
		return readEntry(
			field,
			group,
			isName ? { [shorthand]: entry } : entry,
			result.outside,
			index + 1,
		);
	});
	result.values[field.name] = read.map(({ values }) => values);
	const bodies = read.map(({ body }) => shorten(body, shorthand));
	putGroup(field, bodies, bodies.length === 0, isAdded, result);
}

function readEntry(
	field: INodeProperties,
	group: INodePropertyCollection,
	entry: unknown,
	outside: Outside,
	position?: number,
): GroupValues {
	if (!isJsonObject(entry)) throw validationError(field, 'must be made of groups of fields', entry);
	try {
		const read: ReadParameter = (name, fallback) =>
			Object.hasOwn(entry, name) ? entry[name] : fallback;
		return readAll(group.values, false, read, outside);
	} catch (error) {
		throw validationErrorIn(field, position, error);
	}
}

/** `{ type: 'markdown' }` as `markdown`, where the contract has such a short form. */
function shorten(body: JsonObject, shorthand: string | undefined): unknown {
	const isShort = shorthand !== undefined && Object.keys(body).every((key) => key === shorthand);
	return isShort ? body[shorthand] : body;
}

function readGroup(field: INodeProperties, value: unknown): JsonObject {
	const group = value === '' || value === null || value === undefined ? {} : value;
	if (!isJsonObject(group)) throw validationError(field, 'must be a collection of options', value);
	return group;
}

/**
 * Fields are listed after those they depend on, so the values are already there. A name that begins with
 * a slash is that of a field outside all groups, as for n8n.
 */
function isShown({ displayOptions }: INodeProperties, { values, outside }: Reading): boolean {
	if (!displayOptions) return true;
	const holds = ([name, some]: [string, unknown[] | undefined]) => {
		const value = name.startsWith('/') ? outside.values[name.slice(1)] : values[name];
		const present: unknown[] = Array.isArray(value) ? value : [value];
		return present.some((one) => (some ?? []).includes(one));
	};
	const { show = {}, hide = {} } = displayOptions;
	return Object.entries(show).every(holds) && !Object.entries(hide).some(holds);
}

/** An empty group says nothing, unless it has a meaning of its own (`whenEmpty`) or must be there. */
function putGroup(
	field: INodeProperties,
	value: unknown,
	isEmpty: boolean,
	isAdded: boolean,
	result: Reading,
): void {
	const { whenEmpty } = ruleOf(field);
	if (!isEmpty || (field.required && value !== undefined)) placeValue(field, value, result);
	else if (isAdded && whenEmpty !== undefined) placeValue(field, whenEmpty, result);
}

function isSame(left: unknown, right: unknown): boolean {
	if (left === right) return true;
	if (typeof left === 'string' && typeof right === 'string') return false;
	return JSON.stringify(left) === JSON.stringify(right);
}
