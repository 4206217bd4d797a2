import { COLUMN_TYPES } from '../../research/row/columns';
import type { Column, ColumnType, Row } from '../../research/row/columns';
import { isJsonObject } from '../../service/http/answer';
import { refusedInput } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { webAddress } from '../../text/addresses';
import { isEmpty } from '../../text/values';

/** One item's row, and how it goes out. Plain JSON, since it is kept with the execution. */
export interface AskedRow {
	/** Its columns are those that are looked for. */
	row: Row;
	/** All columns of the table, in their order. */
	columns: Column[];
	/** By the names of columns, what the item came with and keeps. */
	kept: Record<string, KeptCell>;
	/** For all rows together, from the beginning of the run; undefined: no limit. */
	timeLimitAllMs?: number | undefined;
	/** Whether the item goes out with the fields that it came with. */
	includesInput: boolean;
	/** What stands in a cell without a value. */
	emptyCell: null | '';
	/** Whether only what has changed since the last run goes out, and rows without a change, too; or one report on all. */
	onlyChanges: boolean;
	tellsSilence: boolean;
	oneReport: boolean;
	/** What is left out of what was asked, in one sentence. */
	warning?: string;
}

/** The value of a cell that the item came with. */
export interface KeptCell {
	value: unknown;
	currency?: unknown;
	source?: unknown;
}

/** Longest subject, and most columns. */
const MAX_SUBJECT = 200;
const MAX_COLUMNS = 30;

/** Fields of a row that are not the user's. */
const OWN_FIELDS = ['research_status', 'research_missing', 'research_changes', 'research_credits'];

/** Reads and checks one item's row; `given`: the item. Throws a ServiceFailure of kind badInput that names the field. */
export function readAskedRow(values: JsonObject, given: JsonObject): AskedRow {
	const options = isJsonObject(values.options) ? values.options : {};
	const subject = lineOf(values.subject);
	if (subject.length > MAX_SUBJECT) {
		throw refusedInput(
			`"Subject" may have at most ${MAX_SUBJECT} characters, but it has ${subject.length}: give a name, such as that of a firm.`,
		);
	}
	const address = lineOf(values.website);
	const website = websiteIn(address);
	const columns = values.columnsFrom === 'json' ? columnsOfJson(values.columnsJson) : columnsOfList(values.columns);
	refuseColumns(columns);
	const onlyChanges = values.report === 'news';
	if (onlyChanges && options.existingCells === 'keep') {
		throw refusedInput(
			'"Cells That Have a Value" cannot be Keep where Rows is Only Rows with Changes, since a cell that is kept is not looked at: choose Look Up Again.',
		);
	}
	const kept = options.existingCells === 'keep' ? keptCells(columns, given) : {};
	return {
		row: { subject, website, columns: columns.filter(({ name }) => kept[name] === undefined) },
		columns,
		kept,
		...(typeof options.timeLimitAll === 'number' && { timeLimitAllMs: options.timeLimitAll * 1000 }),
		includesInput: options.includeOtherFields !== false,
		emptyCell: options.emptyCells === 'text' ? '' : null,
		onlyChanges,
		tellsSilence: values.whenNothingNew === 'item',
		oneReport: onlyChanges && values.oneReport === true,
		...(address !== '' &&
			website === '' && { warning: `"${address}" is no web address: the row was filled without Website.` }),
	};
}

/** The cells that an item has a value for. */
function keptCells(columns: readonly Column[], given: JsonObject): AskedRow['kept'] {
	const cells = columns.flatMap(({ name, type }): Array<[string, KeptCell]> => {
		const { [name]: value, [`${name}_source`]: source } = given;
		if (isEmpty(value) || typeof value === 'object') return [];
		return [[name, { value, source, ...(type === 'money' && { currency: given[`${name}_currency`] }) }]];
	});
	return Object.fromEntries(cells);
}

/** The address of a site, completed with `https://`; empty where a text is none: sheets have "n/a" in such a column. */
function websiteIn(text: string): string {
	const url = webAddress(/^https?:\/\//i.test(text) ? text : `https://${text}`);
	return url && /^[^\s]+$/.test(text) && /[\p{L}\p{N}]\.[\p{L}\p{N}-]{2,}$/u.test(url.hostname) ? url.href : '';
}

function columnsOfList(given: unknown): Column[] {
	const list: unknown[] = Array.isArray(given) ? given : [];
	return list.filter(isJsonObject).map((one) => columnOf(one, lineOf(one.name)));
}

/** A list of columns, or an object of them by name, each described by a text or by an object. */
function columnsOfJson(given: unknown): Column[] {
	if (Array.isArray(given)) return columnsOfList(given);
	const entries = Object.entries(isJsonObject(given) ? given : {});
	return entries.map(([name, one]) => columnOf(isJsonObject(one) ? one : { description: one }, lineOf(name)));
}

function columnOf({ description, type = 'text', choices }: JsonObject, name: string): Column {
	const kind = lineOf(type).toLowerCase();
	if (!isColumnType(kind)) {
		throw refusedInput(
			`"Columns" has the type "${lineOf(type)}" for "${name}": use one of ${Object.keys(COLUMN_TYPES).join(', ')}.`,
		);
	}
	const list: unknown[] = Array.isArray(choices) ? choices : lineOf(choices).split(',');
	const chosen = kind === 'choice' ? [...new Set(list.map(lineOf))].filter((one) => one !== '') : [];
	return { name, description: lineOf(description), type: kind, choices: chosen };
}

function isColumnType(text: string): text is ColumnType {
	return Object.hasOwn(COLUMN_TYPES, text);
}

/** Throws where columns cannot be the fields of one item. */
function refuseColumns(columns: readonly Column[]): void {
	if (columns.length === 0) throw refusedInput('"Columns" needs at least one column with a name.');
	if (columns.length > MAX_COLUMNS) {
		throw refusedInput(`"Columns" may have at most ${MAX_COLUMNS} columns, but it has ${columns.length}.`);
	}
	const taken = new Map<string, string>(OWN_FIELDS.map((name) => [name, 'is a field that each row gets']));
	taken.set('error', 'is a field by which n8n takes an item for a failed one');
	for (const { name, type, choices } of columns) {
		if (name === '') throw refusedInput('"Columns" has a column without a name: give it one.');
		if (type === 'choice' && choices.length < 2) {
			throw refusedInput(`"Columns" needs at least two choices for "${name}", which is one of a list.`);
		}
		for (const field of fieldsOf(name, type)) {
			const why = taken.get(field.toLowerCase());
			if (why !== undefined)
				throw refusedInput(`"Columns" cannot have the field "${field}", which ${why}: use another name.`);
			taken.set(field.toLowerCase(), `the column "${name}" has already`);
		}
	}
}

/** The fields of a row that a column makes: its value, of an amount of money the currency, and where it was found. */
export function fieldsOf(name: string, type: ColumnType): string[] {
	return [name, ...(type === 'money' ? [`${name}_currency`] : []), `${name}_source`];
}

/** A text or a number on one line. */
function lineOf(value: unknown): string {
	const text = typeof value === 'number' ? String(value) : value;
	return typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : '';
}
