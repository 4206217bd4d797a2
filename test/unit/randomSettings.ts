import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { isNeeded, ruleOf } from '../../nodes/fields/basic.ts';
import type { Chance } from './chance.ts';
import { randomValue } from './randomValue.ts';

export type Values = Record<string, unknown>;

/** Settings as a user might make them, and what the request must hold because of them. */
interface RandomSettings {
	/** What fields that depend on one of these see. */
	seen: Values;
	/** The node's parameters. */
	given: Values;
	/** What the fields' own data promise to send. */
	body: Values;
	query: Values;
	/** What goes into the body after all of it. */
	additional: Values[];
	/** Of a field that is not shown: nothing of it may be sent. */
	isScratch?: boolean;
}

type Place = 'panel' | 'collection' | 'entry';

/**
 * Makes up settings for the fields of an operation, and from the same choices what must be sent. A model
 * of its own, which shares no code with the interpreter in run/readFields.ts.
 */
export function randomSettings(
	chance: Chance,
	fields: INodeProperties[],
	place: Place = 'panel',
	top?: Values,
): RandomSettings {
	const seen: Values = {};
	const settings: RandomSettings = { seen, given: {}, body: {}, query: {}, additional: [] };
	const outside = top ?? seen;
	for (const field of fields) {
		if (field.type === 'notice') continue;
		const holds = ([name, some]: [string, unknown[] | undefined]) => {
			const value = name.startsWith('/') ? outside[name.slice(1)] : seen[name];
			return [value].flat().some((one) => (some ?? []).includes(one));
		};
		const { show = {}, hide = {} } = field.displayOptions ?? {};
		const isShown = Object.entries(show).every(holds) && !Object.entries(hide).some(holds);
		// A field that is hidden keeps what was once set. It must not be sent.
		if (!isShown && field.name in settings.given) continue;
		const scratch: RandomSettings = {
			seen: {},
			given: {},
			body: {},
			query: {},
			additional: [],
			isScratch: true,
		};
		const value = setField(chance, field, { place, top: outside }, isShown ? settings : scratch);
		if (value.isGiven) settings.given[field.name] = value.given;
		if (isShown) seen[field.name] = value.seen;
	}
	if (place === 'panel') for (const added of settings.additional) addAll(settings.body, added);
	return settings;
}

/** Where a field stands, and what is set outside all groups. */
interface Around {
	place: Place;
	top: Values;
}

interface SetValue {
	isGiven: boolean;
	given?: unknown;
	/** What fields that depend on this one see. */
	seen: unknown;
}

function setField(chance: Chance, field: INodeProperties, { place, top }: Around, settings: RandomSettings): SetValue {
	const isAdded = place === 'collection';
	if (isAdded && chance.boolean()) {
		const { whenNotAdded } = ruleOf(field);
		if (whenNotAdded !== undefined) putAt(field, whenNotAdded, settings);
		return { isGiven: false, seen: undefined };
	}
	if (field.type === 'collection') return setCollection(chance, field, { place, top }, settings);
	if (field.type === 'fixedCollection') return setFixedCollection(chance, field, { place, top }, settings);
	const value = randomValue(chance, field, isAdded);
	const isDefault = JSON.stringify(value.sent) === JSON.stringify(field.default);
	if (ruleOf(field).sentAs === 'body' && value.sent !== undefined) {
		settings.additional.push(value.sent as Values);
	}
	const isSet = value.sent !== undefined && (isAdded || field.required || !isDefault);
	if (isSet) putAt(field, value.sent, settings);
	return { isGiven: value.isGiven, given: value.given, seen: value.sent };
}

