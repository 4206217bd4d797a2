import type { INodeProperties } from 'n8n-workflow';

import { ruleOf } from '../../nodes/fields/basic.ts';
import type { SentAs } from '../../nodes/fields/basic.ts';
import { readProperties } from '../../nodes/WebData/properties.ts';

/** A field, and the way to it through groups, by its labels. */
interface Placed {
	field: INodeProperties;
	place: string[];
}

function placed(fields: INodeProperties[], around: string[] = []): Placed[] {
	return fields.flatMap((field) => {
		const place = [...around, field.displayName];
		const inner = (field.options ?? []).flatMap((option) => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
		return [{ field, place }, ...placed(inner, place)];
	});
}

const CHOOSERS = ['resource', 'operation'];
const all = placed(readProperties()).filter(
	({ field }) => !['notice', 'hidden'].includes(field.type) && !CHOOSERS.includes(field.name),
);
/** What a model can fill: everything but the groups, which only hold other fields. */
const filled = all.filter(({ field }) => !['collection', 'fixedCollection'].includes(field.type));

const said = (fields: Placed[]) => fields.map(({ field, place }) => `${place.join(' › ')}: ${field.description ?? ''}`);
const typed = (...types: string[]) => filled.filter(({ field }) => types.includes(field.type));
const describes = (pattern: RegExp) => (one: Placed) => pattern.test(one.field.description ?? '');
const not = (is: (one: Placed) => boolean) => (one: Placed) => !is(one);

/** Words that say something: without those that any label may have. */
function words(text: string): string[] {
	const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
	const empty = ['a', 'an', 'the', 'of', 'this', 'to', 'whether', 'is', 'are', 'in', 'for'];
	return plain.split(' ').filter((word) => word !== '' && !empty.includes(word));
}

/** What a field shows before anybody has touched it, in the words of "Default: …". */
function shownDefault({ type, default: value, options = [] }: INodeProperties): string {
	if (type === 'boolean') return value === true ? 'on' : 'off';
	const nameOf = (one: unknown) => {
		const option = options.find((entry) => 'value' in entry && entry.value === one);
		return option?.name ?? String(one);
	};
	return Array.isArray(value) ? value.map(nameOf).join(', ') : nameOf(value);
}

it('every field that a model can fill says what it is for, and so does every group in a group', () => {
	expect(said(filled.filter(({ field }) => !field.description))).toEqual([]);
	const inner = all.filter(({ place }) => place.length > 1);
	expect(said(inner.filter(({ field }) => !field.description))).toEqual([]);
});

it('a choice that wants another field names it as the panel does', () => {
	const labels = all.map(({ field }) => field.displayName.replace(/ \((Milli)?s?econds\)$/i, ''));
	const named = all.flatMap(({ field, place }) =>
		(field.options ?? []).flatMap((option) => {
			const text = 'description' in option ? (option.description ?? '') : '';
			const [, label] = /\b(?:add|set) ((?:[A-Z]\w+)(?: [A-Z]\w+)*)/.exec(text) ?? [];
			return label === undefined ? [] : [{ place: [...place, option.name].join(' › '), label }];
		}),
	);
	expect(named.length).toBeGreaterThan(0);
	expect(named.filter(({ label }) => !labels.includes(label))).toEqual([]);
});

it('says more than the label', () => {
	const repeating = filled.filter(({ field }) => {
		const label = words(field.displayName);
		return words(field.description ?? '').filter((word) => !label.includes(word)).length < 2;
	});
	expect(said(repeating)).toEqual([]);
});

it('is short, begins with a capital, and ends with a full stop where it has several sentences', () => {
	const wrong = all.filter(({ field: { description = '' } }) => {
		if (description === '') return false;
		const isLong = description.length > 240;
		const hasSeveral = /[.:] \p{Lu}/u.test(description.replace(/e\.g\. /g, ''));
		const begins = /^[\p{Lu}\p{N}"]/u.test(description);
		return isLong || !begins || hasSeveral !== description.endsWith('.');
	});
	expect(said(wrong)).toEqual([]);
});

it('a switch says what it decides', () => {
	expect(said(typed('boolean').filter(not(describes(/^Whether /))))).toEqual([]);
});

it('names the default only where the field does not show it', () => {
	const repeated = all.filter(({ field }) => {
		const told = /Default: (.+?)(?:\.\s|\.$|$)/.exec(field.description ?? '')?.[1];
		return told !== undefined && told.toLowerCase() === shownDefault(field).toLowerCase();
	});
	expect(said(repeated)).toEqual([]);
});

it('names every limit', () => {
	const silent = all.filter(({ field }) => {
		const { maxValue, minValue } = field.typeOptions ?? {};
		const { maxLength, maxItems } = ruleOf(field);
		const low = minValue !== undefined && minValue > 1 ? [minValue] : [];
		const limits = [...low, maxValue, maxLength, maxItems].filter((one) => one !== undefined);
		const text = (field.description ?? '').replace(/,(?=\d{3})/g, '');
		return !limits.every((limit) => new RegExp(`(?<!\\d)${limit}(?!\\d)`).test(text));
	});
	expect(said(silent)).toEqual([]);
});

it('a number says its unit or what it counts', () => {
	const unit =
		/\b(how many|max number|seconds|milliseconds|days|pixels|score|fewest|most|1 to 100|factor|counted from)\b/i;
	const silent = typed('number').filter(({ field }) => !unit.test(`${field.displayName} ${field.description ?? ''}`));
	expect(said(silent)).toEqual([]);
});

/** What a model must know to write a value that is read this way. */
const FORMS: Record<SentAs, RegExp> = {
	list: /comma/,
	lines: /one (\w+ )?per line/,
	url: /https?|address|url/i,
	urls: /one (\w+ )?per line/,
	binaryFields: /binary field.*commas/i,
	countryCode: /two-letter .*ISO 3166/i,
	date: /YYYY-MM-DD/,
	id: /\bID\b/,
	numbers: /comma/,
	codes: /comma.*|lowercase/,
	token: /\bID\b/,
	tokens: /IDs.*comma/,
	cron: /minute, hour, day, month/i,
	scheduleText: /every N minutes/i,
	timeZone: /Europe\/Oslo/,
	stringMap: /JSON object/,
	timeSpan: /days/,
	body: /JSON object/,
	schemaOfExample: /JSON object/,
	objectOrList: /list of objects/,
	jsonSchema: /JSON Schema/,
};

it.each(Object.entries(FORMS))('a text that is read as %s says so', (form, pattern) => {
	const wrong = filled.filter(({ field }) => ruleOf(field).sentAs === form);
	expect(said(wrong.filter(not(describes(pattern))))).toEqual([]);
});

it('JSON says of what kind', () => {
	expect(said(typed('json').filter(not(describes(/JSON (object|array|Schema)/))))).toEqual([]);
});

it('a text shows an example, in the way of n8n', () => {
	const silent = typed('string', 'json').filter(
		({ field }) => field.default === '' && !/^e\.g\. \S/.test(field.placeholder ?? field.hint ?? ''),
	);
	// The key of the credential is no part of the panel.
	expect(said(silent)).toEqual([]);
	const odd = all.filter(({ field: { type, placeholder = '' } }) =>
		type === 'collection' || type === 'fixedCollection'
			? !/^(Add|Set) /.test(placeholder)
			: placeholder !== '' && !placeholder.startsWith('e.g. '),
	);
	expect(said(odd)).toEqual([]);
});

it('what only enterprise plans have stands in one group, out of the way', () => {
	const outside = all.filter(
		(one) => describes(/enterprise (only|plans only)/i)(one) && !one.place.includes('Rare and Enterprise'),
	);
	expect(said(outside)).toEqual([]);
});
