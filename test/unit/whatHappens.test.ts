import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import testsOf from '../fixtures/whatHappens.json';

const ROOT = join(__dirname, '../..');
const text = readFileSync(join(ROOT, 'docs/WHAT-HAPPENS-WHEN.md'), 'utf8');

const rowsOf = (markdown: string) =>
	markdown
		.split('\n')
		.filter((line) => /^\| /.test(line) && !/^\| (-+|when|what) /.test(line))
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);

/** The rows that say when something happens and what it costs, as "heading: first cell". */
const rows = text.split(/^## /m).flatMap((section) => {
	const [heading = ''] = section.split('\n', 1);
	return rowsOf(section)
		.filter((cells) => cells.length > 3)
		.map((cells) => ({ name: `${heading}: ${cells[0]}`, cells }));
});

/** The tests of each row, under the same names. */
const entries = Object.entries<Record<string, string[]>>(testsOf).flatMap(([heading, tests]) =>
	Object.entries(tests).map(([when, titles]) => ({ name: `${heading}: ${when}`, titles })),
);

it('has an entry of test/fixtures/whatHappens.json for each row, and a row for each entry', () => {
	expect(rows.length).toBeGreaterThan(200);
	const names = rows.map((row) => row.name);
	expect(new Set(names).size).toBe(names.length);
	expect(entries.map((entry) => entry.name).sort()).toEqual(names.sort());
});

it('has four cells in each row: the tests stand in test/fixtures/whatHappens.json', () => {
	expect(rows.filter((row) => row.cells.length !== 4).map((row) => row.name)).toEqual([]);
});

it.each(entries.map((entry) => [entry.name, entry.titles] as const))('names tests that exist: %s', (_name, titles) => {
	expect(titles).not.toEqual([]);
	for (const named of titles) {
		const [, file = '', title = ''] =
			/^((?:(?:unit|engine|sandbox)\/\w+\.test|e2e\/[\w-]+\.e2e)\.ts): (.+)$/.exec(named) ?? [];
		expect(file).not.toBe('');
		expect(readFileSync(join(ROOT, 'test', file), 'utf8')).toContain(title);
	}
});

it('names files that exist for its limits', () => {
	for (const [, file = ''] of text.matchAll(/`(nodes\/[^`]+)`/g)) {
		expect(readFileSync(join(ROOT, file), 'utf8')).not.toBe('');
	}
});
