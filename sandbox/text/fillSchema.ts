import { z } from 'zod/v4';
import { termsOf } from './rankSentences.ts';
import type { Finding } from './rankSentences.ts';

/** The parts of a JSON Schema that are read; anything else in it is passed over. */
const schemaNode = z
	.object({
		type: z.union([z.string(), z.array(z.string())]).optional(),
		description: z.string().optional(),
		const: z.unknown().optional(),
		enum: z.array(z.unknown()).min(1).optional(),
		format: z.string().optional(),
		minLength: z.number().optional(),
		maxLength: z.number().optional(),
		minimum: z.number().optional(),
		maximum: z.number().optional(),
		properties: z.record(z.string(), z.unknown()).optional(),
		items: z.unknown().optional(),
		minItems: z.number().optional(),
		maxItems: z.number().optional(),
	})
	.passthrough();

type SchemaNode = z.output<typeof schemaNode>;

/** The type a node asks for, or the one its other demands speak of. */
function typeOf({ type, properties, items, minimum, maximum }: SchemaNode): string {
	const named = Array.isArray(type) ? (type.find((one) => one !== 'null') ?? 'null') : type;
	if (named) return named;
	if (properties) return 'object';
	if (items !== undefined) return 'array';
	return minimum !== undefined || maximum !== undefined ? 'number' : 'string';
}

/** What a field is about: its name and its description; and which of the fitting values to take. */
interface Place {
	about: string;
	/** Differs for each item of a list. */
	turn: number;
	depth: number;
}

const DEEPEST = 12;

const OF_FORMAT: Readonly<Record<string, string>> = {
	email: 'hello@nordhaven.example',
	date: '2026-03-18',
	'date-time': '2026-03-18T09:00:00Z',
	time: '09:00:00Z',
	uuid: '00000000-0000-4000-8000-000000000000',
};

function textFor(node: SchemaNode, place: Place, values: Values): string {
	const isAddress = /^ur[il]$/.test(node.format ?? '') || /^\w*(url|uri|link|source|href)s?\b/i.test(place.about);
	const text = OF_FORMAT[node.format ?? ''] ?? (isAddress ? values.address(place) : values.text(place)) ?? '';
	return text.slice(0, node.maxLength ?? Infinity).padEnd(node.minLength ?? 0, '.');
}

function fill(schema: unknown, place: Place, values: Values): unknown {
	const read = schemaNode.safeParse(schema);
	const node: SchemaNode = read.success ? read.data : {};
	if (node.const !== undefined) return node.const;
	const here = { ...place, about: `${place.about} ${node.description ?? ''}`.trim() };
	if (node.enum) return values.choose(node.enum, here);
	const depth = place.depth + 1;
	switch (typeOf(node)) {
		case 'object': {
			const fields = depth > DEEPEST ? [] : Object.entries(node.properties ?? {});
			return Object.fromEntries(
				fields.map(([name, inner]) => [name, fill(inner, { about: name, turn: place.turn, depth }, values)]),
			);
		}
		case 'array': {
			const wanted = Math.max(node.minItems ?? 0, Math.min(node.maxItems ?? Infinity, values.listLength));
			return Array.from({ length: depth > DEEPEST ? 0 : wanted }, (_unused, nth) =>
				fill(node.items, { about: here.about, turn: place.turn + nth, depth }, values),
			);
		}
		case 'number':
		case 'integer': {
			const [least, most] = [node.minimum ?? -Infinity, node.maximum ?? Infinity];
			const value = Math.min(most, Math.max(least, values.number(here, least, most)));
			return typeOf(node) === 'integer' ? Math.round(value) : value;
		}
		case 'boolean':
			return values.flag(here);
		case 'null':
			return null;
		default:
			return textFor(node, here, values);
	}
}

function atTurn<Item>(items: readonly Item[], turn: number): Item | undefined {
	return items[turn % Math.max(1, items.length)];
}

const wordsOf = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ');

