import type { IDataObject } from 'n8n-workflow';
import type { UnprovenReason } from '../../research/contract/result';
import type { FilledRow } from '../../research/fillRow';
import type { CellChange } from '../../research/row/cellHistory';
import { count } from '../../text/amounts';
import { cutAt } from '../../text/ends';
import { linkTarget } from '../../text/report/reportFile';
import { htmlForm, markdownForm, plainForm, tableCell } from '../reportForms';
import type { ShownReport } from '../reportForms';

/** Why a cell has no value, in words for a cell of a sheet. */
export const WHY: Record<UnprovenReason, string> = {
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
	notRead: 'not all could be searched or read',
	notChecked: 'could not be checked this time',
};

type Side = Pick<NonNullable<CellChange['now']>, 'value' | 'currency'>;

/** Longest value that stands in a text about changes. */
const MAX_VALUE = 100;

function valueText({ value, currency }: Side): string {
	const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : cutAt(String(value), MAX_VALUE);
	return currency === undefined ? text : `${text} ${currency}`;
}

function goneText({ why }: CellChange): string {
	if (why === undefined) return 'gone';
	return `gone (${why === 'pageGone' ? 'its page is no more' : WHY[why]})`;
}

/** `price: 39 → 49 EUR`, `free_trial: yes → gone`, `founded: filled: 2014`. */
function changeText(change: CellChange): string {
	const { column, before, now } = change;
	if (!before) return `${column.name}: filled: ${now ? valueText(now) : ''}`;
	const isOneCurrency = now !== undefined && before.currency === now.currency;
	const old = valueText(isOneCurrency ? { value: before.value } : before);
	return `${column.name}: ${old} → ${now ? valueText(now) : goneText(change)}`;
}

/** What has become of a row since the run before, in one line; empty where nothing has. */
export function changesText({ news }: Pick<FilledRow, 'news'>): string {
	if (!news) return '';
	return news.isFirst ? 'first run of this row' : news.changes.map(changeText).join('; ');
}

/** The same as data. */
export function changesData({ news }: Pick<FilledRow, 'news'>): IDataObject[] {
	return (news?.changes ?? []).map(({ column, change, before, now, why }) => ({
		column: column.name,
		change,
		...(before && { before: { ...before } }),
		...(now && { now: { ...now } }),
		...(why !== undefined && { why }),
	}));
}

/** Whether a row has nothing to tell: nothing has moved, and nothing has gone wrong. */
export function isSilent({ status, limit, news }: FilledRow): boolean {
	if (status === 'skipped') return true;
	if (status === 'failed' || status === 'notStarted' || limit !== undefined) return false;
	return news !== undefined && !news.isFirst && news.changes.length === 0;
}

/** Whether all of a row is told: nothing is known of it, or not today. */
function isToldWhole({ status, news }: FilledRow): boolean {
	return ['complete', 'partial', 'empty'].includes(status) && (news === undefined || news.isFirst);
}

/** What moved in all rows. */
export interface TableCounts {
	changed: number;
	filled: number;
	gone: number;
	firstRows: number;
	movedRows: number;
	silentRows: number;
	openRows: number;
	unchecked: number;
}

/** Counts over all rows of a run. */
export function countChanges(rows: readonly FilledRow[]): TableCounts {
	const all = rows.flatMap(({ news }) => (news && !news.isFirst ? news.changes : []));
	const of = (change: CellChange['change']) => all.filter((one) => one.change === change).length;
	return {
		changed: of('changed'),
		filled: of('filled'),
		gone: of('gone'),
		firstRows: rows.filter(isToldWhole).length,
		movedRows: rows.filter(({ news }) => news && !news.isFirst && news.changes.length > 0).length,
		silentRows: rows.filter((row) => row.news && isSilent(row)).length,
		openRows: rows.filter(({ status }) => status === 'failed' || status === 'notStarted').length,
		unchecked: rows.reduce((sum, { news }) => sum + (news?.unchecked.length ?? 0), 0),
	};
}

/** `1 changed, 0 filled, 2 gone in 2 rows; 18 rows as before`. */
export function countsText({
	changed,
	filled,
	gone,
	firstRows,
	movedRows,
	silentRows,
	unchecked,
}: TableCounts): string {
	const first = firstRows > 0 ? `; ${count(firstRows, 'row')} without an earlier run` : '';
	const open = unchecked > 0 ? `; ${count(unchecked, 'cell')} could not be checked` : '';
	const moved = `${changed} changed, ${filled} filled, ${gone} gone in ${count(movedRows, 'row')}`;
	return `${moved}; ${count(silentRows, 'row')} as before${first}${open}`;
}

