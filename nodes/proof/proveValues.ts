import { asksFor } from './bounds';
import { holdOutOfLists, holdTogether } from './heldTogether';
import type { HeldRecord } from './heldTogether';
import { partsOfList } from './listParts';
import type { ListPart } from './listParts';
import { fieldOf, pathOfField } from '../text/jsonPaths';
import { isEmpty, isRecord, isText } from '../text/values';
import { ProofPage, evenWords } from './proofPage';
import type { PageSource, Span } from './proofPage';
import { isWholePage } from './readParts';
import { kindOf, lookUp } from './valueForms';
import type { Finding, Reason } from './valueForms';

/** What is known of one value of a JSON that a model has filled. */
export interface ProvenValue {
	/** As in n8n's Split Out: `products[3].price`. */
	path: string;
	value: unknown;
	state: Finding['state'];
	reason?: Reason;
	/** The words of the page that say it, and the line that they stand in. */
	words?: string;
	line?: string;
}

/** A schema, or a part of one: it tells which values are choices. */
type Schema = Readonly<Record<string, unknown>>;

/**
 * Looks each value of a JSON up on the page that it was read from: code alone, and nothing is asked for. Empty values are
 * left out. `found`: it stands there, in words that are shown. `absent`: it does not. `unchecked`: only a reader can tell,
 * or the text where it may stand was not read.
 *
 * The values of an object hold together. In a list of objects each has its part of the page, around its anchor: the first
 * of its texts that stands there. A value that stands elsewhere only, beside another thing, is absent.
 */
export function proveValues(json: unknown, source: PageSource | ProofPage, schema: unknown = {}): ProvenValue[] {
	const page = source instanceof ProofPage ? source : new ProofPage(source);
	const proven: ProvenValue[] = [];
	prove({ page, proven, parts: new Map() }, json, {
		path: '',
		depth: 0,
		schema: asSchema(schema),
		spansOf: () => [page.whole],
	});
	return proven;
}

interface Run {
	page: ProofPage;
	proven: ProvenValue[];
	/** By the first object of a list. */
	parts: Map<Schema, readonly ListPart[]>;
}

/** Where a value is looked for, by the name of its field, and what is told of it. */
interface Place {
	path: string;
	/** How many objects and lists it is in. */
	depth: number;
	schema: Schema;
	spansOf: (name: string) => readonly Span[];
}

/** What is nested deeper is not looked up. */
const MAX_DEPTH = 100;

function prove(run: Run, value: unknown, place: Place): void {
	if (isEmpty(value)) return;
	if (place.depth > MAX_DEPTH) return tell(run, value, place, { state: 'unchecked', reason: 'longText' });
	if (Array.isArray(value)) return proveList(run, value, place);
	if (!isRecord(value)) {
		const name = fieldOf(place.path);
		return tell(run, value, place, findingOf(run.page, value, name, place.schema, place.spansOf('')));
	}
	const one = readRecord(run.page, value, place);
	const lists = Object.entries(value).flatMap(([name, list]) => {
		const records = objectsIn(list);
		return records.length < 2 ? [] : [{ records, parts: partsIn(run, records, place.spansOf(name)) }];
	});
	const texts = Object.values(value).flatMap((list) => (Array.isArray(list) ? list.filter(isText) : []));
	holdOutOfLists(run.page, one, lists, texts);
	holdTogether(run.page, [one]);
	tellRecord(run, one, place);
}

/** The objects of a list hold together: each has its part of the page. Of other lists each value is looked up alone. */
function proveList(run: Run, list: readonly unknown[], place: Place): void {
	const { page } = run;
	const schema = asSchema(place.schema.items);
	const placeAt = (index: number, spansOf = place.spansOf): Place => ({
		path: `${place.path}[${index}]`,
		depth: place.depth + 1,
		schema,
		spansOf,
	});
	const records = objectsIn(list);
	if (records.length === 0) {
		for (const [index, value] of list.entries()) prove(run, value, placeAt(index));
		return;
	}
	const parts = records.length > 1 ? partsIn(run, records, place.spansOf('')) : [];
	const places = records.map((_record, index) => placeAt(index, spansIn(parts, index, place)));
	const held = records.map((record, index) => {
		const one = readRecord(page, record, places[index] ?? place);
		const { borrowed } = parts[index] ?? {};
		if (borrowed !== undefined) one.findings.set(borrowed, { state: 'absent', reason: 'otherPlace' });
		return one;
	});
	holdTogether(page, held);
	for (const [index, one] of held.entries()) tellRecord(run, one, places[index] ?? place);
}

