import { spacedName } from '../text/jsonPaths';
import { asksForFormer, wordsOfName } from './bounds';
import { currencyCode } from './currencies';
import { isWithin } from './proofPage';
import type { ProofPage, ShownLine, Span } from './proofPage';
import type { ListPart } from './listParts';
import { kindOf, withoutHeadings } from './valueForms';
import type { Finding } from './valueForms';

/** An object, and what was found of its own values. */
export interface HeldRecord {
	record: Readonly<Record<string, unknown>>;
	findings: Map<string, Finding>;
	spans: readonly Span[];
}

/**
 * Takes back what was found of values that stand where another value stands: of the objects of one list, or of a single
 * one. What the other objects of a list have in common shows where a field stands, and in which currency.
 */
export function holdTogether(page: ProofPage, all: readonly HeldRecord[]): void {
	for (const one of all) holdStruck(page, one);
	for (const one of all) holdCurrency(one);
	holdUnits(all);
	holdColumns(page, all);
	holdFrames(page, all);
	for (const one of all) holdLabels(page, one);
	holdPlaces(page, all);
}

const isFound = (finding: Finding | undefined): finding is Finding => finding?.state === 'found';

/** What was found is another thing; its words stay, to be shown. */
function takeBack(findings: Map<string, Finding>, name: string, reason: 'otherPlace' | 'otherUnit'): void {
	findings.set(name, { state: 'absent', reason, words: findings.get(name)?.words ?? '' });
}

/** A list of objects, and where each of them stands on the page. */
interface HeldList {
	records: ReadonlyArray<Readonly<Record<string, unknown>>>;
	parts: readonly ListPart[];
}

/**
 * A number of an object is taken back where it stands only in the parts of the objects of its lists, or within texts of
 * its lists: the distance of the first hotel is not the number of results. One that is the length of a list follows from it.
 */
export function holdOutOfLists(
	page: ProofPage,
	{ record, findings }: HeldRecord,
	lists: readonly HeldList[],
	texts: readonly string[],
): void {
	const spans = texts.flatMap((text) => page.placesOf(text));
	for (const [name, finding] of findings) {
		if (typeof record[name] !== 'number') continue;
		const isCount = lists.some(({ records }) => records.length === record[name]);
		if (finding.reason === 'notFound' && isCount) findings.set(name, { state: 'unchecked', reason: 'computed' });
		const places = finding.places ?? [];
		if (!isFound(finding) || places.length === 0) continue;
		const isTheirs = (place: Span) => isOfLists(page, place, lists, name) || isWithin(place, spans);
		if (places.every(isTheirs)) takeBack(findings, name, 'otherPlace');
	}
}

const isOfLists = (page: ProofPage, place: Span, lists: readonly HeldList[], name: string) =>
	lists.some((list) => isOfList(page, place, list) && !sharesName(name, list));

/**
 * Whether a place stands in the part of one of these objects. Outside of a table, the part of the last object is left out:
 * it may hold what comes behind the list.
 */
function isOfList(page: ProofPage, place: Span, { parts }: HeldList): boolean {
	const rows = page.lineAt(place.at)?.kind === 'row' ? parts : parts.slice(0, -1);
	return rows.some(({ behind }) => isWithin(place, withoutHeadings(page, behind)));
}

/** Whether the objects of a list have such a field, too: the lowest price is one of the prices. */
function sharesName(name: string, { records }: HeldList): boolean {
	const own = wordsOfName(name);
	const words = new Set(records.flatMap((one) => Object.keys(one).flatMap(wordsOfName)));
	return own.includes('year') || own.some((word) => words.has(word));
}

/** What is struck out is no longer so: it proves what a field asks for that was so before, or a second amount. */
function holdStruck(page: ProofPage, { record, findings }: HeldRecord): void {
	const isStruck = (finding: Finding | undefined) =>
		isFound(finding) &&
		(finding.places ?? []).length > 0 &&
		(finding.places ?? []).every((place) => isWithin(place, page.lineAt(place.at)?.struck ?? []));
	const others = Object.keys(record).filter((name) => typeof record[name] === 'number' && isFound(findings.get(name)));
	const hasCurrent = others.some(
		(name) => (findings.get(name)?.currencies ?? []).length > 0 && !isStruck(findings.get(name)),
	);
	for (const [name, finding] of findings) {
		if (!isStruck(finding) || asksForFormer(name)) continue;
		if (!(hasCurrent && typeof record[name] === 'number')) takeBack(findings, name, 'otherPlace');
	}
}

