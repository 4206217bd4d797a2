import { shortKeyOf } from '../../text/addresses';
import { evenOut } from '../../text/pageText';
import type { ClaimContext } from '../claims/verifyClaims';
import type { UnprovenReason, ValueConflict, ValueProof } from '../contract/result';
import { chosenOf, isSame } from '../json/chooseValue';
import { linkOf } from '../report/numberedClaims';
import type { NumberedClaim, PagesOfClaims } from '../report/numberedClaims';
import type { Column, Row } from './columns';
import { isOwnPage } from './subject';

/** A column of a row that was filled. */
export interface FilledCell {
	column: Column;
	/** Null where no value is proven. */
	value: string | number | boolean | null;
	/** Of an amount of money, its code. */
	currency?: string;
	proof?: ValueProof;
	/** Names where its quote stands. */
	place?: string;
	/** Why there is none. */
	reason?: UnprovenReason;
	/** All values that are proven, where there are several. */
	conflict?: ValueConflict;
	/** What an earlier run has found, where this one could not check it. */
	earlier?: EarlierValue;
}

/** A value of an earlier run. */
export interface EarlierValue {
	value: string | number | boolean;
	/** Its code. */
	currency?: string | undefined;
	source: string;
	/** The days, as 2026-11-30, on which it was found first, and last. */
	since: string;
	seen: string;
}

/** A value of a column, and the claims that say it. */
interface CellRival {
	source: string;
	saidBy: NumberedClaim[];
}

/**
 * Decides of each column which value its cell has: the one that is proven; of several, the one that the rule of `chosenOf`
 * takes, or none. `without`: the reason of a column for which nothing was found.
 */
export function decideCells(
	row: Row,
	claims: readonly NumberedClaim[],
	pages: PagesOfClaims,
	without: UnprovenReason = 'notFound',
): FilledCell[] {
	return row.columns.map((column, index): FilledCell => {
		const own = claims.filter(({ question, cell, unproven }) => question === index + 1 && (cell ?? unproven));
		const rivals: CellRival[] = [];
		for (const claim of own) {
			if (!claim.verified || !claim.cell) continue;
			const same = rivals.find(({ saidBy: [first] }) => first && isSameCell(first, claim, column));
			if (same) same.saidBy.push(claim);
			else rivals.push({ source: claim.source, saidBy: [claim] });
		}
		const isOwn = (source: string) => isOwnPage(source, row.website);
		const chosen = rivals.length > 1 ? chosenOf(rivals, pages, isOwn) : rivals[0];
		const conflict = rivals.length > 1 && {
			conflict: {
				path: column.name,
				values: inOrder(rivals, chosen).flatMap((one) => proofOf(one, column, isOwn) ?? []),
			},
		};
		const claim = chosen && firstOf(chosen, isOwn);
		if (!chosen || !claim?.cell) {
			const failed = own.find(({ unproven }) => unproven)?.unproven;
			const reason = rivals.length > 1 ? 'conflict' : (failed ?? without);
			return { column, value: null, reason, ...conflict };
		}
		const { value, currency } = claim.cell;
		const proof = proofOf(chosen, column, isOwn);
		const place = claim.context && { place: placeOfCell(claim.context) };
		const cell = { column, value, ...(currency !== undefined && { currency }), ...place };
		return { ...cell, ...(proof && { proof }), ...conflict };
	});
}

/** Names where a quote stands: the headings above it and, of a table, its row. */
export function placeOfCell({ path, row = '' }: ClaimContext): string {
	return shortKeyOf(`${path}\n${row}`);
}

function inOrder(rivals: readonly CellRival[], chosen: CellRival | undefined): CellRival[] {
	return chosen ? [chosen, ...rivals.filter((one) => one !== chosen)] : [...rivals];
}

/** The claim that is shown for a value: one of the subject's own site, and one that code has found, before others. */
function firstOf({ saidBy }: CellRival, isOwn: (source: string) => boolean): NumberedClaim | undefined {
	const rank = ({ source, cell }: NumberedClaim) => (isOwn(source) ? 2 : 0) + (cell?.by === 'code' ? 1 : 0);
	return [...saidBy].sort((one, other) => rank(other) - rank(one))[0];
}

function proofOf(rival: CellRival, { name }: Column, isOwn: (source: string) => boolean): ValueProof | undefined {
	const claim = firstOf(rival, isOwn);
	if (!claim?.cell) return undefined;
	const { quote, source, cell } = claim;
	return { path: name, value: cell.said, quote, source, ...linkOf(claim), verified: true, by: cell.by };
}

/** Whether two cells say the same: of texts, the shorter one may leave words out ("Oslo" and "Oslo, Norway"). */
function isSameCell(one: NumberedClaim, other: NumberedClaim, { type }: Column): boolean {
	if (!one.cell || !other.cell) return false;
	const [left, right] = [one.cell.said, other.cell.said];
	return isSame(left, right) || (type === 'text' && isSameText(left, right));
}

/** Whether of two texts the shorter one only leaves words out. */
export function isSameText(one: unknown, other: unknown): boolean {
	const [few = [], many = []] = [one, other].map(wordsIn).sort((first, second) => first.length - second.length);
	// Whole words: Ann is not Anna.
	return few.length > 0 && ` ${many.join(' ')} `.includes(` ${few.join(' ')} `);
}

function wordsIn(text: unknown): string[] {
	return (
		evenOut(String(text))
			.toLowerCase()
			.match(/[\p{L}\p{N}]+/gu) ?? []
	);
}