/** Values made of facts: those about a field first. */
function ofFindings(findings: readonly Finding[]) {
	const about = (place: Place): Finding[] => {
		const wanted = termsOf(wordsOf(place.about));
		const hits = ({ text }: Finding): number => {
			const terms = new Set(termsOf(text));
			return wanted.filter((term) => terms.has(term)).length;
		};
		return findings
			.map((finding) => ({ finding, score: hits(finding) }))
			.sort((left, right) => right.score - left.score)
			.map(({ finding }) => finding);
	};
	const fact = (place: Place): Finding | undefined => atTurn(about(place), place.turn);
	return {
		listLength: 3,
		text: (place: Place) => (/^(title|name|heading)\b/i.test(place.about) ? fact(place)?.title : fact(place)?.text),
		address: (place: Place) => fact(place)?.url,
		/** Within these bounds, where there is one. */
		number(place: Place, least: number, most: number) {
			const figures = about(place).flatMap(({ text }) => text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []);
			const fitting = figures
				.map((figure) => Number(figure.replaceAll(',', '')))
				.filter((figure) => figure >= least && figure <= most);
			return atTurn(fitting, place.turn) ?? 0;
		},
		flag: (place: Place) =>
			termsOf(place.about).some((term) => findings.some(({ text }) => termsOf(text).includes(term))),
		choose(choices: readonly unknown[], place: Place) {
			const text = (fact(place)?.text ?? '').toLowerCase();
			return choices.find((choice) => text.includes(String(choice).toLowerCase())) ?? choices[0];
		},
	};
}

type Values = ReturnType<typeof ofFindings>;

/**
 * A value that meets the JSON Schema, made of the facts found; references and patterns are not read. Without a
 * schema: the best facts with where they come from.
 */
export function fillSchema(schema: unknown, findings: readonly Finding[]): unknown {
	if (schema === undefined || schema === null) {
		return { facts: findings.slice(0, 5).map(({ text, url }) => ({ fact: text, source: url })) };
	}
	return fill(schema, { about: '', turn: 0, depth: 0 }, ofFindings(findings));
}

/** What fields of a common name hold, in the world of the sandbox's own pages; the first that fits counts. */
const KNOWN: ReadonlyArray<readonly [name: RegExp, values: ReadonlyArray<string | number>]> = [
	[/e-?mail/i, ['hello@nordhaven.example', 'office@lindmoor.example', 'post@osterby.example']],
	[
		/ceo|founder|author|contact|person/i,
		['Mara Lindqvist', 'Jonas Adeyemi', 'Ines Falk', 'Piet Aaldering', 'Rana Holt'],
	],
	[/headquarters|city|location|office|town/i, ['Nordhaven', 'Lindmoor', 'Osterby', 'Vellinga', 'Karsholm']],
	[/country/i, ['Norway', 'Sweden', 'Denmark', 'Netherlands', 'Finland']],
	[/founded|established|year|since/i, [2011, 2016, 2008, 2019, 2014]],
	[/employees|staff|count|quantity|stock/i, [180, 46, 72, 310, 25]],
	[/price|cost|amount|total|fee/i, [499, 1290, 780, 2150, 95]],
	[/date|published|updated/i, ['2026-03-18', '2025-11-02', '2026-01-27']],
	[/products?|services?|items?/i, ['Cargo bike courier', 'Night hub delivery', 'Battery exchange', 'Bike trailers']],
	[/company|name|brand|organi[sz]ation/i, ['Nordhaven Cargo Cycles', 'Lindmoor Parcels', 'Osterby Couriers']],
	[/./, ['Delivers parcels in the city by cargo bike.', 'Quiet streets', 'Short delivery times']],
];

/** Values that fit a field's name. */
const ofTheWorld: Values = {
	listLength: 2,
	text({ about, turn }) {
		const [, values = []] = KNOWN.find(([name]) => name.test(wordsOf(about))) ?? [];
		return String(atTurn(values, turn) ?? '');
	},
	address: () => 'https://example.com/',
	number({ about, turn }) {
		const [, values = []] =
			KNOWN.find(([name, [value]]) => typeof value === 'number' && name.test(wordsOf(about))) ?? [];
		return Number(atTurn(values, turn) ?? 12);
	},
	flag: ({ turn }) => turn % 2 === 0,
	choose: (choices, { turn }) => atTurn(choices, turn),
};

/**
 * A value that fits the JSON Schema, for jobs that read no page: what a field's name asks for, from the world of the
 * sandbox's own pages. The entries of a list differ, as do the answers to different questions.
 */
export function plausibleValues(schema: unknown, question: string): unknown {
	const turn = [...question].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 7919, 0);
	return fill(schema, { about: '', turn, depth: 0 }, ofTheWorld);
}
