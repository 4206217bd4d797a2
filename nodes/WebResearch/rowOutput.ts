import type { IDataObject, IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { hint, withMore } from '../operation/hint';
import type { ItemDraft } from '../operation/operation';
import type { UnprovenReason } from '../research/contract';
import type { FilledRow } from '../research/fillRow';
import { sentences } from '../run/output/hints';
import { errorItem } from '../run/output/itemError';
import type { ItemFailure } from '../run/output/itemError';
import { itemsInOrder, LinkedFiles } from '../run/output/outputItem';
import type { ServiceClient } from '../service/client';
import { count } from '../text/amounts';
import type { AskedQuestion } from './askedQuestion';
import { fieldsOf } from './askedRow';
import type { AskedRow } from './askedRow';
import { costHints, courseTexts, creditsText } from './researchHints';
import type { RunFacts } from './researchHints';

/** A row with what it was asked for. */
interface AskedAndFilled {
	item: number;
	asked: Pick<AskedQuestion, 'output' | 'row'>;
	filled?: FilledRow;
}

/** The items of all rows in the order of the input, failures among them as such. */
export async function rowOutput(
	ctx: IExecuteFunctions,
	client: ServiceClient,
	rows: readonly AskedAndFilled[],
	failures: readonly ItemFailure[],
): Promise<INodeExecutionData[]> {
	const input = ctx.getInputData();
	const drafts = rows.flatMap(({ item, asked: { output, row }, filled }) => {
		if (!row || !filled) return [];
		const given = row.includesInput ? (input[item]?.json ?? {}) : {};
		return draftsOf(filled, output, given, row).map((draft) => ({ draft, item }));
	});
	const made = await itemsInOrder({ ctx, client, files: new LinkedFiles(ctx, client) }, drafts);
	const items = [
		...made.map((data, index) => ({ item: drafts[index]?.item ?? 0, data })),
		...failures.map((failure) => ({ item: failure.item, data: errorItem(ctx, failure) })),
	];
	return items.sort((left, right) => left.item - right.item).map(({ data }) => data);
}

function draftsOf(filled: FilledRow, output: string, given: IDataObject, { emptyCell }: AskedRow): ItemDraft[] {
	if (output === 'cells')
		return cellItems(filled).map((cell) => ({ json: { ...given, subject: filled.row.subject, ...cell } }));
	return [{ json: { ...given, ...(output === 'fullRecord' ? fullRecord(filled) : flatRow(filled, emptyCell)) } }];
}

/** Flat, so that tables and sheets take it as it is: texts, numbers, true and false, and what stands for nothing. */
function flatRow(filled: FilledRow, emptyCell: AskedRow['emptyCell']): IDataObject {
	const row: IDataObject = {};
	for (const { column, value, currency, proof } of filled.cells) {
		const [name = '', ...more] = fieldsOf(column.name, column.type);
		row[name] = value ?? emptyCell;
		const source = more.pop() ?? '';
		for (const field of more) row[field] = currency ?? emptyCell;
		row[source] = proof?.link ?? proof?.source ?? emptyCell;
	}
	const missing = missingText(filled);
	return {
		...row,
		research_status: filled.status,
		research_missing: missing === '' ? emptyCell : missing,
		research_credits: creditsOf(filled),
	};
}

function creditsOf({ usage }: FilledRow): number {
	return usage.creditsUsed + usage.creditsInDoubt;
}

/** Why a cell has no value, in words for a cell of a sheet. */
const WHY: Record<UnprovenReason, string> = {
	notFound: 'not found',
	noClaim: 'not found',
	notInQuote: 'not in the words of its page',
	otherPlace: 'its page says it of something else',
	otherSubject: 'found for another subject only',
	otherUnit: 'found in another currency or unit',
	isRange: 'its page has a range',
	notExact: 'not exact on its page',
	notSupported: 'not supported by its page',
	contradicted: 'its page says otherwise',
	notJudged: 'not judged',
	conflict: 'pages differ',
	formula: 'begins like a formula',
	notLookedFor: 'not looked for',
};

/** `founded: not found; price: pages differ`; empty where nothing is missing. */
function missingText({ cells, status, limit }: FilledRow): string {
	if (status === 'skipped') return 'no subject';
	const missing = cells.flatMap(({ column, value, reason = 'notFound' }) =>
		value === null ? [`${column.name}: ${WHY[reason]}`] : [],
	);
	return missing.length === 0 ? '' : [...missing, ...(limit === undefined ? [] : [limit])].join('; ');
}

function cellItems({ cells }: FilledRow): IDataObject[] {
	return cells.map(({ column, value, currency, proof, reason }) => ({
		column: column.name,
		value,
		...(currency !== undefined && { currency }),
		...(proof
			? {
					quote: proof.quote,
					source: proof.source,
					...(proof.link !== undefined && { link: proof.link }),
					verified: true,
					by: proof.by,
				}
			: { verified: false, reason: reason ?? 'notFound' }),
	}));
}

function fullRecord(filled: FilledRow): IDataObject {
	const { row, cells, status, limit, warnings, pages, skippedPages, usage } = filled;
	const missing = missingText(filled);
	return {
		subject: row.subject,
		...(row.website !== '' && { website: row.website }),
		values: Object.fromEntries(cells.map(({ column, value }) => [column.name, value])),
		cells: cellItems(filled),
		conflicts: cells.flatMap(({ conflict }) =>
			conflict ? [{ column: conflict.path, values: conflict.values.map((proof) => ({ ...proof })) }] : [],
		),
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
export function rowHints(rows: readonly FilledRow[], facts: RunFacts): NodeExecutionHint[] {
	const limits = [...new Set(rows.flatMap(({ limit }) => limit ?? []))].slice(0, MOST_NAMES);
	const skipped = rows.filter(({ status }) => status === 'skipped').length;
	const conflicts = rows.flatMap(({ cells }) => cells.filter(({ conflict }) => conflict)).length;
	const warnings = [...new Set(rows.flatMap((row) => row.warnings))].slice(0, MOST_WARNINGS);
	const names = (rows[0]?.cells ?? []).map(({ column }) => column.name);
	const odd = names.filter((name) => !PLAIN_NAME.test(name) || TABLE_FIELDS.test(name));
	const shown = withMore(odd.slice(0, MOST_NAMES), odd.length - MOST_NAMES);
	return [
		hint(sentences([billText(rows), ...courseTexts(facts, 'row')])),
		...(limits.length > 0
			? [hint(`A limit ended some rows before they were full: ${limits.join('; ')}.`, 'warning')]
			: []),
		...(skipped > 0 ? [hint(`${count(skipped, 'row')} without a Subject: skipped.`, 'warning')] : []),
		...(conflicts > 0
			? [hint(`Pages differ about ${count(conflicts, 'cell')}: Full Record has all values in conflicts.`)]
			: []),
		...(odd.length > 0
			? [
					hint(
						`Data Tables and Postgres may not take these names of columns: ${shown}. Use letters, digits and underscores, at most 54, and not id, createdAt or updatedAt.`,
					),
				]
			: []),
		...warnings.map((warning) => hint(warning, 'warning')),
		...costHints(facts),
	];
}

/** `12 rows: 70 of 96 cells filled, 96 credits, 80 model calls, 300,000 tokens.` */
function billText(rows: readonly FilledRow[]): string {
	const sum = (of: (row: FilledRow) => number) => rows.reduce((all, row) => all + of(row), 0);
	const tokens = sum(({ usage }) => usage.inputTokens + usage.outputTokens);
	const cells = sum((row) => row.cells.length);
	const filled = sum((row) => row.cells.filter(({ value }) => value !== null).length);
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
