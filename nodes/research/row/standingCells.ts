import { standingQuote } from '../claims/knownPage';
import type { PageDigest } from '../claims/knownPage';
import type { PageToRead } from '../claims/readPage';
import type { DraftClaim } from '../claims/verifyClaims';
import type { ModelCaller } from '../model/modelCaller';
import { columnKey } from './cellHistory';
import type { KnownCell, KnownRow } from './cellHistory';
import type { Row } from './columns';
import { placeOfCell } from './decideCells';
import { linesOf, lookUpAt, statementIn, verifyCells } from './readCells';
import type { CellsTask } from './readCells';
import { subjectOnPage } from './subject';

/** The earlier cells of a row that were found on one page. */
export interface CellsOfPage {
	/** By the numbers of their columns, from 1. */
	cells: ReadonlyMap<number, KnownCell>;
	/** The page as it was. */
	was: PageDigest;
}

/** The earlier cells by the addresses of their pages, for columns that are asked for as they were. */
export function cellsByPage(known: KnownRow, { columns }: Row): Map<string, CellsOfPage> {
	const byPage = new Map<string, CellsOfPage>();
	for (const [at, { url, ...was }] of known.pages.entries()) {
		const own = columns.flatMap((column, index): Array<[number, KnownCell]> => {
			const cell = known.cells[column.name];
			return cell?.page === at && cell.of === columnKey(column) ? [[index + 1, cell]] : [];
		});
		byPage.set(url, { cells: new Map(own), was });
	}
	return byPage;
}

/**
 * The earlier cells that stand on their page as they did: by code alone. The quote is there, under the same headings and in
 * the same row, it speaks of the subject, and it has the value.
 */
export function standingCells(page: PageToRead, { cells }: Pick<CellsOfPage, 'cells'>, row: Row): DraftClaim[] {
	const speaks = subjectOnPage(row, page);
	const lineOf = linesOf(page);
	return [...cells].flatMap(([question, known]): DraftClaim[] => {
		const { quote, place } = known;
		const column = row.columns[question - 1];
		const words = column && standingQuote(page.text, quote);
		if (!column || words === undefined) return [];
		const { said, cell } = cellOf(known);
		const draft = { text: statementIn(row, column, said), quote: words, question, cell };
		const found = lookUpAt(words, draft, column, page, speaks, lineOf);
		// What a model has found in these words, code may not find: then the words decide.
		const stands = found && found.verdict.is !== 'not' && placeOfCell(found.claim.context) === place;
		if (!stands) return [];
		const jump = page.text.jumpTo(found.claim.quote);
		return [{ ...found.claim, ...(jump !== undefined && { jump }) }];
	});
}

/**
 * Of earlier cells whose words are gone from their page: those that the page says in other words, as the model has judged,
 * and the columns of which nobody knows. Code asks about no value that it would find, and does not.
 */
export async function rewordedCells(
	page: PageToRead,
	gone: ReadonlyMap<number, KnownCell>,
	{ row, judges }: Pick<CellsTask, 'row' | 'judges'>,
	model: ModelCaller,
): Promise<{ found: DraftClaim[]; uncertain: number[] }> {
	const lineOf = linesOf(page);
	const asked = [...gone].flatMap(([question, known]): DraftClaim[] => {
		const { said, cell } = cellOf(known);
		const column = row.columns[question - 1];
		const line = lineOf(said);
		const [near] = line === undefined && known.by === 'model' ? page.text.nearestSentences(known.quote.start, 1) : [];
		const quote = line ?? near?.quote;
		return column && quote !== undefined ? [{ text: statementIn(row, column, said), quote, question, cell }] : [];
	});
	if (!judges) return { found: [], uncertain: asked.map(({ question }) => question) };
	const open = new Set(gone.keys());
	const { verified, unverified } = await verifyCells(asked, page, { row, open, judges }, model);
	const isOpen = ({ unproven }: DraftClaim) => unproven === 'notJudged';
	return { found: verified, uncertain: unverified.filter(isOpen).map(({ question }) => question) };
}

/** An earlier value as a model gives one. */
function cellOf({ value, currency, by }: KnownCell) {
	const said = currency === undefined ? value : `${String(value)} ${currency}`;
	return { said, cell: { said, value, ...(currency !== undefined && { currency }), by } };
}
