import type { IDataObject, IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { hint, withMore } from '../../operation/hint';
import type { ItemDraft } from '../../operation/operation';
import type { FilledRow } from '../../research/fillRow';
import { UNDECIDED } from '../../research/row/cellHistory';
import { memoryTexts } from '../../run/memory/memory';
import type { NodeMemory } from '../../run/memory/memory';
import { sentences } from '../../run/output/hints';
import { itemsInOrder, LinkedFiles } from '../../run/output/outputItem';
import type { ServiceClient } from '../../service/client';
import { count } from '../../text/amounts';
import { fieldsOf } from './askedRow';
import type { AskedRow, KeptCell } from './askedRow';
import { WHY, changesData, changesText, countChanges, countsText, isSilent, reportItem } from './rowChanges';
import { costHints, courseTexts, creditsText } from '../researchHints';
import type { CourseFacts } from '../researchHints';

/** A row with what it was asked for. */
export interface AskedAndFilled {
	item: number;
	output: string;
	asked: AskedRow;
	filled: FilledRow;
}

/** The items of all rows in the order of the input. */
export async function rowOutput(
	ctx: IExecuteFunctions,
	client: ServiceClient,
	rows: readonly AskedAndFilled[],
): Promise<INodeExecutionData[]> {
	const input = ctx.getInputData();
	const sorted = [...rows].sort((left, right) => left.item - right.item);
	const ordered = sorted.filter(({ asked, filled }) => !asked.onlyChanges || asked.tellsSilence || !isSilent(filled));
	const work = { ctx, client, files: new LinkedFiles(ctx, client) };
	const draftsAs = (row: AskedAndFilled, output = row.output) => {
		const given = row.asked.includesInput ? (input[row.item]?.json ?? {}) : {};
		return draftsOf(wholeRow(row), output, given, row.asked);
	};
	if (ordered[0]?.asked.oneReport === true) {
		const flat = ordered.flatMap((row) => draftsAs(row, 'row').map(({ json }) => json));
		const json = reportItem(
			sorted.map(({ filled }) => filled),
			flat,
		);
		const pairedItem = input.map((_item, item) => ({ item }));
		return await itemsInOrder(work, [{ draft: { json }, item: 0, pairedItem }]);
	}
	const drafts = ordered.flatMap((row) => draftsAs(row).map((draft) => ({ draft, item: row.item, row })));
	const made = await itemsInOrder(work, drafts);
	const hasErrorOutput = ctx.getNode().onError === 'continueErrorOutput';
	return made.map((data, index) => {
		const { filled } = drafts[index]?.row ?? {};
		if (!hasErrorOutput || filled?.status !== 'failed') return data;
		// By this, n8n takes the item for a failed one, and it keeps its fields (run/output/itemError.ts).
		return Object.defineProperty(data, 'error', { value: { message: filled.why ?? '' }, enumerable: false });
	});
}

/** The cell of a column, or what the item came with. */
type WholeCell = FilledRow['cells'][number] & { kept?: KeptCell };

/** A row with the cells that its item came with, in the order of the columns. */
type WholeRow = Omit<FilledRow, 'cells'> & { cells: WholeCell[] };

function wholeRow({ asked, filled }: AskedAndFilled): WholeRow {
	const found = new Map(filled.cells.map((cell) => [cell.column.name, cell]));
	const cells = asked.columns.map((column): WholeCell => {
		const kept = asked.kept[column.name];
		return { ...(found.get(column.name) ?? { column, value: null }), ...(kept && { kept }) };
	});
	const isLookedFor = ['complete', 'partial', 'empty'].includes(filled.status);
	const some = cells.filter(hasValue).length;
	const status = some === cells.length ? 'complete' : some > 0 ? 'partial' : 'empty';
	return { ...filled, cells, ...(isLookedFor && { status }) };
}

function hasValue({ value, kept }: WholeCell): boolean {
	return value !== null || kept !== undefined;
}

function draftsOf(
	row: WholeRow,
	output: string,
	given: IDataObject,
	{ emptyCell, onlyChanges }: AskedRow,
): ItemDraft[] {
	if (output === 'cells') {
		return cellItems(row, onlyChanges).map((cell) => ({ json: { ...given, subject: row.row.subject, ...cell } }));
	}
	return [
		{
			json: {
				...given,
				...(output === 'fullRecord' ? fullRecord(row) : flatRow(row, given, { emptyCell, onlyChanges })),
			},
		},
	];
}

/** Flat, so that tables and sheets take it as it is: texts, numbers, true and false, and what stands for nothing. */
function flatRow(
	filled: WholeRow,
	given: IDataObject,
	{ emptyCell, onlyChanges }: Pick<AskedRow, 'emptyCell' | 'onlyChanges'>,
): IDataObject {
	const row: IDataObject = {};
	for (const { column, value, currency, proof, kept, reason, earlier } of filled.cells) {
		const [name = '', ...more] = fieldsOf(column.name, column.type);
		const [source = ''] = more.slice(-1);
		// What nobody has looked at or judged proves nothing: it stays as the item came.
		const old = reason && UNDECIDED.includes(reason) && kept === undefined ? given : {};
		row[name] = (kept?.value as IDataObject[string]) ?? value ?? old[name] ?? earlier?.value ?? emptyCell;
		for (const field of more.slice(0, -1)) {
			row[field] = (kept?.currency as IDataObject[string]) ?? currency ?? old[field] ?? earlier?.currency ?? emptyCell;
		}
		row[source] =
			(kept?.source as IDataObject[string]) ??
			proof?.link ??
			proof?.source ??
			old[source] ??
			earlier?.source ??
			emptyCell;
	}
	const missing = missingText(filled);
	return {
		...row,
		research_status: filled.status,
		research_missing: missing === '' ? emptyCell : missing,
		...(onlyChanges && { research_changes: changesText(filled) || emptyCell }),
		research_credits: creditsOf(filled),
	};
}

function creditsOf({ usage }: Pick<FilledRow, 'usage'>): number {
	return usage.creditsUsed + usage.creditsInDoubt;
}

/** `founded: not found; price: pages differ`; empty where nothing is missing. */
function missingText({ cells, status, limit, why, skippedPages }: WholeRow): string {
	if (['skipped', 'failed', 'notStarted'].includes(status)) return why ?? '';
	const missing = cells.flatMap((cell) =>
		hasValue(cell) ? [] : [`${cell.column.name}: ${WHY[cell.reason ?? 'notFound']}`],
	);
	if (missing.length === 0) return '';
	// What could not be read may have said it.
	const unread = skippedPages.length === 0 ? [] : [`${count(skippedPages.length, 'page')} not read`];
	return [...missing, ...unread, ...(limit === undefined ? [] : [limit])].join('; ');
}

/** The cells of a row; where it is compared with the run before, those that are not as they were. */
function cellItems({ cells, news }: WholeRow, onlyChanges = false): IDataObject[] {
	const changes = new Map(changesData({ ...(news && { news }) }).map((one) => [one.column, one]));
	const isTold = (name: string) => !onlyChanges || !news || news.isFirst || changes.has(name);
	const told = cells.filter(({ column: { name } }) => isTold(name));
	return told.map(({ column, value, currency, proof, reason, kept, earlier }) => ({
		column: column.name,
		value: (kept?.value as IDataObject[string]) ?? value,
		...(currency !== undefined && { currency }),
		...(proof
			? {
					quote: proof.quote,
					source: proof.source,
					...(proof.link !== undefined && { link: proof.link }),
					verified: true,
					by: proof.by,
				}
			: {
					verified: false,
					reason: kept ? 'kept' : (reason ?? 'notFound'),
					...(earlier && { earlier: { ...earlier } }),
				}),
		...(onlyChanges && changeFields(changes.get(column.name))),
	}));
}

function changeFields({ change, before }: IDataObject = {}): IDataObject {
	return { ...(change !== undefined && { change }), ...(before !== undefined && { before }) };
}

function fullRecord(filled: WholeRow): IDataObject {
	const { row, cells, status, limit, warnings, pages, skippedPages, usage, news } = filled;
	const missing = missingText(filled);
	return {
		subject: row.subject,
		...(row.website !== '' && { website: row.website }),
		values: Object.fromEntries(
			cells.map(({ column, value, kept }) => [column.name, (kept?.value as IDataObject[string]) ?? value]),
		),
		cells: cellItems(filled),
		conflicts: cells.flatMap(({ conflict }) =>
			conflict ? [{ column: conflict.path, values: conflict.values.map((proof) => ({ ...proof })) }] : [],
		),
		...(news && { isFirst: news.isFirst, changes: changesData({ news }), unchecked: news.unchecked }),
		status,
		...(missing !== '' && { missing }),
		...(limit !== undefined && { limit }),
		...(warnings.length > 0 && { warnings }),
		pages,
		skippedPages: skippedPages.map((page) => ({ ...page })),
		usage: { ...usage },
	};
}

/** Warnings that are shown. */
const MOST_WARNINGS = 5;
const MOST_NAMES = 3;

/** A name of a field that n8n's Data Tables and Postgres take as it is, with the longest name that is made of it. */
const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_]{0,53}$/;
const TABLE_FIELDS = /^(?:id|createdAt|updatedAt)$/i;

