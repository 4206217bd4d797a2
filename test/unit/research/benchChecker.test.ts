import { checkItem, statementsOf } from '../../bench/research/checker.ts';

const ACME = 'https://acme.example/about';
const NEWS = 'https://news.example/acme';

const PAGES = new Map([
	[ACME, '# About\n\nAcme was **founded** in 1990[\\[2\\]](https://acme.example/n#2) in Graz.'],
	[NEWS, 'Acme employs 1,200 people today, in [three](https://news.example/3) towns.'],
]);

const CLAIMS = [
	{ text: 'Acme was founded in 1990.', quote: 'Acme was founded in 1990 in Graz.', source: ACME },
	{ text: 'It has 1,200 people.', quote: 'Acme employs 1,200 people today', source: NEWS },
];

const TRUE_REPORT = `# Acme\n\nAcme was founded in 1990 in Graz. [1](${ACME}) Acme employs 1,200 people. [2](${NEWS})`;

/** The faults that the checker of `npm run bench:research` finds. */
function faultsOf(finalAnalysis: string, claims = CLAIMS): string[] {
	return checkItem({ finalAnalysis, claims }, PAGES).faults;
}

it('passes a report whose quotes stand on its pages', () => {
	const verdict = checkItem({ finalAnalysis: TRUE_REPORT, claims: CLAIMS }, PAGES);
	expect(verdict).toEqual({ statements: 2, supported: 2, faults: [] });
});

it.each([
	['another figure', TRUE_REPORT.replace('1990', '1991')],
	['another unit of thousands', TRUE_REPORT.replace('1,200', '1.200')],
	['another page', TRUE_REPORT.replace(`[1](${ACME})`, `[1](${NEWS})`)],
	['a page that never was', TRUE_REPORT.replace(NEWS, 'https://invented.example/')],
	['two pages, one of which does not say so', TRUE_REPORT.replace(/$/, ` [1](${ACME})`)],
	['no page', TRUE_REPORT.replace(` [2](${NEWS})`, '')],
	[
		'no page, before one that has one',
		TRUE_REPORT.replace('Acme employs', 'Acme is big. It employs'),
	],
	[
		'other words',
		TRUE_REPORT.replace('employs 1,200 people', 'lost thousands, 1,200 million gone'),
	],
])('finds a forged report: %s', (_what, report) => {
	expect(faultsOf(report)).toHaveLength(1);
});

it('finds a forged quote, and one of another page', () => {
	const [founded, staff] = CLAIMS;
	if (!founded || !staff) throw new Error('No claims');
	const forged = { ...founded, quote: 'Acme was founded in 1990 in Vienna.' };
	expect(faultsOf(TRUE_REPORT, [forged, staff])).toHaveLength(1);
	expect(faultsOf(TRUE_REPORT, [{ ...founded, source: NEWS }, staff])).toHaveLength(1);
	const partOfNumber = { ...staff, quote: 'Acme employs 1,20' };
	expect(faultsOf(TRUE_REPORT, [founded, partOfNumber])).toHaveLength(1);
	expect(faultsOf(TRUE_REPORT, [])).toHaveLength(2);
});

it('counts the lines that code writes of what was not found as no statements', () => {
	const report = `${TRUE_REPORT}\n\n## Not found\n\n- Who owns Acme?\n\n## Contradictions\n\n- Acme has 7 towns.`;
	expect(statementsOf(report).map(({ text }) => text)).toEqual([
		'Acme was founded in 1990 in Graz. ',
		'Acme employs 1,200 people. ',
		'- Acme has 7 towns.',
	]);
});
