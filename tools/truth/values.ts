import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { proveValues } from '../../nodes/proof/proveValues';
import type { Rates } from './rates';

/** The rows of a table, as a model would fill them in: by the heads of its columns. */
type Row = Record<string, string | number>;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `11 Feb 2026` as `2026-02-11`; undefined for a text without such a date. */
function isoDateIn(text: string): string | undefined {
	const [, day, word = '', year] = /(?<!\d)(\d{2}) (\w{3})\w* (\d{4})(?!\d)/.exec(text) ?? [];
	const month = MONTHS.indexOf(word.toLowerCase()) + 1;
	return month === 0 ? undefined : `${year}-${String(month).padStart(2, '0')}-${day}`;
}

/** What a cell says, under the names that a model would give it; nothing of one that says yes or no, or too much. */
function valuesOf(name: string, cell: string): Row {
	const text = cell
		.replace(/\[\^\w+\]/g, '')
		.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
		.replace(/[*`]/g, '')
		.trim();
	const [, first, date] = /^(\S+) \((\d{4}-\d\d-\d\d)\)$/.exec(text) ?? [];
	if (first !== undefined && date !== undefined) return { [name]: first, [`${name}_date`]: date };
	const iso = isoDateIn(text);
	if (iso !== undefined) return { [name]: iso };
	if (/^(?:yes|no|-+|)$/i.test(text) || text.split(/\s+/).length > 8) return {};
	return { [name]: /^\d{1,6}(?:\.\d{1,3})?$/.test(text) && !/^0\d/.test(text) ? Number(text) : text };
}

/** The tables of a page, read without the code that is measured. */
function tablesOf(markdown: string): Row[][] {
	const tables = markdown.match(/(?:^\|.*\|\s*$\n?){4,}/gm) ?? [];
	return tables.map((table) => {
		const rows = table
			.trim()
			.split('\n')
			.map((line) => line.trim().slice(1, -1).split('|'));
		const names = (rows[0] ?? []).map((head) => head.toLowerCase().replace(/\W+/g, ' ').trim().replaceAll(' ', '_'));
		return rows.slice(2).map((cells) => {
			return Object.fromEntries(cells.flatMap((cell, at) => Object.entries(valuesOf(names[at] ?? '', cell))));
		});
	});
}

/** A value with its last two different digits changed with each other. */
function withDigitsSwapped(value: string | number): string | number {
	const text = String(value);
	const at = [...text].findLastIndex(
		(sign, index) => /\d{2}/.test(sign + (text[index + 1] ?? '')) && sign !== text[index + 1],
	);
	if (at === -1) return value;
	const swapped = text.slice(0, at) + (text[at + 1] ?? '') + text.charAt(at) + text.slice(at + 2);
	return typeof value === 'number' ? Number(swapped) : swapped;
}

/** Changes of one kind that are tried on a table. */
const MOST_CHANGES = 12;

/** How many values of real tables are found on their page, and how many wrong ones are found out. */
export function measureValues(folder: string, rates: Rates, random: () => number): void {
	for (const name of readdirSync(folder)) {
		for (const date of readdirSync(path.join(folder, name))) {
			for (const file of readdirSync(path.join(folder, name, date))) {
				const markdown = readFileSync(path.join(folder, name, date, file), 'utf8');
				for (const rows of tablesOf(markdown))
					measureTable(`${name}, ${file}`, name, { markdown, rows }, rates, random);
			}
		}
	}
}

function measureTable(
	where: string,
	of: string,
	{ markdown, rows }: { markdown: string; rows: Row[] },
	rates: Rates,
	random: () => number,
): void {
	const prove = (all: readonly Row[]) => proveValues({ rows: all }, { markdown, url: '', metadata: {} });
	for (const { path: at, value, state, reason } of prove(rows)) {
		const example = `${where} ${at} ${String(value)} ${reason}`;
		rates.count(of, 'true values of tables that are no false alarm', state !== 'absent', example);
		rates.count(of, 'true values of tables that are found', state === 'found', example);
	}
	const leaves = rows.flatMap((row, index) => Object.keys(row).map((key) => ({ row, index, key })));
	const change = (what: string, wrongOf: (leaf: (typeof leaves)[number]) => string | number | undefined) => {
		for (let count = 0; count < MOST_CHANGES; count += 1) {
			const leaf = leaves[Math.floor(random() * leaves.length)];
			const is = leaf && wrongOf(leaf);
			if (!leaf || is === undefined || is === leaf.row[leaf.key]) continue;
			const changed = rows.map((row, index) => (index === leaf.index ? { ...row, [leaf.key]: is } : row));
			const told = prove(changed).find(({ path: at }) => at === `rows[${leaf.index}].${leaf.key}`);
			const example = `${where} ${leaf.key} ${String(is)} for ${String(leaf.row[leaf.key])}: ${told?.words}`;
			rates.count(of, what, told?.state === 'absent', example);
		}
	};
	const otherRow = () => rows[Math.floor(random() * rows.length)];
	// The first column names the row.
	const isName = ({ row, key }: (typeof leaves)[number]) => Object.keys(row)[0] === key;
	change('values of another row that are found out', (leaf) => (isName(leaf) ? undefined : otherRow()?.[leaf.key]));
	change('values of another column that are found out', (leaf) => {
		const dates = Object.values(leaf.row).filter((one) => /^\d{4}-\d\d-\d\d$/.test(String(one)));
		return dates.includes(leaf.row[leaf.key] ?? '') ? dates.find((one) => one !== leaf.row[leaf.key]) : undefined;
	});
	change('values with two digits swapped that are found out', (leaf) => withDigitsSwapped(leaf.row[leaf.key] ?? ''));
}
