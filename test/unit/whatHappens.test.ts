import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import testsOf from '../fixtures/whatHappens.json';

const ROOT = join(__dirname, '../..');
/** Without the tables that test/engine/killPoints.test.ts draws. */
const text = readFileSync(join(ROOT, 'docs/reference/WHAT-HAPPENS-WHEN.md'), 'utf8').replace(
	/<!-- \w+ -->\n\n(?:\|.*\n)+/g,
	'',
);

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

/** A call that declares a test which runs: not one that is skipped or to be written. */
const DECLARES = /^(it|test|describe)(\.each\b[^]*)?$/;

const titlesByFile = new Map<string, Set<string>>();

/** The titles of the tests of a file, and of their groups, as they stand in the code; a template without its quotes. */
function titlesIn(file: string): Set<string> {
	const known = titlesByFile.get(file);
	if (known) return known;
	const titles = new Set<string>();
	const source = ts.createSourceFile(
		file,
		readFileSync(join(ROOT, 'test', file), 'utf8'),
		ts.ScriptTarget.Latest,
		true,
	);
	const visit = (node: ts.Node): void => {
		if (ts.isCallExpression(node) && DECLARES.test(node.expression.getText())) {
			const [title] = node.arguments;
			if (title && ts.isStringLiteralLike(title)) titles.add(title.text);
			else if (title && ts.isTemplateExpression(title)) titles.add(title.getText().slice(1, -1));
		}
		// A row of a table of cases, whose first cell is the title.
		if (ts.isArrayLiteralExpression(node) && ts.isArrayLiteralExpression(node.parent)) {
			const [title] = node.elements;
			if (title && ts.isStringLiteralLike(title)) titles.add(title.text);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	titlesByFile.set(file, titles);
	return titles;
}

it.each(entries.map((entry) => [entry.name, entry.titles] as const))('names tests that run: %s', (_name, titles) => {
	expect(titles).not.toEqual([]);
	for (const named of titles) {
		const [, file = '', title = ''] =
			/^((?:(?:unit|engine|sandbox)\/[\w/]+\.test|e2e\/[\w-]+\.e2e)\.ts): (.+)$/.exec(named) ?? [];
		expect(file).not.toBe('');
		expect([...titlesIn(file)]).toContain(title);
	}
});

it('names files that exist for its limits', () => {
	for (const [, file = ''] of text.matchAll(/`(nodes\/[^`]+)`/g)) {
		expect(readFileSync(join(ROOT, file), 'utf8')).not.toBe('');
	}
});