/** The hints under the output: the bill, what is not complete, and names that a table does not take. */
export function rowHints(
	rows: ReadonlyArray<Pick<AskedAndFilled, 'asked' | 'filled'>>,
	facts: CourseFacts & {
		/** Pages that another row had paid for. */
		shared: number;
		/** Where the rows are compared with the last run, why nothing was stored, and how many had no room. */
		memory: NodeMemory | undefined;
		notStored: string | undefined;
		forgottenRows: number;
	},
): NodeExecutionHint[] {
	const all = rows.map(({ filled }) => filled);
	const of = (status: FilledRow['status']) => all.filter((row) => row.status === status);
	const limits = [...new Set(all.flatMap(({ limit }) => limit ?? []))].slice(0, MOST_NAMES);
	const waiting = [...new Set(of('notStarted').map(({ why = '' }) => why.replace(/\.$/, '')))].slice(0, MOST_NAMES);
	const conflicts = all.flatMap(({ cells }) => cells.filter(({ conflict }) => conflict)).length;
	const full = rows.filter(
		({ asked, filled }) => filled.status === 'complete' && asked.row.columns.length === 0,
	).length;
	const unread = all.flatMap(({ status, skippedPages }) => (status === 'complete' ? [] : skippedPages));
	const warnings = [...new Set(all.flatMap((row) => row.warnings))].slice(0, MOST_WARNINGS);
	const names = (rows[0]?.asked.columns ?? []).map(({ name }) => name);
	const odd = names.filter((name) => !PLAIN_NAME.test(name) || TABLE_FIELDS.test(name));
	const shown = withMore(odd.slice(0, MOST_NAMES), odd.length - MOST_NAMES);
	const texts: Array<[text: string, isWarning: boolean]> = [
		[
			of('notStarted').length > 0
				? `${count(of('notStarted').length, 'row')} not started: ${waiting.join('; ')}. With Cells That Have a Value → Keep, the next run goes on with them.`
				: '',
			true,
		],
		[limits.length > 0 ? `A limit ended some rows before they were full: ${limits.join('; ')}.` : '', true],
		[of('skipped').length > 0 ? `${count(of('skipped').length, 'row')} without a Subject: skipped.` : '', true],
		[
			unread[0]
				? `${count(unread.length, 'page')} could not be read, and may say what is missing. The first: ${unread[0].url}: ${unread[0].reason}`
				: '',
			true,
		],
		...changesTexts(all, facts),
		[full > 0 ? `${count(full, 'row')} had a value in each column, and cost nothing.` : '', false],
		[facts.shared > 0 ? `${count(facts.shared, 'page')} of other rows read again without a cost.` : '', false],
		[
			conflicts > 0 ? `Pages differ about ${count(conflicts, 'cell')}: Full Record has all values in conflicts.` : '',
			false,
		],
		[
			odd.length > 0
				? `Data Tables and Postgres may not take these names of columns: ${shown}. Use letters, digits and underscores, at most 54, and not id, createdAt or updatedAt.`
				: '',
			false,
		],
		...warnings.map((warning): [string, boolean] => [warning, true]),
	];
	return [
		hint(sentences([billText(rows), ...courseTexts(facts, 'row')])),
		...texts.flatMap(([text, isWarning]) => (text === '' ? [] : [hint(text, isWarning ? 'warning' : 'info')])),
		...costHints(facts),
	];
}

