import { ProofPage } from '../../proof/proofPage';
import { proveValues } from '../../proof/proveValues';
import { sameAddress } from '../../text/addresses';
import { cutAt } from '../../text/ends';
import { isRecord } from '../../text/values';
import { shownPassage } from '../claims/passages';
import type { PageToRead, ReadingForm } from '../claims/readPage';
import { contextOf, judgeClaims } from '../claims/verifyClaims';
import type { ClaimVerdict, DraftClaim, Pair, UnverifiedClaim, Verification } from '../claims/verifyClaims';
import type { UnprovenReason, UnverifiedReason } from '../contract/result';
import { UNPROVEN_BY } from '../json/judgeJson';
import { lookUpIn, statementOf } from '../json/proveJson';
import type { CodeVerdict } from '../json/proveJson';
import { jsonObjects } from '../model/answers';
import type { ModelCaller } from '../model/modelCaller';
import { PROMPTS } from '../model/prompts';
import { speakerOf } from '../report/numberedClaims';
import { columnLines, fieldOfColumn, readCellValue } from './columns';
import type { Column, Row } from './columns';
import { subjectOnPage, wordsOfBlock } from './subject';

/** The row that pages are read for. */
export interface CellsTask {
	row: Row;
	/** Numbers of the columns that are asked for, from 1. */
	open: ReadonlySet<number>;
	/** Whether the model judges what code cannot. */
	judges: boolean;
}

/**
 * Pages are read for the cells of a row: the model gives values with quotes, code looks up whose they are, and whether
 * they stand there, and the model judges each pair.
 */
export function cellsForm(task: CellsTask, model: ModelCaller): ReadingForm {
	const { row, open } = task;
	return {
		system: PROMPTS.readCells,
		request: [`The subject: ${row.subject}`, 'The columns:', ...columnLines(row.columns, open)].join('\n'),
		...(asksForAddresses(task) && { besides: (page) => linksText(page, model) }),
		readAnswer: (text) => readCells(text, task),
		verify: async (_step, drafts, page) => await verifyCells(drafts, page, task, model),
	};
}

function asksForAddresses({ row, open }: CellsTask): boolean {
	return row.columns.some((column, index) => open.has(index + 1) && isAddress(column));
}

function isAddress({ type }: Column): boolean {
	return type === 'url' || type === 'email';
}

/** So many links of a page are told, each with the line that it stands in. */
const MOST_LINKS = 60;
const MAX_LINE = 80;

/** Where the links of a page lead: its text has their words alone. */
function linksText(page: PageToRead, model: ModelCaller): string {
	const links = new Map<string, string>();
	for (const { text, links: own } of new ProofPage(sourceOf(page)).lines) {
		for (const { target } of own)
			if (/^(?:https?|mailto):/i.test(target) && !links.has(target)) links.set(target, text);
	}
	const lines = [...links].slice(0, MOST_LINKS).map(([target, text]) => `${cutAt(text, MAX_LINE)}: ${target}`);
	return lines.length === 0 ? '' : `Where its links lead:\n${model.asData(lines.join('\n'))}`;
}

/** Most cells of one piece of a page: some for each column. */
const MOST_CELLS = 100;

/** The cells of an answer, or undefined where it is not what was asked for. */
function readCells(text: string, { row, open }: CellsTask): DraftClaim[] | undefined {
	const objects = jsonObjects(text);
	const lists = objects.map(({ cells }) => cells).filter(Array.isArray) as unknown[][];
	const loose = objects.filter(({ column, quote }) => column !== undefined && quote !== undefined);
	if (lists.length === 0 && loose.length === 0) return undefined;
	return [...lists.flat(), ...loose].slice(0, MOST_CELLS).flatMap((one): DraftClaim[] => {
		if (!isRecord(one) || typeof one.quote !== 'string') return [];
		const question = numberOfColumn(one.column, row.columns);
		const column = row.columns[question - 1];
		if (!column || !open.has(question)) return [];
		const cell = readCellValue(one.value, column);
		// Null is no value, and no value is no cell.
		if (cell === 'notFound') return [];
		const draft = { quote: one.quote, question };
		if (typeof cell === 'string') return [{ ...draft, text: column.name, unproven: cell }];
		return [{ ...draft, text: statementIn(row, column, cell.said), cell: { ...cell, by: 'model' } }];
	});
}

/** Some models name the column instead of its number. */
function numberOfColumn(given: unknown, columns: readonly Column[]): number {
	const named = columns.findIndex(({ name }) => name === given);
	return named >= 0 ? named + 1 : Number(given);
}

/** What the judge is asked: `Acme · price (of the smallest plan) · 39 EUR`. */
export function statementIn({ subject }: Row, column: Column, value: unknown): string {
	return statementOf({ path: column.name, name: column.name, value }, fieldOfColumn(column), subject);
}

/** The judge is told where code cannot tell whose value it is. */
const UNNAMED = 'the page does not name the subject here';

