import type { INodeExecutionData, INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { choiceByDefault, isNeeded, optionFields, ruleOf } from '../../fields/basic';
import { TWO_TIME_FILTERS } from '../../fields/timeFilter';
import { hint, named } from '../../operation/hint';
import type { RequestLine } from '../../operation/operation';
import { isJsonObject } from '../../service/http/answer';
import { refusedInput } from '../../service/http/failure';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import type { RunContext } from '../connection/runContext';
import { checkValue, tooLong, validationError, validationErrorIn, withoutInvalid } from './checkValue';
import { readList, timeSpanText } from './readText';
import { withFurtherFormats } from './furtherFormats';

/** Reads one parameter of the node for one item; `fallback` stands for a parameter that is not there. */
type ReadParameter = (name: string, fallback: unknown) => unknown;

/** The values of an operation's fields for one item. */
export interface FieldValues {
	/** Checked values by parameter name; of a group, an object of those that were added. */
	values: JsonObject;
	/** The values for the request, where `routing.send` of each field says. */
	body: JsonObject;
	query: JsonObject;
	/** Places in the body (`scrapeOptions.formats`) where additional fields replace what a field set. */
	replaced: string[];
	/** Entries of a list of addresses that are none, and are left out. */
	leftOut: string[];
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
	const outside: Outside = { values: {}, additional: [], leftOut: [] };
	const { values, body, query } = readAll(fields, false, read, outside, outside.values);
	const replaced = outside.additional.flatMap((added) => mergeOver(body, added));
	return { values, body, query, replaced: [...new Set(replaced)], leftOut: outside.leftOut };
}

type GroupValues = Omit<FieldValues, 'replaced' | 'leftOut'>;

/** The fields outside all groups: values that options depend on, and objects that go into the body last. */
interface Outside {
	values: JsonObject;
	additional: JsonObject[];
	leftOut: string[];
}

/** Values on the way. */
interface FieldReading extends GroupValues {
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
	const result: FieldReading = { values, body: {}, query: {}, outside };
	for (const field of fields) {
		if (field.type === 'notice' || !isShown(field, result)) continue;
		const value = withoutLeftOut(field, read(field.name, field.default), fields, read, outside);
		if (field.type === 'collection') readCollection(field, value, isAdded, result);
		else if (field.type === 'fixedCollection') readFixedCollection(field, value, isAdded, result);
		else readSingle(field, value, isAdded, result);
	}
	return { values, body: result.body, query: result.query };
}

/** The value of a field without entries that are to be left out (`skipsInvalid`). */
function withoutLeftOut(
	field: INodeProperties,
	given: unknown,
	fields: INodeProperties[],
	read: ReadParameter,
	outside: Outside,
): unknown {
	const { skipsInvalid } = ruleOf(field);
	if (skipsInvalid === undefined) return given;
	const groups = fields.filter(
		({ type, options }) => type === 'collection' && options?.some(({ name }) => name === skipsInvalid),
	);
	const isOff = groups.some((group) => {
		const added = read(group.name, {});
		return isJsonObject(added) && [false, 'false'].includes(added[skipsInvalid] as boolean);
	});
	if (isOff) return given;
	const { value, leftOut } = withoutInvalid(given);
	for (const one of leftOut) outside.leftOut.push(one);
	return value;
}

function readSingle(field: INodeProperties, value: unknown, isAdded: boolean, result: FieldReading): void {
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

function readCollection(field: INodeProperties, value: unknown, isAdded: boolean, result: FieldReading): void {
	const added = readGroup(field, value);
	const { all, sentAnyway } = optionsOf(field);
	const isPresent = ({ name }: INodeProperties) => Object.hasOwn(added, name);
	const present = Object.keys(added).length === 0 ? [] : all.filter(isPresent);
	const inner = readAll(present, true, (name) => added[name], result.outside);
	for (const option of sentAnyway) {
		if (!isPresent(option)) placeValue(option, ruleOf(option).whenNotAdded, inner);
	}
	result.values[field.name] = inner.values;
	if (ruleOf(field).sentAs === 'timeSpan') {
		const span = timeSpanText(inner.values);
		const { property = '' } = field.routing?.send ?? {};
		if (span !== undefined && result.body[property] !== undefined) throw refusedInput(TWO_TIME_FILTERS);
		if (span !== undefined) placeValue(field, span, result);
		return;
	}
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
function readFixedCollection(field: INodeProperties, value: unknown, isAdded: boolean, result: FieldReading): void {
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
	if (isNeeded(field) && entries.length === 0) throw validationError(field, 'needs at least one entry', '');
	if (maxItems !== undefined && entries.length > maxItems) {
		throw tooLong(field, maxItems, 'entries', entries.length);
	}
	const read = entries.map((entry, index) => {
		// A list that an expression or an AI agent makes may hold bare names: ["markdown", "links"].
		const isName = shorthand !== undefined && typeof entry === 'string';
		return readEntry(field, group, isName ? { [shorthand]: entry } : entry, result.outside, index + 1);
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
		const read: ReadParameter = (name, fallback) => (Object.hasOwn(entry, name) ? entry[name] : fallback);
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
function isShown({ displayOptions }: INodeProperties, { values, outside }: FieldReading): boolean {
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
	result: FieldReading,
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

/**
 * Sets `a.b` of `property` in the body or the query. Two groups with one place are joined. `a[x].b` is a
 * setting of the entry `x` in the list `a`, which is a bare name until it has settings.
 */
function placeValue(field: INodeProperties, value: unknown, target: { body: JsonObject; query: JsonObject }): void {
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
	const holder = keys.reduce<unknown>((one, key) => (isJsonObject(one) ? one[key] : one), container);
	const list = isJsonObject(holder) ? holder[last] : undefined;
	if (!isJsonObject(holder) || !Array.isArray(list) || !isJsonObject(settings)) return;
	holder[last] = list.map((one: unknown) => {
		if (one === entry) return { type: entry, ...settings };
		return isJsonObject(one) && one.type === entry ? { ...one, ...settings } : one;
	});
}

/** Copies `from` into `into`, key by key where both have an object. */
function merge(into: JsonObject, from: JsonObject): void {
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
function mergeOver(into: JsonObject, from: JsonObject, path = ''): string[] {
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

/** The request that an operation's request line and its field values come to. */
export function requestOf(line: RequestLine, { values, body, query }: GroupValues): ServiceRequest {
	const whole = line.body ? structuredClone(line.body) : body;
	if (whole !== body) merge(whole, body);
	return {
		...line,
		path: fillPath(line.path, values),
		...(Object.keys(whole).length > 0 && { body: whole }),
		...(Object.keys(query).length > 0 && { query }),
	};
}

/** The values that stand in a path, by the names of their parameters; `valueOf` finds one. */
export function valuesInPath(path: string, valueOf: (name: string) => unknown): JsonObject {
	const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
	return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

/**
 * Puts the value of the parameter `name` where the path has `{name}`, encoded: a paper's id is
 * `doi:10.1000/182`. Dots alone would climb out of the path, encoded or not.
 */
function fillPath(path: string, values: JsonObject): string {
	return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
		const value = values[name];
		// Half a character, which cut-off text may end with, cannot be encoded.
		const text = typeof value === 'string' ? value.trim().replace(/\p{Surrogate}/gu, '\ufffd') : '';
		// A part of a path that climbs is not sent before the service may decode it: dots between slashes climb out of
		// the path, too.
		const climbs = text.split(/[/\\]/).some((part) => /^\.+$/.test(part.trim()));
		if (text !== '' && !climbs) return encodeURIComponent(text);
		throw refusedInput(`"${name}" must be an ID, but it is "${text}".`);
	});
}

/**
 * Reads and checks all parameters of one item. An expression that cannot be evaluated is the item's
 * problem like any other bad input. Throws a ServiceFailure of kind badInput.
 */
export function readItem(ctx: RunContext, fields: INodeProperties[], item: number): FieldValues {
	const read = readFields(fields, (name, fallback) => {
		const parameter = readParameter(ctx, name, item, fallback);
		if ('value' in parameter) {
			const field = fields.find((one) => one.name === name);
			if (field && ruleOf(field).isEmptyAll) refuseUnmeant(ctx, field, parameter.value);
			return parameter.value;
		}
		throw refusedInput(`The parameter "${name}" could not be read: ${parameter.reason}.`);
	});
	sayOnce(ctx, 'Additional Fields (JSON) replaces what the panel sets', read.replaced);
	sayOnce(ctx, 'Left out, because they are no web addresses', read.leftOut);
	return { ...read, body: withFurtherFormats(fields, read.body, read.values) };
}

/** Empty means all only where somebody has left the field so: what an expression or an agent left out decides nothing. */
function refuseUnmeant(ctx: RunContext, field: INodeProperties, value: unknown): void {
	const { [field.name]: stored = '' } = constantsIn(ctx).stored;
	const isMeant = typeof stored === 'string' && stored.trim() === '';
	const given = readList(value ?? '', 'list');
	if (!isMeant && given?.length === 0) {
		throw validationError(field, 'gives no ID: leave the field itself empty to mean all', value);
	}
}

type ReadOfItem = { value: unknown } | { reason: string };

/**
 * The parameters that hold no expression, read once for a run. They are the same for each item, and n8n takes some 20
 * microseconds for each of them.
 */
interface Constants {
	stored: INodeParameters;
	read: Map<string, ReadOfItem>;
}

const constantsOf = new WeakMap<RunContext, Constants>();

function constantsIn(ctx: RunContext): Constants {
	const known = constantsOf.get(ctx);
	if (known) return known;
	const constants: Constants = { stored: ctx.getNode().parameters, read: new Map() };
	constantsOf.set(ctx, constants);
	return constants;
}

function readParameter(ctx: RunContext, name: string, item: number, fallback: unknown): ReadOfItem {
	const constants = constantsIn(ctx);
	const before = constants.read.get(name);
	// A copy, as n8n gives one: what is read of an item may be changed.
	if (before) return 'value' in before ? { value: copyOf(before.value) } : before;
	const read = askForParameter(ctx, name, item, fallback);
	if (!isConstant(constants.stored[name])) return read;
	constants.read.set(name, read);
	return 'value' in read ? { value: copyOf(read.value) } : read;
}

function askForParameter(ctx: RunContext, name: string, item: number, fallback: unknown): ReadOfItem {
	try {
		return { value: ctx.getNodeParameter(name, item, fallback) };
	} catch (error) {
		return { reason: error instanceof Error ? error.message : 'unknown error' };
	}
}

/** True for what is there and holds no expression at any depth: n8n takes each text with `=` for one. */
export function isConstant(stored: unknown): boolean {
	if (typeof stored === 'string') return !stored.startsWith('=');
	if (typeof stored !== 'object' || stored === null) return stored !== undefined;
	return Object.values(stored).every((part) => part === undefined || isConstant(part));
}

/** A copy of what JSON can say; much sooner than structuredClone for the few values of a field. */
function copyOf(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(copyOf);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copyOf(part)]));
}

/**
 * True when an AI agent reads the output, on both of n8n's ways to call a tool
 * (docs/reference/n8n-internals.md#tools-of-an-agent). n8n 1.123 has no isToolExecution.
 */
export function isToolCall(ctx: RunContext): boolean {
	const { isToolExecution } = ctx as Partial<RunContext>;
	return isToolExecution?.call(ctx) === true || ctx.getNode().type.endsWith('Tool');
}

/**
 * True when an item that fails becomes an item with its error instead of ending the run: with "continue
 * on error", and for AI agents. When a tool throws, an agent up to version 2 gives its model an empty
 * text, and version 3 on n8n 1.123 ends the whole execution.
 */
export function keepsFailedItems(ctx: RunContext): boolean {
	return ctx.continueOnFail() || isToolCall(ctx);
}

/** Name of the loader's type: a sub-node, whose results are used by its parent. */
const SUB_NODE = /\.webDataLoader$/;

/**
 * True when n8n may run the node again although it returned. Retry On Fail does that when the first
 * item of what is returned has something in `error`: n8n-core 2.41 leaves out null and false, 1.123 does
 * not (docs/reference/n8n-internals.md#retry-on-fail). Items go to the error branch only after that. What a sub-node
 * returns is lost when its parent fails, and a retry of the parent asks the sub-node again.
 */
export function isRetryComing(ctx: RunContext, [first]: INodeExecutionData[]): boolean {
	const { type, retryOnFail } = ctx.getNode();
	return SUB_NODE.test(type) || (retryOnFail === true && first?.json.error !== undefined);
}

/** The remarks that each run has been told, so that a thousand items say it once. */
const saidOnce = new WeakMap<RunContext, Set<string>>();

/** A hint with what the run has not been told yet: `What: a, b and 3 more.` */
function sayOnce(ctx: RunContext, what: string, names: string[]): void {
	const before = saidOnce.get(ctx) ?? new Set<string>();
	const fresh = names.filter((name) => !before.has(`${what} ${name}`));
	if (fresh.length === 0) return;
	saidOnce.set(ctx, new Set([...before, ...fresh.map((name) => `${what} ${name}`)]));
	ctx.addExecutionHints(hint(`${what}: ${named(fresh)}.`, 'warning'));
}
