import { isWithin } from './proofPage';
import type { ProofPage, ShownLine, Span } from './proofPage';
import { kindOf, lookUp } from './valueForms';

type Fields = Readonly<Record<string, unknown>>;

/** The part of a page that belongs to an object of a list. */
export interface ListPart {
	/** From its anchor to that of the next object; in a table its row or column. */
	behind: readonly Span[];
	/** From the anchor of the object before to its own. */
	before: readonly Span[];
	/** The fields that stand above the anchor in this list. */
	above: ReadonlySet<string>;
	/** The field of its anchor, where that place is the one of another object. */
	borrowed: string | undefined;
}

/** A place of the anchor of an object. */
interface AnchorPlace extends Span {
	line: ShownLine;
	/** How much it looks like the name of a thing: 2 a cell, a heading, a line by itself; 1 the begin of a line; 0 else. */
	rank: number;
	/** The field that it is. */
	name: string;
}

interface Sides {
	behind: readonly Span[];
	before: readonly Span[];
	held: number;
	place?: AnchorPlace;
}

/**
 * The parts of these objects. A menu that names them all is none: of the places that look alike, those are taken where
 * most of the values stand.
 */
export function partsOfList(page: ProofPage, records: readonly Fields[], spans: readonly Span[]): ListPart[] {
	const all = records.map((record) => anchorPlaces(page, record, spans));
	let best: { sides: Sides[]; held: number } | undefined;
	for (const least of [2, 1, 0]) {
		const places = all.map((one) => one.filter(({ rank }) => rank >= least));
		const sides = records.map((record, index) => sidesOf(page, record, places, index, spans));
		const held = sides.reduce((sum, one) => sum + one.held, 0);
		if (!best || held > best.held) best = { sides, held };
	}
	const { sides = [] } = best ?? {};
	const above = fieldsAbove(page, records, sides);
	const held = sides.map(({ behind, before }, index) => {
		const fields = Object.entries(records[index] ?? {});
		return fields.filter(([name, value]) => holds(page, value, above.has(name) ? before : behind)).length;
	});
	return sides.map(({ behind, before, place }, index) => {
		const isOthers = sides.some(
			(other, at) => at !== index && other.place?.at === place?.at && (held[at] ?? 0) > (held[index] ?? 0),
		);
		return { behind, before, above, borrowed: place && isOthers ? place.name : undefined };
	});
}

/** The fields of a list that stand above the anchors more often than behind them. */
function fieldsAbove(page: ProofPage, records: readonly Fields[], sides: readonly Sides[]): Set<string> {
	const names = new Set(records.flatMap((record) => Object.keys(record)));
	const countIn = (name: string, side: 'behind' | 'before') =>
		records.filter((record, index) => holds(page, record[name], sides[index]?.[side] ?? [])).length;
	return new Set([...names].filter((name) => countIn(name, 'before') > countIn(name, 'behind')));
}

/** Whether a value stands in a part; of a list, whether any of its values does. */
function holds(page: ProofPage, value: unknown, part: readonly Span[]): boolean {
	if (Array.isArray(value)) return value.some((one) => holds(page, one, part));
	if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return false;
	return lookUp(value, kindOf(value), page, part).state === 'found';
}

/** The places of the first text of an object that stands on the page; without one, of its first value that does. */
function anchorPlaces(page: ProofPage, record: Fields, spans: readonly Span[]): AnchorPlace[] {
	const values = Object.entries(record).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
	const texts = values.filter(([, value]) => typeof value === 'string' && kindOf(value) === 'text');
	for (const [name, value] of [...texts, ...values]) {
		const places = page.placesOf(String(value)).flatMap(({ at, end }) => {
			const line = page.lineAt(at);
			return line && isWithin({ at, end }, spans) ? [{ at, end, line, name, rank: rankOf(at, end, line) }] : [];
		});
		if (places.length > 0) return places;
	}
	return [];
}

function rankOf(at: number, end: number, line: ShownLine): number {
	if (line.kind === 'row') return line.cells.some((cell) => cell.at === at && cell.end === end) ? 2 : 0;
	if (line.at === at && line.end === end) return 2;
	return line.at === at ? 1 : 0;
}

/** The part around that place of its anchor where most of an object's values stand. */
function sidesOf(
	page: ProofPage,
	record: Fields,
	places: ReadonlyArray<readonly AnchorPlace[]>,
	index: number,
	spans: readonly Span[],
): Sides {
	const own = places[index] ?? [];
	// Without an anchor nothing holds it together.
	let best: Sides = { behind: spans, before: spans, held: -1 };
	const others = places.flatMap((all, other) => (other === index ? [] : all));
	for (const place of own) {
		const part = partAround(page, place, others, spans);
		const all = [...part.behind, ...part.before];
		const held = Object.values(record).filter((value) => holds(page, value, all)).length;
		if (held > best.held) best = { ...part, held, place };
	}
	return best;
}

function partAround(
	page: ProofPage,
	place: AnchorPlace,
	others: readonly AnchorPlace[],
	spans: readonly Span[],
): Pick<Sides, 'behind' | 'before'> {
	const { line } = place;
	if (line.kind === 'row') {
		const column = line.cells.findIndex((cell) => cell.at === place.at);
		const isColumn = line.heads.length === 0 && others.some((other) => other.line === line);
		const rows = page.lines.filter(({ kind, block }) => kind === 'row' && block === line.block);
		const part = isColumn ? rows.flatMap(({ cells }) => cells[column] ?? []) : [{ at: line.at, end: line.end }];
		return { behind: part, before: part };
	}
	const outer = spans.find(({ at, end }) => at <= place.at && place.end <= end) ?? page.whole;
	const next = others.reduce((first, { at }) => (at > place.at ? Math.min(first, at) : first), outer.end);
	const last = others.reduce((latest, { end }) => (end <= place.at ? Math.max(latest, end) : latest), outer.at);
	// Up to the end of the line before the next anchor.
	const end = next === outer.end ? next : Math.max(place.end, next - 1);
	return {
		behind: [{ at: place.at, end: Math.min(end, sectionEnd(page, line, end)) }],
		before: [{ at: last, end: place.end }],
	};
}

/** Where the section of a heading ends: the last object of a list does not go on to the end of the page. */
function sectionEnd(page: ProofPage, line: ShownLine, most: number): number {
	const { level, path } = line;
	const next = page.lines.find((one) => {
		if (one.at <= line.at || one.kind !== 'heading') return false;
		return line.kind === 'heading' ? one.level <= level : !one.path.startsWith(path) || path === '';
	});
	return Math.min(most, next?.at ?? most);
}
