import { readSchema, typeOf } from './jsonSchema.ts';
import { termsOf } from './terms.ts';
import type { SchemaNode } from './jsonSchema.ts';
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

function fillNumber(
	node: SchemaNode,
	place: Place,
	facts: readonly Finding[],
	isWhole: boolean,
): number {
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

function formatted(
	format: string | undefined,
	place: Place,
	fact: Finding | undefined,
): string | undefined {
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

function fillNode(
	schema: unknown,
	root: unknown,
	place: Place,
	findings: readonly Finding[],
): unknown {
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
			const wanted = Math.max(
				node.minItems ?? 0,
				Math.min(node.maxItems ?? Infinity, ITEMS_PER_LIST),
			);
			return Array.from({ length: wanted }, (_, turn) =>
				fillNode(node.items, root, { about, turn, depth: place.depth + 1 }, facts),
			);
		}
		case 'number':
			return fillNumber(node, place, facts, false);
		case 'integer':
			return fillNumber(node, place, facts, true);
		case 'boolean':
			return termsOf(place.about).some((term) =>
				findings.some(({ text }) => termsOf(text).includes(term)),
			);
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
