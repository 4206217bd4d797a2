import { readSchema, typeOf } from './jsonSchema.ts';
import type { SchemaNode } from './jsonSchema.ts';
import { termsOf } from './rankSentences.ts';
import type { Finding } from './rankSentences.ts';

const DEEPEST = 12;
const ITEMS_PER_LIST = 3;

interface Place {
	/** Name of the field that is filled, with its description: what the fact should be about. */
	about: string;
	/** Which of the fitting facts to take, so that the items of a list differ. */
	turn: number;
	depth: number;
}

/** The facts, those about the place first. */
function factsAbout(place: Place, findings: readonly Finding[]): Finding[] {
	const wanted = termsOf(place.about.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '));
	const matches = (text: string): number => {
		const terms = new Set(termsOf(text));
		return wanted.filter((term) => terms.has(term)).length;
	};
	return findings
		.map((finding) => ({ finding, hits: matches(finding.text) }))
		.sort((left, right) => right.hits - left.hits)
		.map(({ finding }) => finding);
}

function atTurn<Item>(items: readonly Item[], turn: number): Item | undefined {
	return items[turn % Math.max(1, items.length)];
}

function fillNumber(node: SchemaNode, place: Place, facts: readonly Finding[], isWhole: boolean): number {
	const figures = facts.flatMap(({ text }) =>
		[...text.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([figure]) => Number(figure.replaceAll(',', ''))),
	);
	const grain = node.multipleOf ?? (isWhole ? 1 : undefined);
	const least = Math.max(
		node.minimum ?? -Infinity,
		node.exclusiveMinimum === undefined ? -Infinity : node.exclusiveMinimum + (grain ?? 0.001),
	);
	const most = Math.min(
		node.maximum ?? Infinity,
		node.exclusiveMaximum === undefined ? Infinity : node.exclusiveMaximum - (grain ?? 0.001),
	);
	const fitting = figures.filter((figure) => figure >= least && figure <= most);
	const value = Math.min(most, Math.max(least, atTurn(fitting, place.turn) ?? 0));
	if (!grain) return value;
	const rounded = Math.round(value / grain) * grain;
	if (rounded < least) return Math.ceil(least / grain) * grain;
	return rounded > most ? Math.floor(most / grain) * grain : rounded;
}

function formatted(format: string | undefined, place: Place, fact: Finding | undefined): string | undefined {
	const isAddress = /\b(url|uri|link|source|href)s?\b/i.test(place.about.split(' ', 1)[0] ?? '');
	if (format === 'uri' || format === 'url' || (format === undefined && isAddress)) return fact?.url;
	if (format === 'date') return '2026-01-15';
	if (format === 'date-time') return '2026-01-15T00:00:00Z';
	if (format === 'time') return '00:00:00Z';
	if (format === 'email') return 'sandbox@example.com';
	if (format === 'uuid') return '00000000-0000-4000-8000-000000000000';
	return undefined;
}

function fillString(node: SchemaNode, place: Place, facts: readonly Finding[]): string {
	const fact = atTurn(facts, place.turn);
	const set = formatted(node.format, place, fact);
	if (set !== undefined) return set;
	const isName = /^(title|name|heading)\b/i.test(place.about);
	const text = (isName ? fact?.title : fact?.text) ?? '';
	return text.slice(0, node.maxLength ?? Infinity).padEnd(node.minLength ?? 0, '.');
}

function fillNode(schema: unknown, root: unknown, place: Place, findings: readonly Finding[]): unknown {
	const node = readSchema(schema, root);
	if ('const' in node && node.const !== undefined) return node.const;
	const about = `${place.about} ${node.description ?? ''}`.trim();
	const facts = factsAbout({ ...place, about }, findings);
	if (node.enum) {
		const text = (atTurn(facts, place.turn)?.text ?? '').toLowerCase();
		return node.enum.find((value) => text.includes(String(value).toLowerCase())) ?? node.enum[0];
	}
	switch (typeOf(node)) {
		case 'object': {
			if (place.depth >= DEEPEST) return {};
			const entries = Object.entries(node.properties ?? {}).map(([name, inner]) => [
				name,
				fillNode(inner, root, { about: name, turn: place.turn, depth: place.depth + 1 }, facts),
			]);
			return Object.fromEntries(entries);
		}
		case 'array': {
			if (place.depth >= DEEPEST) return [];
			const wanted = Math.max(node.minItems ?? 0, Math.min(node.maxItems ?? Infinity, ITEMS_PER_LIST));
			return Array.from({ length: wanted }, (_, turn) =>
				fillNode(node.items, root, { about, turn, depth: place.depth + 1 }, facts),
			);
		}
		case 'number':
			return fillNumber(node, place, facts, false);
		case 'integer':
			return fillNumber(node, place, facts, true);
		case 'boolean':
			return termsOf(place.about).some((term) => findings.some(({ text }) => termsOf(text).includes(term)));
		case 'null':
			return null;
		default:
			return fillString(node, { ...place, about }, facts);
	}
}

/**
 * A value that meets the JSON Schema, made of the facts found. Patterns are not read. Without a schema:
 * the best facts with where they come from.
 */
export function fillSchema(schema: unknown, findings: readonly Finding[]): unknown {
	if (schema === undefined || schema === null) {
		return { facts: findings.slice(0, 5).map(({ text, url }) => ({ fact: text, source: url })) };
	}
	return fillNode(schema, schema, { about: '', turn: 0, depth: 0 }, findings);
}

const LIST_LENGTH = 2;

/** What fields of a common name hold, in the world of the sandbox's own pages; the first that fits counts. */
const KNOWN: ReadonlyArray<readonly [name: RegExp, values: readonly unknown[]]> = [
	[/e-?mail/i, ['hello@nordhaven.example', 'office@lindmoor.example', 'post@osterby.example']],
	[/phone|telephone/i, ['+47 22 55 01 00', '+46 8 555 020 30', '+45 33 55 01 40']],
	[/url|link|website|homepage|href|source/i, ['https://example.com/', 'https://example.com/about']],
	[
		/ceo|founder|author|contact|person|director|chair/i,
		['Mara Lindqvist', 'Jonas Adeyemi', 'Ines Falk', 'Piet Aaldering', 'Rana Holt'],
	],
	[/headquarters|city|location|office|town/i, ['Nordhaven', 'Lindmoor', 'Osterby', 'Vellinga', 'Karsholm']],
	[/country/i, ['Norway', 'Sweden', 'Denmark', 'Netherlands', 'Finland']],
	[/address|street/i, ['Harbour Street 12, Nordhaven', 'Mill Lane 4, Lindmoor']],
	[/founded|established|year|since/i, [2011, 2016, 2008, 2019, 2014]],
	[/employees|staff|headcount|size/i, [180, 46, 72, 310, 25]],
	[/price|cost|amount|total|fee/i, [499, 1290, 780, 2150, 95]],
	[/revenue|turnover|funding/i, [24_000_000, 5_200_000, 9_800_000]],
	[/currency/i, ['EUR', 'NOK']],
	[/rating|score|stars/i, [4.6, 4.1, 3.8]],
	[/count|quantity|number|stock/i, [12, 3, 28]],
	[/date|published|updated/i, ['2026-03-18', '2025-11-02', '2026-01-27']],
	[/industry|category|sector|topic/i, ['Cargo bike logistics', 'City delivery']],
	[
		/products?|services?|items?/i,
		[...['Cargo bike courier', 'Night hub delivery', 'Battery exchange', 'Bike trailers'], 'Repairs on the road'],
	],
	[/features?|values|benefits|highlights|tags?/i, ['Quiet streets', 'Short delivery times']],
	[/title|headline/i, ['Cargo bikes in city deliveries', 'How Lindmoor moved its parcels']],
	[/company|name|brand|organi[sz]ation/i, ['Nordhaven Cargo Cycles', 'Lindmoor Parcels']],
	[
		/description|summary|about|answer|text|details|reason|mission/i,
		[
			'Runs cargo bikes for deliveries within the city, from three small hubs.',
			'Delivers parcels by bike and by electric van.',
		],
	],
];

const OF_FORMAT: Readonly<Record<string, string>> = {
	uri: 'https://example.com/',
	url: 'https://example.com/',
	email: 'hello@nordhaven.example',
	date: '2026-03-18',
	'date-time': '2026-03-18T09:00:00Z',
	time: '09:00:00Z',
	uuid: '00000000-0000-4000-8000-000000000000',
};

const TEXT = 'Cargo bikes in city deliveries';

function knownValue(name: string, turn: number, type: 'string' | 'number'): unknown {
	const words = name.replace(/([a-z])([A-Z])/g, '$1 $2');
	const fitting = KNOWN.filter(([pattern, [value]]) => {
		return pattern.test(words) && (type === 'string' || typeof value === 'number');
	});
	const values = fitting[0]?.[1] ?? [];
	const value = values[turn % Math.max(1, values.length)];
	return type === 'string' && value !== undefined ? String(value) : value;
}

function numberIn(
	value: number,
	{ minimum, maximum }: { minimum?: number | undefined; maximum?: number | undefined },
): number {
	return Math.min(maximum ?? Infinity, Math.max(minimum ?? -Infinity, value));
}

function valueOf(schema: unknown, root: unknown, name: string, turn: number, depth: number): unknown {
	const node = readSchema(schema, root);
	if (node.const !== undefined) return node.const;
	if (node.enum && node.enum.length > 0) return node.enum[turn % node.enum.length];
	const about = `${name} ${node.description ?? ''}`;
	const inner = (part: unknown, key: string, which: number) => valueOf(part, root, key, which, depth + 1);
	switch (typeOf(node)) {
		case 'object': {
			if (depth >= DEEPEST) return {};
			const fields = Object.entries(node.properties ?? {});
			return Object.fromEntries(fields.map(([key, part]) => [key, inner(part, key, turn)]));
		}
		case 'array': {
			if (depth >= DEEPEST) return [];
			const length = Math.max(node.minItems ?? 0, Math.min(node.maxItems ?? Infinity, LIST_LENGTH));
			return Array.from({ length }, (_, which) => inner(node.items, name, turn + which));
		}
		case 'integer':
			return Math.round(numberIn(Number(knownValue(about, turn, 'number') ?? 12), node));
		case 'number':
			return numberIn(Number(knownValue(about, turn, 'number') ?? 12.5), node);
		case 'boolean':
			return turn % 2 === 0;
		case 'null':
			return null;
		default: {
			const text = OF_FORMAT[node.format ?? ''] ?? knownValue(name, turn, 'string') ?? TEXT;
			return String(text)
				.slice(0, node.maxLength ?? Infinity)
				.padEnd(node.minLength ?? 0, '.');
		}
	}
}

/**
 * A value that fits the JSON Schema, for jobs that check no page: what a field's name asks for, from the world
 * of the sandbox's own pages. The entries of a list differ, as do the answers to different questions.
 */
export function plausibleValues(schema: unknown, question: string): unknown {
	const turn = [...question].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 7919, 0);
	return valueOf(schema, schema, 'answer', turn, 0);
}
