import { kindOf } from '../../proof/valueForms';
import { ProofPage } from '../../proof/proofPage';
import { proveValues } from '../../proof/proveValues';
import type { ProvenValue } from '../../proof/proveValues';
import { sameAddress } from '../../text/addresses';
import { literally } from '../../text/linePatterns';
import { pathOfField, withoutPlaces } from '../../text/jsonPaths';
import { isRecord, isText } from '../../text/values';
import type { UnprovenReason } from '../contract/result';
import type { NumberedClaim } from '../report/numberedClaims';
import type { WantedField } from './wantedFields';

/** A value of the JSON that a model has filled. */
export interface JsonLeaf {
	/** As in n8n's Split Out: `plans[0].price`. */
	path: string;
	/** The name of its field. */
	name: string;
	value: unknown;
	/** The object of a list that it is a value of, the innermost one. */
	element?: ListElement;
}

/** An object of a list: what its values are of is its anchor, the first of its texts. */
export interface ListElement {
	/** `plans[1]` */
	path: string;
	/** `plans` */
	list: string;
	anchor: { name: string; value: string } | undefined;
	/** The anchors of all objects of its list. */
	anchors: readonly string[];
}

const MAX_DEPTH = 20;

/** The values of a JSON, also the empty ones, in their order. */
export function leavesOf(json: unknown): JsonLeaf[] {
	const leaves: JsonLeaf[] = [];
	const walk = (value: unknown, path: string, name: string, element: ListElement | undefined, depth: number): void => {
		if (depth > MAX_DEPTH) return;
		if (Array.isArray(value)) {
			const own = value.map((one) => (isRecord(one) ? anchorOf(one) : undefined));
			const anchors = own.flatMap((anchor) => anchor?.value ?? []);
			for (const [index, one] of value.entries()) {
				const place = `${path}[${index}]`;
				const isObject = { path: place, list: name, anchor: own[index], anchors };
				walk(one, place, name, isRecord(one) ? isObject : element, depth + 1);
			}
		} else if (isRecord(value)) {
			for (const [key, one] of Object.entries(value)) {
				walk(one, pathOfField(path, key), key, element, depth + 1);
			}
		} else leaves.push({ path, name, value, ...(element && { element }) });
	};
	walk(json, '', '', undefined, 0);
	return leaves;
}

function anchorOf(record: Readonly<Record<string, unknown>>): ListElement['anchor'] {
	const found = Object.entries(record).find(([, value]) => isText(value) && kindOf(value) === 'text');
	return found && { name: found[0], value: String(found[1]) };
}

/** What code says of a value and a claim: `found` in its words, for the judge alone (`open`), or why it is not there. */
export type CodeVerdict = { is: 'found'; words: string } | { is: 'open' } | { is: 'not'; reason: UnprovenReason };

const REASONS: Partial<Record<string, UnprovenReason>> = {
	otherPlace: 'otherPlace',
	otherUnit: 'otherUnit',
	isRange: 'isRange',
	notExact: 'notExact',
};

/**
 * Looks a value up in the words that a claim rests on: its quote or row, and the headings above. A value of an object of
 * a list must stand there beside the anchor of its own object. `pages`: addresses that were read, which need no words.
 */
export function lookUpIn(
	claim: NumberedClaim,
	leaf: JsonLeaf,
	field: WantedField | undefined,
	pages: ReadonlySet<string>,
): CodeVerdict {
	const { element, name, value } = leaf;
	const schema = field?.schema ?? {};
	const { path = '', row } = claim.context ?? {};
	const markdown = [...(path === '' ? [] : [`# ${path}`]), row ?? claim.quote].join('\n\n');
	const words = { markdown, url: claim.source, metadata: {} };
	const prove = (json: unknown, shape: unknown) => proveValues(json, words, shape);
	const anchor = element?.anchor;
	if (!element || !anchor || element.path + '.' + anchor.name === leaf.path) {
		const [told] = prove({ [name]: value }, { properties: { [name]: schema } });
		return isReadPage(value, pages) ? { is: 'found', words: String(value) } : verdictOf(told, leaf, claim);
	}
	// Of a long list, few objects stand there.
	const page = new ProofPage(words);
	const there = element.anchors.filter((one) => one !== anchor.value && page.placesOf(one).length > 0);
	const others = there.map((one) => ({ [anchor.name]: one }));
	const object = { [anchor.name]: anchor.value, ...(name !== anchor.name && { [name]: value }) };
	const properties = { [name]: schema };
	const told = prove({ list: [object, ...others] }, { properties: { list: { items: { properties } } } });
	const isHere = told.find(({ path: at }) => at === `list[0].${anchor.name}`)?.state === 'found';
	if (!isHere) return { is: 'not', reason: 'otherPlace' };
	if (isReadPage(value, pages)) return { is: 'found', words: String(value) };
	const own = told.find(({ path: at }) => at === `list[0].${name}`);
	return verdictOf(own, leaf, claim);
}

