import { COLUMN_TYPES, columnLines, readCellValue } from '../../../nodes/research/row/columns';
import type { Column, ColumnType } from '../../../nodes/research/row/columns';
import { fillRow } from '../../../nodes/research/fillRow';
import type { FilledRow } from '../../../nodes/research/fillRow';
import { COLUMNS } from './rowWorld.ts';
import { QUESTION, World } from './world.ts';

const column = (type: ColumnType, choices: string[] = []): Column => ({ name: 'x', description: '', type, choices });

it.each<[ColumnType, unknown, unknown]>([
	['number', 39, 39],
	['number', '1,200', 1200],
	['number', '3.2 million', 3_200_000],
	['number', -5, -5],
	['number', 'about forty', 'notExact'],
	['number', '10 to 20', 'notExact'],
	['number', null, 'notFound'],
	['number', '', 'notFound'],
	['money', '39 EUR', [39, 'EUR']],
	['money', '€39.50', [39.5, 'EUR']],
	['money', '1,299 USD', [1299, 'USD']],
	['money', { amount: 39, currency: 'GBP' }, [39, 'GBP']],
	['money', { value: 39, currency: null }, 'notExact'],
	['money', 39, 'notExact'],
	['money', '39 EUR or 45 USD', 'notExact'],
	['boolean', true, true],
	['boolean', 'No', false],
	['boolean', 'unknown', 'notExact'],
	['boolean', 0, 'notExact'],
	['date', '2024-03-01', '2024-03-01'],
	['date', '2024-03', '2024-03'],
	['date', 2024, '2024'],
	['date', '2024-13-01', 'notExact'],
	['date', '03/04/2024', 'notExact'],
	['url', 'https://a.example/p?q=1', 'https://a.example/p?q=1'],
	['url', 'a.example', 'notExact'],
	['url', 'javascript:alert(1)', 'notExact'],
	['email', 'mailto:hi@a.example', 'hi@a.example'],
	['email', 'hi at a.example', 'notExact'],
	['choice', 'software ', 'Software'],
	['choice', 'Software or Services', 'notExact'],
	['text', ' two\n lines ', 'two lines'],
	['text', '=HYPERLINK("https://evil.example")', 'formula'],
	['text', '+1+cmd|calc', 'formula'],
	['text', '＝1+1', 'formula'],
	['text', '-2+3', 'formula'],
	['text', '@SUM(A1)', 'formula'],
	['text', '@acme', '@acme'],
	['text', '+49 30 123456', '+49 30 123456'],
	['text', '-5', '-5'],
	['text', '+3.5 %', '+3.5 %'],
	['text', 'a=b', 'a=b'],
])('a cell of the type %s is read from %j as %j', (type, given, wanted) => {
	const read = readCellValue(given, column(type, ['Software', 'Services']));
	if (typeof read === 'string') expect(read).toBe(wanted);
	else expect(read.currency === undefined ? read.value : [read.value, read.currency]).toEqual(wanted);
});

it('tells the model each type, and of a choice all choices', () => {
	const all = Object.keys(COLUMN_TYPES).map((type) => column(type as ColumnType, ['A', 'B']));
	const lines = columnLines(all, new Set(all.keys()).add(all.length));
	expect(lines).toHaveLength(all.length);
	expect(lines.at(-1)).toBe('8. x (one of these: A; B)');
});

const ODD: unknown[] = [
	null,
	[],
	'x',
	{ cells: null },
	{ cells: [null, 1, 'x', {}, [], { column: null, value: {}, quote: 'x' }] },
	{
		cells: [
			{ column: 1, value: [1, [2]], quote: 5 },
			{ column: '__proto__', value: 1, quote: 'Acme' },
		],
	},
	{
		cells: [
			{ column: 99, value: 'x', quote: 'Acme is in Oslo.' },
			{ column: 1.5, value: 'x', quote: '' },
		],
	},
	{ cells: [{ column: 1, value: { toString: 'x' }, quote: 'Acme is in Oslo.' }] },
	{
		cells: Array.from({ length: 500 }, (_one, at) => ({
			column: (at % 8) + 1,
			value: 'Oslo',
			quote: 'Acme is in Oslo.',
		})),
	},
	{ cells: [{ column: 1, value: 'Oslo\u0000\ud800', quote: 'Acme is in Oslo.\ud800' }] },
	{ column: 1, value: 'Oslo', quote: 'Acme is in Oslo.' },
	{ pages: [2] },
	{ pages: null },
	{ pages: [-1, 0, 1e9, 'x', 1, 1, 1] },
];

it.each(ODD.map((odd) => [JSON.stringify(odd).slice(0, 80), odd]))(
	'stands a model that answers %s',
	async (_name, odd) => {
		const pages = Object.fromEntries(
			Array.from({ length: 9 }, (_one, at) => [
				`https://acme.example/${at === 0 ? '' : `${at}\ud800`}`,
				'Acme is in Oslo.',
			]),
		);
		const answer = JSON.stringify(odd);
		const world = new World(pages, { readCells: () => answer, chooseLinks: () => answer });
		const row = { subject: 'Acme', website: 'https://acme.example/', columns: COLUMNS };
		const filled = await world.clock
			.until(fillRow(row, { ...QUESTION, query: 'Acme', maxPages: 6, maxRounds: 2 }, world.parts))
			.catch((error: unknown) => error);
		if (filled instanceof Error) expect(filled.name).toBe('ResearchFailure');
		else expect((filled as FilledRow).cells).toHaveLength(COLUMNS.length);
	},
);

it('searches without what a search takes for an operator', async () => {
	const world = new World({}, {});
	const subject = '"Acme" site:evil.example -secret OR (Beta) intitle:x';
	await world.clock.until(
		fillRow({ subject, website: '', columns: COLUMNS }, { ...QUESTION, query: subject }, world.parts),
	);
	expect(world.searched).toHaveLength(3);
	for (const query of world.searched) expect(query).not.toMatch(/["“”]|\w:\S|(?:^|\s)-\w|\bOR\b/);
	expect(world.searched[0]).toMatch(/^Acme evil.example secret \(Beta\) x town of the head office/);
});
