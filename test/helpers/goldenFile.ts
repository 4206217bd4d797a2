import { readFileSync, writeFileSync } from 'node:fs';

/** Whether files that keep what must not change unnoticed are written: with `-u`. */
export const writesGoldenFiles = process.env.UPDATE_GOLDEN_FILES === '1';

/** Expects the file to hold this text; `npx jest NAME -u` writes it after a change that is meant. */
export function expectGoldenFile(path: string, text: string): void {
	if (writesGoldenFiles) writeFileSync(path, text);
	else expect(text).toBe(readFileSync(path, 'utf8'));
}

/** The same for a table on a page, which stands behind the comment `mark`. */
export function expectTableOnPage(page: string, mark: string, head: string, rows: readonly string[]): void {
	const table = rows.join('\n');
	const before = readFileSync(page, 'utf8');
	const squeezed = before.replace(/ +\|/g, ' |');
	if (writesGoldenFiles && !squeezed.includes(table)) {
		const columns = head.split('|').slice(1, -1);
		const [above = '', rest = ''] = before.split(`<!-- ${mark} -->\n`);
		const below = rest.slice(rest.indexOf('\n\n', 1));
		const line = `|${columns.map(() => ' --- ').join('|')}|`;
		writeFileSync(page, `${above}<!-- ${mark} -->\n\n${head}\n${line}\n${table}${below}`);
	} else expect(squeezed).toContain(table);
}
