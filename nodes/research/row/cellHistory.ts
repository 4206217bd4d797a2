import { shortKeyOf } from '../../text/addresses';
import { cutAt } from '../../text/ends';
import { markOfQuote } from '../claims/knownPage';
import type { PageDigest } from '../claims/knownPage';
import type { QuoteMark } from '../contract/history';
import type { UnprovenReason, ValueProof } from '../contract/result';
import { isSame } from '../json/chooseValue';
import type { Column, Row } from './columns';
import { isSameText } from './decideCells';
import type { EarlierValue, FilledCell } from './decideCells';

/** The form of a row's history. One of another form starts over. */
export const ROW_HISTORY_FORM = 1;

/** A value that an earlier run has found. */
export interface KnownCell {
	value: string | number | boolean;
	currency?: string | undefined;
	quote: QuoteMark;
	/** Names the headings and the row that the quote stands under and in. */
	place: string;
	by: ValueProof['by'];
	/** Which of the row's pages it stands on, from 0. */
	page: number;
	/** Names what was asked for, with its type. */
	of: string;
	/** The days, as 2026-11-30, on which this value was found first, and last. */
	since: string;
	seen: string;
	/** In how many runs, one after the other, it could not be checked. */
	missed?: number | undefined;
}

/** What earlier runs have left of a row, as plain JSON. */
export interface KnownRow {
	form: typeof ROW_HISTORY_FORM;
	/** The day on which it was looked up last. */
	at: string;
	/** The pages that were read. */
	pages: Array<PageDigest & { url: string }>;
	/** Short keys of all pages that searches have found. */
	results: string;
	/** How often a search for empty columns was made. */
	searches: number;
	/** By the names of columns. */
	cells: Record<string, KnownCell>;
	/** Columns that were looked for and not found, each by what was asked for. */
	empty: Record<string, string>;
}

/** A cell that is not as it was. */
export interface CellChange {
	column: Column;
	change: 'changed' | 'filled' | 'gone';
	before?: EarlierValue;
	now?: { value: KnownCell['value']; currency?: string | undefined; source: string; link?: string | undefined };
	/** Of one that is gone, more than that it stands on its page no more. */
	why?: UnprovenReason | 'pageGone';
}

/** A row beside what earlier runs have found for it. */
export interface RowNews {
	/** Nothing is known of the row: all of it is told. */
	isFirst: boolean;
	changes: CellChange[];
	/** Names of columns whose earlier values this run could not check. */
	unchecked: string[];
	/** For the next run. */
	history: KnownRow;
}

/** What a run knows of its pages besides the cells. Columns are named by their numbers, from 1. */
export interface RowFacts {
	/** The pages that were read, and the short keys of those that searches have found. */
	pages: KnownRow['pages'];
	results: string;
	hasSearched: boolean;
	/** Columns whose pages could not be read; with `true` because the page is no more. */
	unread: ReadonlyMap<number, boolean>;
	/** Columns whose earlier value stands on its page still, in words that nobody has judged. */
	standing: ReadonlySet<number>;
	/** Whether a limit has ended the run. */
	isLimited: boolean;
	today: string;
}

/** Names what a column asks for: with another description it is another column. */
export function columnKey({ description, type, choices }: Column): string {
	return shortKeyOf(JSON.stringify([description, type, choices]));
}

/** The earlier value of a column, where it was asked for in the same words. */
export function knownCell(known: KnownRow | 'none', column: Column): KnownCell | undefined {
	const cell = known === 'none' ? undefined : known.cells[column.name];
	return cell?.of === columnKey(column) ? cell : undefined;
}

/** The same as it is shown. */
export function knownValue(known: KnownRow | 'none', column: Column): EarlierValue | undefined {
	const cell = knownCell(known, column);
	if (!cell || known === 'none') return undefined;
	return { ...valueOf(cell), source: known.pages[cell.page]?.url ?? '', since: cell.since, seen: cell.seen };
}

/** Whether a column was looked for before, and not found. */
export function wasEmpty(known: KnownRow | 'none', column: Column): boolean {
	return known !== 'none' && known.empty[column.name] === columnKey(column);
}

/** Reasons that show that the page says something else now: it is told at once. */
const OTHERWISE: readonly UnprovenReason[] = ['isRange', 'conflict'];

/** Reasons that show nothing of the world: nobody has looked, or judged. */
export const UNDECIDED: readonly UnprovenReason[] = ['notLookedFor', 'notRead', 'notJudged', 'notChecked'];