function isReadPage(value: unknown, pages: ReadonlySet<string>): boolean {
	return isText(value) && /^https?:/i.test(value) && URL.canParse(value) && pages.has(sameAddress(value));
}

function verdictOf(told: ProvenValue | undefined, { name, value }: JsonLeaf, { text }: NumberedClaim): CodeVerdict {
	if (!told) return { is: 'not', reason: 'notFound' };
	if (told.state === 'found') return { is: 'found', words: told.words ?? String(value) };
	const reason = REASONS[told.reason ?? ''];
	if (reason) return { is: 'not', reason };
	// A judge reads in which unit a field is: 3.2 for "3.2 million".
	if (told.state === 'unchecked') return { is: 'open' };
	// A name may be written in another language on the page: then the statement has it, and a judge has read both.
	const isName = typeof value === 'string' && kindOf(value) === 'text' && !/\d/.test(value);
	const [said] = isName ? proveValues({ [name]: value }, { markdown: text, url: '', metadata: {} }) : [];
	return said?.state === 'found' ? { is: 'open' } : { is: 'not', reason: 'notInQuote' };
}

/** Words behind a name that make no other name of it. */
const LEGAL_FORMS = /^(?:inc|ltd|llc|plc|corp|co|gmbh|ag|kg|se|sa|sas|sarl|bv|nv|ab|as|oy|srl|spa|group|gruppe)$/i;

/** The name that a question and a JSON share: whose values they are, as `Acme` of `{ "company": "Acme" }`. */
export function subjectOf(query: string, leaves: readonly JsonLeaf[]): string | undefined {
	const names = leaves.filter(({ element, value }) => !element && isText(value) && kindOf(value) === 'text');
	const found = names.map(({ value }) => String(value)).find((name) => /^\p{Lu}/u.test(name) && isNamed(query, name));
	return found;
}

function isNamed(text: string, name: string): boolean {
	return new RegExp(`(?<![\\p{L}\\p{N}])${literally(name)}(?![\\p{L}\\p{N}])`, 'iu').test(text);
}

/**
 * Whether the words of a claim and the title of its page speak of another thing, whose name is longer than that of the
 * subject: `Acme Robotics` for `Acme`. Where the subject is not named at all, that is for the judge.
 */
export function isOfOther(claim: NumberedClaim, subject: string, title: string): boolean {
	const { host } = URL.canParse(claim.source) ? new URL(claim.source) : { host: '' };
	const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	if (host.split('.').some((label) => letters(label) === letters(subject))) return false;
	const { path = '', row = '' } = claim.context ?? {};
	const text = [claim.quote, row, path, title].join(' \n ');
	const named = [...text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])${literally(subject)}(?![\\p{L}\\p{N}])`, 'giu'))];
	return (
		named.length > 0 &&
		named.every(({ index, 0: name }) => {
			const [, next] = /^[ -](\p{Lu}[\p{L}\p{N}]*)/u.exec(text.slice(index + name.length)) ?? [];
			return next !== undefined && !LEGAL_FORMS.test(next);
		})
	);
}

/** The statement that a judge gets of a value, the same in each language: whose, which field, the value. */
export function statementOf(leaf: JsonLeaf, field: WantedField | undefined, subject: string): string {
	const { element, path, name, value } = leaf;
	const said = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
	const words = field?.description ? `${name} (${field.description})` : name;
	const anchor = element?.anchor;
	if (!element || !anchor) return [subject, words, said].map(short).join(' · ');
	if (`${element.path}.${anchor.name}` === path) return [subject, element.list, words, said].map(short).join(' · ');
	return [element.list, anchor.value, words, said].map(short).join(' · ');
}

const MOST_CHARACTERS = 200;

/** On one line: a value is text from the web. */
function short(text: string): string {
	return text.replace(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS);
}

/** The fields of a JSON by the paths of its values. */
export function fieldsByPath(fields: readonly WantedField[]): (path: string) => WantedField | undefined {
	const byPath = new Map(fields.map((field) => [field.path, field]));
	return (path) => byPath.get(withoutPlaces(path));
}
