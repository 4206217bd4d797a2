import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** Rows that end in a cell with a file and a title. */
const tested = rowsOf(text).filter((cells) => cells.length === 5);

it('has a test for every failure', () => {
	expect(tested.length).toBeGreaterThan(30);
	for (const cells of tested)
		expect(cells[4]).toMatch(/^((unit|engine|sandbox)\/\w+\.test|e2e\/[\w-]+\.e2e)\.ts: `.+`$/);
});

it.each(tested.map(([when, , , , test]) => [when, test ?? '']))(
	'names a test that exists: %s',
	(_when, test) => {
		const [, file = '', title = ''] = /^(\S+): `(.+)`$/.exec(test) ?? [];
		expect(readFileSync(join(ROOT, 'test', file), 'utf8')).toContain(title);
	},
);

it('names files that exist for its limits', () => {
	for (const [, file = ''] of text.matchAll(/`(nodes\/[^`]+)`/g)) {
		expect(readFileSync(join(ROOT, file), 'utf8')).not.toBe('');
	}
});

it('says the same in the README, row by row', () => {
	const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
	const [, section = ''] = /\n### What happens when\n([\s\S]+?)\n## /.exec(readme) ?? [];
	const rows = rowsOf(section);
	expect(rows.length).toBeGreaterThan(5);
	const known = tested.map((cells) => cells.slice(0, 4));
	for (const row of rows) expect(known).toContainEqual(row);
});