/** So often a value is missed before it is told as gone, where that is not certain. */
const MISSES = 2;

/**
 * Tells which cells of a row are not as they were, and makes the history for the next run. What could not be checked stays
 * in the history as it was, and is told as nothing.
 */
export function compareRow(
	known: KnownRow | 'none',
	{ columns }: Row,
	cells: readonly FilledCell[],
	facts: RowFacts,
): RowNews {
	const pages = facts.pages.map((page) => ({ ...page }));
	const changes: CellChange[] = [];
	const unchecked: string[] = [];
	const kept: KnownRow['cells'] = {};
	const empty: KnownRow['empty'] = {};
	const pageAt = (url: string): number => {
		const at = pages.findIndex((page) => page.url === url);
		return at >= 0 ? at : pages.push({ url, hash: '', name: '', size: 0 }) - 1;
	};
	for (const [index, column] of columns.entries()) {
		const { name } = column;
		const cell = cells[index];
		const before = knownCell(known, column);
		const earlier = knownValue(known, column);
		if (cell && cell.value !== null && cell.proof) {
			const { value, currency, proof } = cell;
			const isAsItWas = before !== undefined && meansTheSame(before, { value, currency }, column);
			kept[name] = {
				value,
				...(currency !== undefined && { currency }),
				quote: shortMark(proof.quote),
				place: cell.place ?? '',
				by: proof.by,
				page: pageAt(proof.source),
				of: columnKey(column),
				since: isAsItWas ? before.since : facts.today,
				seen: facts.today,
			};
			if (known === 'none' || isAsItWas) continue;
			const now = { ...valueOf({ value, currency }), source: proof.source, link: proof.link };
			changes.push({ column, change: before ? 'changed' : 'filled', ...(earlier && { before: earlier }), now });
			continue;
		}
		const reason = cell?.reason ?? 'notLookedFor';
		const isDecided = !facts.isLimited && !UNDECIDED.includes(reason);
		if (!before || !earlier) {
			// What was not looked for, or not judged, is as it was: empty, or not known.
			if (isDecided || wasEmpty(known, column)) empty[name] = columnKey(column);
			continue;
		}
		const unread = facts.unread.get(index + 1);
		const isOpen = unread !== undefined || isDecided;
		const missed = (before.missed ?? 0) + (isOpen ? 1 : 0);
		const isCertain = unread === undefined && (OTHERWISE.includes(reason) || !facts.standing.has(index + 1));
		const mayBeGone = unread ?? isDecided;
		if (!mayBeGone || !(isCertain || missed >= MISSES)) {
			unchecked.push(name);
			kept[name] = { ...before, page: pageAt(earlier.source), ...(missed > 0 && { missed }) };
			continue;
		}
		empty[name] = columnKey(column);
		const why = unread === true ? 'pageGone' : reason;
		changes.push({ column, change: 'gone', before: earlier, ...(why !== 'notFound' && { why }) });
	}
	const searches = known === 'none' ? 0 : known.searches;
	return {
		isFirst: known === 'none',
		changes,
		unchecked,
		history: {
			form: ROW_HISTORY_FORM,
			at: facts.today,
			pages,
			results: facts.results,
			searches: searches + (facts.hasSearched ? 1 : 0),
			cells: kept,
			empty,
		},
	};
}

/** Characters of a quote that are kept as they are: a table has thousands of cells. */
const START_CHARACTERS = 40;

function shortMark(quote: string): QuoteMark {
	const mark = markOfQuote(quote);
	return { ...mark, start: cutAt(mark.start, START_CHARACTERS) };
}

const valueOf = ({ value, currency }: Pick<KnownCell, 'value' | 'currency'>) => ({
	value,
	...(currency !== undefined && { currency }),
});

/** Whether two values of a column mean the same: 39 and 39.00, "Oslo" and "Oslo, Norway", 2014 and 2014-03. */
function meansTheSame(
	before: Pick<KnownCell, 'value' | 'currency'>,
	now: Pick<KnownCell, 'value' | 'currency'>,
	{ type }: Column,
): boolean {
	if (type === 'money' && before.currency !== now.currency) return false;
	if (isSame(before.value, now.value)) return true;
	if (type === 'text') return isSameText(before.value, now.value);
	const [short = '', long = ''] = [String(before.value), String(now.value)].sort(
		(one, other) => one.length - other.length,
	);
	return type === 'date' && long.startsWith(`${short}-`);
}