/** The objects of a list that is made of nothing else. */
function objectsIn(list: unknown): readonly Schema[] {
	const all: unknown[] = Array.isArray(list) ? list : [];
	const records = all.filter(isRecord);
	return records.length < all.length ? [] : records;
}

/** The parts of the objects of a list, which its own object asks for, too. */
function partsIn({ page, parts }: Run, records: readonly Schema[], spans: readonly Span[]): readonly ListPart[] {
	const [first = {}] = records;
	const known = parts.get(first) ?? partsOfList(page, records, spans);
	parts.set(first, known);
	return known;
}

/** The part of an object of a list, by the name of a field: in some layouts the price stands above the name. */
function spansIn(parts: readonly ListPart[], index: number, { spansOf }: Place): Place['spansOf'] {
	const part = parts[index];
	if (!part) return spansOf;
	return (name) => (part.above.has(name) ? part.before : part.behind);
}

function readRecord(page: ProofPage, record: Schema, { schema, spansOf }: Place): HeldRecord {
	const findings = new Map<string, Finding>();
	for (const [name, value] of Object.entries(record)) {
		if (isEmpty(value) || Array.isArray(value) || isRecord(value)) continue;
		findings.set(name, findingOf(page, value, name, propertyOf(schema, name), spansOf(name)));
	}
	return { record, findings, spans: spansOf('') };
}

function tellRecord(run: Run, { record, findings }: HeldRecord, { path, depth, schema, spansOf }: Place): void {
	for (const [name, value] of Object.entries(record)) {
		const inner = {
			path: pathOfField(path, name),
			depth: depth + 1,
			schema: propertyOf(schema, name),
			spansOf: () => spansOf(name),
		};
		const finding = findings.get(name);
		if (finding) tell(run, value, inner, finding);
		else prove(run, value, inner);
	}
}

function findingOf(page: ProofPage, value: unknown, name: string, schema: Schema, spans: readonly Span[]): Finding {
	if (typeof value === 'boolean') return { state: 'unchecked', reason: 'yesNo' };
	if (typeof value !== 'string' && typeof value !== 'number') return { state: 'unchecked', reason: 'longText' };
	if (Array.isArray(schema.enum)) return { state: 'unchecked', reason: 'choice' };
	const kind = kindOf(value);
	const finding = lookUp(value, kind, page, spans);
	if (finding.reason === 'isRange' && asksFor(name, finding.bound)) {
		const { at, words } = finding;
		return { state: 'found', ...(at !== undefined && { at }), ...(words !== undefined && { words }) };
	}
	const isOpen = finding.state === 'unchecked' && finding.reason === 'computed';
	if (finding.state !== 'absent' && !isOpen) return finding;
	if (typeof value === 'string' && page.told.has(evenWords(value))) return { state: 'found', words: value };
	if ((finding.reason !== 'notFound' && !isOpen) || isWholePage(page, spans)) return finding;
	const isElsewhere = lookUp(value, kind, page, [page.whole]).state === 'found';
	return isElsewhere ? { state: 'absent', reason: 'otherPlace' } : finding;
}

/** Most characters of a line that are shown. */
const LONGEST_LINE = 400;

function tell({ page, proven }: Run, value: unknown, { path }: Place, finding: Finding): void {
	const isOpen = (finding.state === 'absent' || finding.reason === 'otherScript') && !page.isRead;
	const { state, reason, words, at }: Finding = isOpen ? { state: 'unchecked', reason: 'notRead' } : finding;
	const line = at === undefined ? undefined : page.lineAt(at)?.text.slice(0, LONGEST_LINE);
	proven.push({
		path,
		value,
		state,
		...(reason && { reason }),
		...(words !== undefined && { words }),
		...(line !== undefined && { line }),
	});
}

function asSchema(schema: unknown): Schema {
	return isRecord(schema) ? schema : {};
}

function propertyOf(schema: Schema, name: string): Schema {
	return asSchema(asSchema(schema.properties)[name]);
}