/** An amount and its currency are one: that of another amount proves nothing. */
function holdCurrency({ record, findings }: HeldRecord): void {
	const amounts = [...findings.values()].filter((one) => isFound(one) && (one.currencies?.length ?? 0) > 0);
	for (const [name, finding] of findings) {
		const value = record[name];
		if (typeof value !== 'string' || !isFound(finding) || kindOf(value) !== 'currency') continue;
		const code = currencyCode(value.trim()) ?? '';
		const isOther = amounts.length > 0 && !amounts.some(({ currencies = [] }) => currencies.includes(code));
		if (isOther) findings.set(name, { state: 'absent', reason: 'otherUnit', words: amounts[0]?.words ?? '' });
	}
}

/** So many objects of a list show what they have in common, and such a share of them. */
const LEAST_OBJECTS = 2;
const MOST_OF_THEM = 0.6;

/** How many of some lists have each entry that any of them has. */
function tally(lists: ReadonlyArray<readonly string[]>): Map<string, number> {
	const counts = new Map<string, number>();
	for (const list of lists) for (const entry of new Set(list)) counts.set(entry, (counts.get(entry) ?? 0) + 1);
	return counts;
}

/** The entries that most lists but one have: `own` is that one, of so many. */
function usualBut(own: readonly string[], counts: ReadonlyMap<string, number>, of: number): Set<string> {
	const others = of - 1;
	if (others < LEAST_OBJECTS) return new Set();
	const isUsual = ([entry, count]: [string, number]) => count - (own.includes(entry) ? 1 : 0) >= MOST_OF_THEM * others;
	return new Set([...counts].filter(isUsual).map(([entry]) => entry));
}

/** Where the amounts of a field have a currency in all other objects, a figure without one is another thing. */
function holdUnits(all: readonly HeldRecord[]): void {
	for (const name of namesOf(all)) {
		const found = all.flatMap(({ record, findings }) => {
			const finding = findings.get(name);
			return isFound(finding) && finding.currencies ? [{ record, findings, currencies: finding.currencies }] : [];
		});
		const counts = tally(found.map(({ currencies }) => currencies.slice(0, 1)));
		for (const { record, findings, currencies } of found) {
			const [usual] = usualBut(currencies.slice(0, 1), counts, found.length);
			// An object may say that its own is another one.
			const isNamed = currencies.some((code) => Object.values(record).includes(code));
			if (usual !== undefined && !currencies.includes(usual) && !isNamed) takeBack(findings, name, 'otherUnit');
		}
	}
}

/** Where a field stands in one column of a table in most objects, what stands in another one is another thing. */
function holdColumns(page: ProofPage, all: readonly HeldRecord[]): void {
	for (const name of namesOf(all)) {
		const placed = all.flatMap(({ findings }) => {
			const { state, places } = findings.get(name) ?? {};
			return state === 'found' && places ? [{ findings, columns: places.map((place) => columnOf(page, place)) }] : [];
		});
		const counts = tally(placed.map(({ columns }) => columns));
		for (const { findings, columns } of placed) {
			const usual = usualBut(columns, counts, placed.length);
			const hasColumn = [...usual].some((column) => column !== '');
			const isApart = columns.every((column) => column !== '' && !usual.has(column));
			if (hasColumn && isApart) takeBack(findings, name, 'otherPlace');
		}
	}
}

/** The column of a table in which a place stands; empty outside of tables. */
function columnOf(page: ProofPage, { at, end }: Span): string {
	const line = page.lineAt(at);
	if (line?.kind !== 'row') return '';
	return String(line.cells.findIndex((cell) => cell.at <= at && end <= cell.end));
}

/** Where the figures of a field stand between the same signs or words in other objects, `(128)`, another one is another thing. */
function holdFrames(page: ProofPage, all: readonly HeldRecord[]): void {
	for (const name of namesOf(all)) {
		const framed = all.flatMap(({ record, findings }) => {
			const { state, places } = findings.get(name) ?? {};
			if (typeof record[name] !== 'number' || state !== 'found' || !places) return [];
			return [{ findings, frames: places.map((place) => frameOf(page, place)) }];
		});
		const counts = {
			before: tally(framed.map(({ frames }) => frames.map(({ before }) => before))),
			behind: tally(framed.map(({ frames }) => frames.map(({ behind }) => behind))),
		};
		for (const { findings, frames } of framed) {
			const usualOn = (side: 'before' | 'behind') =>
				usualBut(
					frames.map((frame) => frame[side]),
					counts[side],
					framed.length,
				);
			const [before, behind] = [usualOn('before'), usualOn('behind')];
			const isApart = frames.every((frame) => !before.has(frame.before) && !behind.has(frame.behind));
			if (before.size > 0 && behind.size > 0 && isApart) takeBack(findings, name, 'otherPlace');
		}
	}
}