/** What has moved since the last run, and what a person should know of the memory of it. */
function changesTexts(
	rows: readonly FilledRow[],
	{
		memory,
		notStored,
		forgottenRows,
	}: { memory: NodeMemory | undefined; notStored: string | undefined; forgottenRows: number },
): Array<[text: string, isWarning: boolean]> {
	if (!memory) return [];
	const counts = countChanges(rows);
	const { lost, damaged } = memory;
	const isLater = rows.some(({ news }) => news && !news.isFirst);
	const isStored = [lost, memory.notStored, notStored].every((why) => why === undefined);
	const forgotten = count(forgottenRows, 'row');
	return [
		[lost ?? damaged ?? '', true],
		[isLater ? `Since the last run: ${countsText(counts)}.` : '', false],
		[
			counts.firstRows > 0 && isStored && lost === undefined
				? `${count(counts.firstRows, 'row')} without an earlier run: the next run returns what has changed since this one.`
				: '',
			false,
		],
		...memoryTexts(memory, notStored).map((text): [string, boolean] => [text, false]),
		[
			forgottenRows > 0
				? `A node remembers less than 1 MB of all rows together, so ${forgotten} had no room: they come out as in a first run the next time. Use a History of fewer rows or columns.`
				: '',
			true,
		],
	];
}

/** `12 rows: 70 of 96 cells filled, 96 credits, 80 model calls, 300,000 tokens.` */
function billText(rows: ReadonlyArray<Pick<AskedAndFilled, 'asked' | 'filled'>>): string {
	const sum = (of: (row: FilledRow) => number) => rows.reduce((all, { filled }) => all + of(filled), 0);
	const tokens = sum(({ usage }) => usage.inputTokens + usage.outputTokens);
	const cells = rows.reduce((all, { asked }) => all + asked.columns.length, 0);
	const kept = rows.reduce((all, { asked }) => all + Object.keys(asked.kept).length, 0);
	const filled = kept + sum((row) => row.cells.filter(({ value }) => value !== null).length);
	const credits = creditsText(
		sum(({ usage }) => usage.creditsUsed),
		sum(({ usage }) => usage.creditsInDoubt),
	);
	const calls = count(
		sum(({ usage }) => usage.modelCalls),
		'model call',
	);
	return `${count(rows.length, 'row')}: ${filled} of ${count(cells, 'cell')} filled, ${credits}, ${calls}, ${tokens.toLocaleString('en-US')} tokens.`;
}