/** Which cells their page proves. */
export async function verifyCells(
	drafts: readonly DraftClaim[],
	page: PageToRead,
	{ row, judges }: CellsTask,
	model: ModelCaller,
): Promise<Verification> {
	if (drafts.length === 0) return { verified: [], unverified: [] };
	const speaks = subjectOnPage(row, page);
	const lineOf = linesOf(page);
	const unverified: UnverifiedClaim[] = [];
	const refuse = (draft: DraftClaim, unproven: UnprovenReason, reason: UnverifiedReason = 'quote') => {
		unverified.push({ ...draft, unproven, reason, why: unproven });
	};
	const found: Array<{ claim: DraftClaim; by: 'code' | 'model'; pair: Pair }> = [];
	for (const draft of drafts) {
		const column = row.columns[draft.question - 1];
		const { cell, unproven } = draft;
		if (!column || !cell) {
			refuse(draft, unproven ?? 'notExact');
			continue;
		}
		// A model may name the wrong words for a true value: the line that has it is judged instead.
		const first = lookUpAt(quoteOf(draft, column, page, lineOf), draft, column, page, speaks, lineOf);
		const isFound = first?.verdict.is === 'found' || !judges;
		const other = isFound ? undefined : lookUpAt(lineOf(cell.said), draft, column, page, speaks, lineOf);
		const best = other?.verdict.is === 'found' || !first ? other : first;
		if (!best) {
			refuse(draft, 'notInQuote');
			continue;
		}
		const { claim, verdict, speaker, passage } = best;
		if (verdict.is === 'not') {
			refuse(claim, verdict.reason, 'figures');
			continue;
		}
		const pair = {
			statement: draft.text,
			passage: shownPassage(passage),
			page: speakerOf(claimAt(claim, page), new Map([[page.url, page]])),
			isValue: true,
			...(speaker === 'unnamed' && { note: UNNAMED }),
		};
		found.push({ claim, by: verdict.is === 'found' ? 'code' : 'model', pair });
	}
	const { verdicts, limit } = judges
		? await judgeClaims(
				found.map(({ pair }) => pair),
				model,
				{ role: 'main', isWriting: false },
			)
		: { verdicts: found.map(({ by }): ClaimVerdict => (by === 'code' ? 'supported' : 'notJudged')) };
	const verified: DraftClaim[] = [];
	for (const [index, { claim, by }] of found.entries()) {
		const verdict = verdicts[index] ?? 'notJudged';
		const jump = page.text.jumpTo(claim.quote);
		const cell = claim.cell && { ...claim.cell, by };
		if (verdict === 'supported') {
			verified.push({ ...claim, ...(cell && { cell }), ...(jump !== undefined && { jump }) });
		} else refuse(claim, UNPROVEN_BY[verdict], verdict === 'saysNothing' ? 'notStated' : verdict);
	}
	return { verified, unverified, ...(limit && { limit }) };
}

const claimAt = (claim: DraftClaim, { url }: PageToRead) => ({ ...claim, number: 1, source: url, verified: true });

/** What names and code say of a value at a quote; undefined where the quote is not on the page. */
export function lookUpAt(
	quote: string | undefined,
	draft: DraftClaim,
	column: Column,
	page: PageToRead,
	speaks: ReturnType<typeof subjectOnPage>,
	lineOf: LineOf,
) {
	const passage = quote === undefined ? undefined : page.text.find(quote);
	if (!passage) return undefined;
	const block = page.text.placeOf(passage.quote)?.block;
	const isUnit = block?.kind === 'row' || block?.kind === 'item';
	const words = isUnit ? wordsOfBlock(block) : passage.quote;
	const speaker = speaks({ path: passage.path, words, passage: passage.text });
	const claim = { ...draft, quote: passage.quote, context: contextOf(passage) };
	const verdict: CodeVerdict =
		speaker === 'other' ? { is: 'not', reason: 'otherSubject' } : lookUp(claim, column, draft.cell?.said, page, lineOf);
	return { claim, verdict, speaker, passage };
}

/** Longest line that stands for a quote. */
const MAX_QUOTE = 300;

/** The words to look up: those that the model has named; of an address its line, since it may stand behind a link. */
function quoteOf({ quote, cell }: DraftClaim, column: Column, page: PageToRead, lineOf: LineOf): string | undefined {
	return !isAddress(column) || page.text.find(quote) ? quote : lineOf(cell?.said);
}

/** The first line of a page that has a value; undefined where none does. */
type LineOf = (said: unknown) => string | undefined;

/** Reads the page once, for all values, and only where one is looked for. */
export function linesOf(page: PageToRead): LineOf {
	let proof: ProofPage | undefined;
	return (said) => {
		proof ??= new ProofPage(sourceOf(page));
		const [told] = proveValues({ value: said }, proof);
		if (told?.state !== 'found' || told.line === undefined) return undefined;
		return cutAt(told.line.replace(/\t/g, ' '), MAX_QUOTE);
	};
}

function lookUp(claim: DraftClaim, column: Column, said: unknown, page: PageToRead, lineOf: LineOf): CodeVerdict {
	const read = new Set([sameAddress(page.url)]);
	const leaf = { path: column.name, name: column.name, value: said };
	const verdict = lookUpIn(claimAt(claim, page), leaf, fieldOfColumn(column), read);
	if (verdict.is !== 'not' || !isAddress(column)) return verdict;
	return lineOf(said) === undefined ? verdict : { is: 'found', words: String(said) };
}

function sourceOf({ text, url }: PageToRead) {
	return { markdown: text.markdown, url, metadata: {} };
}