/** The sign or word directly before and behind a figure; a digit stands for any, empty for the end of a line or cell. */
function frameOf(page: ProofPage, { at, end }: Span): { before: string; behind: string } {
	const before = signsOf(page.text.slice(Math.max(0, at - LONGEST_FRAME), at)).at(-1) ?? '';
	const [behind = ''] = signsOf(page.text.slice(end, end + LONGEST_FRAME));
	return { before, behind };
}

const LONGEST_FRAME = 24;

/** Words and signs of a text, in small letters. */
function signsOf(text: string): string[] {
	const signs = text.match(/[\p{L}\p{M}]+|\d|[\n\t]|[^\s\p{L}\p{M}\d]/gu) ?? [];
	return signs.map((sign) => sign.replace(/\d/, '0').trim().toLowerCase());
}

const namesOf = (all: readonly HeldRecord[]) => new Set(all.flatMap(({ findings }) => [...findings.keys()]));

/** Kinds of texts whose digits are no figures. */
const WITHOUT_FIGURES = ['phone', 'email', 'address'];

/** Two fields do not stand in one place: the one goes that stands elsewhere in other objects, or beside another label. */
function holdPlaces(page: ProofPage, all: readonly HeldRecord[]): void {
	const lost: Array<{ one: HeldRecord; name: string }> = [];
	for (const one of all) {
		const found = [...one.findings].filter(([, finding]) => isFound(finding) && finding.places);
		const labels = labelsOf(page, one);
		for (const [name, finding] of found) {
			const isLost = found.some(([other, its]) => {
				if (other === name) return false;
				const [own, others] = [finding.places ?? [], its.places ?? []];
				// Two places are enough for two fields.
				if (!isAllIn(own, others) || (own.length > 1 && isAllIn(others, own))) return false;
				if (isAllIn(others, own)) return losesPlace(page, all, one, labels, name, other);
				const value = one.record[other];
				// A part of a longer figure is none by itself.
				if (typeof value === 'number') return true;
				if (typeof value === 'string' && WITHOUT_FIGURES.includes(kindOf(value))) return true;
				return isUsuallyApart(all, one, name, other);
			});
			if (isLost) lost.push({ one, name });
		}
	}
	for (const { one, name } of lost) {
		takeBack(one.findings, name, 'otherPlace');
	}
}

const isAllIn = (inner: readonly Span[], outer: readonly Span[]) =>
	inner.length > 0 && inner.every((one) => isWithin(one, outer));

/** Whether a field stands outside of another one in most other objects of a list. */
function isUsuallyApart(all: readonly HeldRecord[], one: HeldRecord, name: string, other: string): boolean {
	const both = all.filter(({ findings }) => isFound(findings.get(name)) && isFound(findings.get(other)));
	const others = both.filter((record) => record !== one);
	const apart = others.filter(
		({ findings }) => !isAllIn(findings.get(name)?.places ?? [], findings.get(other)?.places ?? []),
	);
	return others.length >= LEAST_OBJECTS && apart.length >= MOST_OF_THEM * others.length;
}

/** Of two fields in one place: whether it is this one that does not belong there. */
function losesPlace(
	page: ProofPage,
	all: readonly HeldRecord[],
	one: HeldRecord,
	labels: readonly Label[],
	name: string,
	other: string,
): boolean {
	const { record, findings } = one;
	if (typeof record[name] !== typeof record[other]) return false;
	// In other objects they are one as well: a price, and the price a month.
	const twins = all.filter(
		(held) => held !== one && isFound(held.findings.get(name)) && isFound(held.findings.get(other)),
	);
	const same = twins.filter((held) => held.record[name] === held.record[other]);
	if (twins.length >= LEAST_OBJECTS && same.length >= MOST_OF_THEM * twins.length) return false;
	const at = findings.get(name)?.places?.[0]?.at ?? 0;
	const owner = nearestLabel(page, labels, at)?.name;
	if (owner === name || owner === other) return owner === other;
	const [own, its] = [name, other].map((field) => standsElsewhere(all, one, field, [name, other]));
	// Where nothing tells, neither is proven.
	return own === true || its !== true;
}

/** Whether the order of an object's fields shows that one stands where another one does in other objects. */
function standsElsewhere(all: readonly HeldRecord[], one: HeldRecord, name: string, both: readonly string[]): boolean {
	const orderOf = ({ findings }: HeldRecord, third: string): number | undefined => {
		const [left, right] = [findings.get(name)?.places?.[0], findings.get(third)?.places?.[0]];
		return left && right ? Math.sign(left.at - right.at) : undefined;
	};
	return [...one.findings.keys()].some((third) => {
		if (both.includes(third)) return false;
		const here = orderOf(one, third);
		const there = all.flatMap((held) => (held === one ? [] : (orderOf(held, third) ?? [])));
		const different = there.filter((order) => order !== here);
		return here !== undefined && there.length >= LEAST_OBJECTS && different.length >= MOST_OF_THEM * there.length;
	});
}