/** A value with a link to where it was found. */
function linked(text: string, address: string | undefined): string {
	return address === undefined || address === '' ? tableCell(text) : `[${tableCell(text)}](<${linkTarget(address)}>)`;
}

/** Named in the subject of a mail. */
const MOST_NAMES = 3;

/** What has moved in a table, as one report for a mail: column, before and now of each cell, both with their links. */
export function tableReport(rows: readonly FilledRow[]): ShownReport {
	const counts = countChanges(rows);
	const told = rows.filter(({ news }) => news && !news.isFirst && news.changes.length > 0);
	const moved = told.flatMap(({ row, news }) =>
		(news?.changes ?? []).map((change) => {
			const { column, before, now } = change;
			const old = before ? `${linked(valueText(before), before.source)} (${before.seen})` : '';
			const fresh = now ? linked(valueText(now), now.link ?? now.source) : tableCell(goneText(change));
			return `| ${tableCell(row.subject)} | ${tableCell(column.name)} | ${old} | ${fresh} |`;
		}),
	);
	const first = rows.filter(isToldWhole);
	const known = first.flatMap(({ row, cells }) =>
		cells.flatMap(({ column, value, currency, proof }) =>
			value === null
				? []
				: [
						`| ${tableCell(row.subject)} | ${tableCell(column.name)} | ${linked(valueText({ value, currency }), proof?.link ?? proof?.source)} |`,
					],
		),
	);
	const open = rows.filter(({ status }) => status === 'failed' || status === 'notStarted');
	const parts = [
		...(moved.length > 0 ? [`| Row | Column | Before | Now |\n| --- | --- | --- | --- |\n${moved.join('\n')}`] : []),
		...(known.length > 0
			? [`## Rows as they are now\n\n| Row | Column | Value |\n| --- | --- | --- |\n${known.join('\n')}`]
			: []),
		...(open.length > 0
			? [
					`## Not looked up\n\n${open.map(({ row, why = '' }) => `- ${tableCell(row.subject)}: ${tableCell(why)}`).join('\n')}`,
				]
			: []),
	];
	return {
		title: subjectOf(counts, [...told, ...first, ...open]),
		analysis: parts.join('\n\n'),
		closing: `${countsText(counts)}.`,
		sources: [],
		sourcesLabel: 'Sources',
		headings: '##',
		language: 'en',
		claims: [],
		json: undefined,
		values: [],
	};
}

/** `Changed: 2 · Gone: 1 · Acme, Beta (+1)`. */
function subjectOf(counts: TableCounts, rows: readonly FilledRow[]): string {
	const amounts: Array<[string, number]> = [
		['Changed', counts.changed],
		['Filled', counts.filled],
		['Gone', counts.gone],
		['Rows', counts.firstRows],
		['Not looked up', counts.openRows],
	];
	const names = [...new Set(rows.map(({ row }) => row.subject))];
	const more = names.length > MOST_NAMES ? ` (+${names.length - MOST_NAMES})` : '';
	const shown = amounts.filter(([, amount]) => amount > 0).map(([label, amount]) => `${label}: ${amount}`);
	return [...shown, ...(names.length > 0 ? [`${names.slice(0, MOST_NAMES).join(', ')}${more}`] : [])].join(' · ');
}

/** The item of that report, with the rows that are told as they would come out alone. */
export function reportItem(rows: readonly FilledRow[], told: IDataObject[]): IDataObject {
	const report = tableReport(rows);
	const { changed, filled, gone, firstRows, movedRows, silentRows, openRows, unchecked } = countChanges(rows);
	return {
		subject: report.title,
		finalAnalysis: markdownForm(report),
		text: plainForm(report),
		changes: rows.flatMap((row) =>
			row.news?.isFirst === false ? changesData(row).map((one) => ({ subject: row.row.subject, ...one })) : [],
		),
		rows: told,
		counts: { changed, filled, gone, firstRows, movedRows, silentRows, openRows, unchecked },
		html: htmlForm(report),
	};
}