function setCollection(
	chance: Chance,
	field: INodeProperties,
	{ place, top }: Around,
	settings: RandomSettings,
): SetValue {
	const inner = randomSettings(chance, (field.options ?? []) as INodeProperties[], 'collection', top);
	settings.additional.push(...inner.additional);
	const { property } = field.routing?.send ?? {};
	const { whenEmpty, sentAs } = ruleOf(field);
	if (sentAs === 'timeSpan') {
		// Both ways to say when are refused.
		if (settings.body.tbs !== undefined) return { isGiven: true, given: {}, seen: {} };
		const days = Object.entries({ cd_min: inner.seen.from, cd_max: inner.seen.to }).flatMap(([name, day]) => {
			const [year, month, date] = typeof day === 'string' && day !== '' ? day.split('-').map(Number) : [];
			return year === undefined ? [] : `${name}:${month}/${date}/${year}`;
		});
		if (days.length > 0) putAt(field, ['cdr:1', ...days].join(','), settings);
		return { isGiven: true, given: inner.given, seen: inner.given };
	}
	const isEmpty = Object.keys(inner.body).length === 0;
	if (property === undefined) {
		addAll(settings.body, inner.body);
		addAll(settings.query, inner.query);
	} else if (!isEmpty || field.required) putAt(field, inner.body, settings);
	else if (place === 'collection' && whenEmpty !== undefined) putAt(field, whenEmpty, settings);
	return { isGiven: true, given: inner.given, seen: inner.given };
}

function setFixedCollection(
	chance: Chance,
	field: INodeProperties,
	{ place, top }: Around,
	settings: RandomSettings,
): SetValue {
	const [group] = (field.options ?? []) as INodePropertyCollection[];
	if (!group) throw new Error(`${field.name} has no group`);
	const { whenEmpty, shorthand } = ruleOf(field);
	const entry = () => randomSettings(chance, group.values, 'entry', top);
	if (!field.typeOptions?.multipleValues) {
		if (!field.required && chance.boolean()) return { isGiven: true, given: {}, seen: {} };
		const { given, body } = entry();
		putAt(field, body, settings);
		return { isGiven: true, given: { [group.name]: given }, seen: given };
	}
	const count = chance.integer(isNeeded(field) ? 1 : 0, 3);
	const entries = Array.from({ length: count }, entry);
	const given = entries.length === 0 ? {} : { [group.name]: entries.map((one) => one.given) };
	const sent = entries.map(({ body }) => {
		const isName = shorthand !== undefined && Object.keys(body).length === 1;
		return isName ? body[shorthand] : body;
	});
	if (sent.length > 0) putAt(field, sent, settings);
	else if (place === 'collection' && whenEmpty !== undefined) putAt(field, whenEmpty, settings);
	return { isGiven: true, given, seen: given };
}

/** Sets `a.b` in the body or the query, or `b` of the entry `x` where it is `a[x].b`. */
function putAt(field: INodeProperties, value: unknown, settings: RandomSettings): void {
	const { property, type } = field.routing?.send ?? {};
	if (property === undefined || settings.isScratch) return;
	const container = type === 'query' ? settings.query : settings.body;
	const [list = '', rest] = property.split('[');
	if (rest === undefined) {
		const [first = '', ...others] = property.split('.').reverse();
		const nested = others.reduce<Values>((inner, key) => ({ [key]: inner }), { [first]: value });
		addAll(container, nested);
		return;
	}
	const [entry = '', key = ''] = rest.split(/\]\.?/);
	const own = key === '' ? (value as Values) : { [key]: value };
	const path = list.split('.');
	const name = path.pop() ?? '';
	const holder = path.reduce<Values>((one, step) => one[step] as Values, container);
	holder[name] = (holder[name] as unknown[]).map((one) => {
		if (one === entry) return { type: entry, ...own };
		return isValues(one) && one.type === entry ? { ...one, ...own } : one;
	});
}

function addAll(into: Values, from: Values): void {
	for (const [key, value] of Object.entries(from)) {
		const there = into[key];
		if (isValues(there) && isValues(value)) addAll(there, value);
		else into[key] = value;
	}
}

function isValues(value: unknown): value is Values {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