/**
 * Where the page has labels (`Founded: 2012`, a row `Employees | 340`), a value belongs to its own: what stands beside the
 * label of another field of the same object alone is that one's, and what has a label of its own stands beside it.
 */
function holdLabels(page: ProofPage, one: HeldRecord): void {
	const { record, findings } = one;
	const labels = labelsOf(page, one);
	for (const [name, finding] of findings) {
		const own = labels.find((label) => label.name === name);
		const places = finding.places ?? [];
		if (!isFound(finding) || !own || places.length === 0 || own.places.length === 0) continue;
		const isOwn = places.some(({ at }) => own.isBeside(at));
		const isOthers = places.every(({ at }) => {
			const nearest = nearestLabel(page, labels, at);
			return nearest !== undefined && nearest !== own && record[nearest.name] !== record[name];
		});
		if (!isOwn && (isOthers || own.isStrongFor(record[name]))) {
			takeBack(findings, name, 'otherPlace');
		}
	}
}

function labelsOf(page: ProofPage, { findings, spans }: HeldRecord): Label[] {
	return [...findings.keys()].map((name) => new Label(page, name, spans));
}

/** Words that name no field by themselves. */
const GENERIC = new Set([
	'name',
	'value',
	'total',
	'number',
	'count',
	'amount',
	'text',
	'type',
	'main',
	'data',
	'info',
	'year',
	'date',
	'time',
]);

/** Most lines behind a label that stands alone. */
const LINES_BEHIND = 2;

/** A label that is further away is none of that value. */
const LONGEST_WAY = 24;

/** The name of a field as words of the page. */
class Label {
	readonly places: readonly Span[];

	/** The lines that give its value, and nothing else; `isAlone`: it stands in a line behind. */
	private readonly own: Array<{ line: ShownLine; isAlone: boolean; hasFigure: boolean }>;

	constructor(
		private readonly page: ProofPage,
		readonly name: string,
		spans: readonly Span[],
	) {
		const phrase = spacedName(name).toLowerCase();
		const words = phrase.split(' ').filter((word) => word.length > 3 && !GENERIC.has(word));
		const forms = [...new Set([phrase, ...words])].flatMap((one) => [one, `${one}s`, one.replace(/s$/, '')]);
		const all = [...new Set(forms)].flatMap((form) => page.placesOf(form));
		this.places = all.filter((place) => isWithin(place, spans));
		this.own = this.places.flatMap(({ at, end }) => {
			const line = page.lineAt(at);
			if (!line || !isLabelOf(page, line, at, end)) return [];
			const behind = page.text.slice(end, line.end);
			const isAlone = line.kind !== 'row' && behind.replace(/[\s:=\uff1a]/g, '') === '';
			return [{ line, isAlone, hasFigure: /\p{Nd}/u.test(behind) }];
		});
	}

	/** Some line gives its value behind it: `Founded: 2012`. "Riders: pay and health" gives no number of riders. */
	isStrongFor(value: unknown): boolean {
		return this.own.some(({ isAlone, hasFigure }) => isAlone || hasFigure || typeof value !== 'number');
	}

	/** Whether a place stands in a line that gives its value, or right behind one that is the label alone. */
	isBeside(at: number): boolean {
		const { lines } = this.page;
		const line = this.page.lineAt(at);
		return this.own.some(({ line: own, isAlone }) => {
			if (own === line) return true;
			const index = lines.indexOf(own);
			return isAlone && lines.slice(index + 1, index + 1 + LINES_BEHIND).some((next) => next === line);
		});
	}
}

/** Whether a line begins with a label and a colon, or a cell is one. */
function isLabelOf(page: ProofPage, line: ShownLine, at: number, end: number): boolean {
	const [first] = line.cells;
	if (line.kind === 'row') return line.cells.length === 2 && first?.at === at && first.end === end;
	const isFirst = page.text.slice(line.at, at).trim() === '';
	return isFirst && /^\s?[:=\uff1a]/.test(page.text.slice(end, end + 2));
}

/** The label that a place stands nearest to, in its line. */
function nearestLabel(page: ProofPage, labels: readonly Label[], at: number): Label | undefined {
	const line = page.lineAt(at);
	if (!line) return undefined;
	let nearest: { label: Label; far: number } | undefined;
	for (const label of labels) {
		for (const place of label.places) {
			if (place.at < line.at || place.end > line.end) continue;
			const [from, to] = place.end <= at ? [place.end, at] : [at, place.at];
			const isApart = to - from > LONGEST_WAY || /[.!?;]\s/.test(page.text.slice(from, to));
			if (!isApart && to >= from && (!nearest || to - from < nearest.far)) nearest = { label, far: to - from };
		}
	}
	return nearest?.label;
}
