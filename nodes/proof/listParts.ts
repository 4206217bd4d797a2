import { isWithin } from './proofPage';
import type { ProofPage, ShownLine, Span } from './proofPage';
import { kindOf, lookUp } from './valueForms';

type Fields = Readonly<Record<string, unknown>>;

/** The part of a page that belongs to an object of a list, and the headings that it stands under. */
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
		const anchors = anchorsOf(places);
		const sides = records.map((record, index) => sidesOf(page, record, places[index] ?? [], { anchors, index, spans }));
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
		const isOthers = sides.some((other, at) => {
			if (at === index || !other.place || !place) return false;
			// The same words as a part of a longer name are that of another thing.
			const isPart = other.place.name === place.name && textAt(page, other.place) === textAt(page, place);
			if (isPart && other.place.rank === 2 && place.rank < 2) return true;
			return other.place.at === place.at && (held[at] ?? 0) > (held[index] ?? 0);
		});
		return { behind, before, above, borrowed: place && isOthers ? place.name : undefined };
	});
}

const textAt = (page: ProofPage, { at, end }: Span) => page.text.slice(at, end).toLowerCase();

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

/** A text that stands in more places, such as a brand, names no single object. */
const MOST_PLACES = 25;

/** So many places of values that are no texts are tried, of the rarest first. */
const MOST_TRIED = 8;

/**
 * The places of the first text of an object that stands on the page and names it; without one, those of its rarest values: a
 * number may stand anywhere, and the place counts where most of the object stands.
 */
function anchorPlaces(page: ProofPage, record: Fields, spans: readonly Span[]): AnchorPlace[] {
	const values = Object.entries(record).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
	const placesOf = ([name, value]: [string, unknown]) => {
		const all = page.placesOf(String(value)).filter((place) => isWithin(place, spans));
		return all.slice(0, MOST_PLACES + 1).flatMap(({ at, end }) => {
			const line = page.lineAt(at);
			return line ? [{ at, end, line, name, rank: rankOf(at, end, line) }] : [];
		});
	};
	const isText = ([, value]: [string, unknown]) => typeof value === 'string' && kindOf(value) === 'text';
	for (const text of values.filter(isText)) {
		const places = placesOf(text);
		if (places.length > 0 && places.length <= MOST_PLACES) return places;
	}
	const others = values.map(placesOf).sort((one, other) => one.length - other.length);
	return others.flat().slice(0, MOST_TRIED);
}

function rankOf(at: number, end: number, line: ShownLine): number {
	if (line.kind === 'row') return line.cells.some((cell) => cell.at === at && cell.end === end) ? 2 : 0;
	if (line.at === at && line.end === end) return 2;
	return line.at === at ? 1 : 0;
}

/** The anchors of all objects of a list, in the order of the page, and whose lines hold those of several. */
interface Anchors {
	places: ReadonlyArray<Span & { index: number }>;
	byLine: ReadonlyMap<ShownLine, ReadonlySet<number>>;
}

function anchorsOf(all: ReadonlyArray<readonly AnchorPlace[]>): Anchors {
	const byLine = new Map<ShownLine, Set<number>>();
	const places = all.flatMap((own, index) =>
		own.map(({ at, end, line }) => {
			const known = byLine.get(line) ?? new Set<number>();
			byLine.set(line, known.add(index));
			return { at, end, index };
		}),
	);
	return { places: places.sort((one, other) => one.at - other.at), byLine };
}

/** The index of the first place that stands at this sign or behind it. */
function firstFrom(places: readonly Span[], at: number): number {
	let [low, high] = [0, places.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((places[middle]?.at ?? 0) < at) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Where an object of a list is looked for, and the anchors of all. */
interface Around {
	anchors: Anchors;
	index: number;
	spans: readonly Span[];
}

/** The part around that place of its anchor where most of an object's values stand. */
function sidesOf(page: ProofPage, record: Fields, own: readonly AnchorPlace[], around: Around): Sides {
	const { spans } = around;
	// Without an anchor nothing holds it together.
	let best: Sides = { behind: spans, before: spans, held: -1 };
	for (const place of own) {
		const part = partAround(page, place, around);
		const all = [...part.behind, ...part.before];
		const held = Object.values(record).filter((value) => holds(page, value, all)).length;
		if (held > best.held) best = { ...part, held, place };
	}
	return best;
}

function partAround(
	page: ProofPage,
	place: AnchorPlace,
	{ anchors, index, spans }: Around,
): Pick<Sides, 'behind' | 'before'> {
	const { line } = place;
	if (line.kind === 'row') {
		const column = line.cells.findIndex((cell) => cell.at === place.at);
		const isColumn = line.heads.length === 0 && (anchors.byLine.get(line)?.size ?? 0) > 1;
		const rows = isColumn ? page.lines.filter(({ kind, block }) => kind === 'row' && block === line.block) : [];
		const own = isColumn ? rows.flatMap(({ cells }) => cells[column] ?? []) : [{ at: line.at, end: line.end }];
		const part = [...own, ...line.above];
		return { behind: part, before: part };
	}
	const outer = spans.find(({ at, end }) => at <= place.at && place.end <= end) ?? page.whole;
	const { places } = anchors;
	let after = firstFrom(places, place.at + 1);
	while (places[after]?.index === index) after += 1;
	let before = firstFrom(places, place.at) - 1;
	while (before >= 0 && (places[before]?.index === index || (places[before]?.end ?? 0) > place.at)) before -= 1;
	const next = Math.min(places[after]?.at ?? outer.end, outer.end);
	const last = Math.max(places[before]?.end ?? outer.at, outer.at);
	// Up to the end of the line before the next anchor.
	const end = next === outer.end ? next : Math.max(place.end, next - 1);
	return {
		behind: [{ at: place.at, end: Math.min(end, sectionEnd(page, line, end)) }, ...line.above],
		before: [{ at: last, end: place.end }, ...line.above],
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
