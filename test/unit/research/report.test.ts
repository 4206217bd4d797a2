import * as fc from 'fast-check';

import { checkReport } from '../../../nodes/research/report/checkReport';
import { alsoOnOf, claimLines, claimsBySite } from '../../../nodes/research/report/numberedClaims';
import { citedNumbers } from '../../../nodes/research/report/citations';
import { readReport } from '../../../nodes/research/report/readReport';
import { checked, claim, shown, withoutLinks } from './reports.ts';

const LINK1 = '[1](https://site1.example/page)';
const LINK2 = '[2](https://site2.example/page)';

describe('a report', () => {
	it.each([
		['Founded in 1990 [1].', `Founded in 1990. ${LINK1}`],
		['Founded in 1990. [1]', `Founded in 1990. ${LINK1}`],
		['Founded in 1990 [claim 1].', `Founded in 1990. ${LINK1}`],
		['Founded in 1990【1】.', `Founded in 1990. ${LINK1}`],
		['Founded in 1990[^1].', `Founded in 1990. ${LINK1}`],
		['Founded in 1990, 1200 staff [1, 2].', `Founded in 1990, 1200 staff. ${LINK1} ${LINK2}`],
		['Founded in 1990, 1200 staff [1][2].', `Founded in 1990, 1200 staff. ${LINK1} ${LINK2}`],
		['Founded in 1990, 1200 staff [1-2].', `Founded in 1990, 1200 staff. ${LINK1} ${LINK2}`],
		['Wow, 1990![1]', `Wow, 1990! ${LINK1}`],
		['- In 1990 [1].\n- With 1,200 [2].', `- In 1990. ${LINK1}\n- With 1,200. ${LINK2}`],
		['Dr. Doe runs it since 3. May 2001 [3].', 'Dr. Doe runs it since 3. May 2001. [1](https://site3.example/page)'],
		['At acme.example, says Dr. Doe [3].', 'At acme.example, says Dr. Doe. [1](https://site3.example/page)'],
		['# Acme in 1990\n\nIt was founded in 1990 [1].', `# Acme in 1990\n\nIt was founded in 1990. ${LINK1}`],
		['```markdown\nIn 1990 [1].\n```', `In 1990. ${LINK1}`],
		[
			'| Fact | Year |\n| --- | --- |\n| Founded | 1990 [1] |',
			`| Fact | Year |\n| --- | --- |\n| Founded | 1990 ${LINK1} |`,
		],
		['会社は1990年に設立された[1]。社員は1200人[2]。', `会社は1990年に設立された。 ${LINK1} 社員は1200人。 ${LINK2}`],
	])('links the sources of %p', async (report, expected) => {
		expect(await shown(report)).toBe(expected);
	});

	it('gives each sentence its own source, where the script has no spaces', async () => {
		const { lines } = await checked('甲公司成立于1990年。[1]乙公司有1200人。[2]');
		expect(lines.flatMap(({ sentences }) => sentences).map(({ text, cited }) => [text, cited])).toEqual([
			['甲公司成立于1990年。', [1]],
			['乙公司有1200人。', [2]],
		]);
	});

	it.each([
		['a sentence without a source', 'In 1990 [1]. It is the best company.'],
		['another figure', 'In 1990 [1]. In 1991 it grew [1].'],
		['a figure of a claim that is not cited', 'In 1990 [1]. It has 1,200 employees [1].'],
		['a claim that does not exist', 'In 1990 [1]. It sank [17].'],
		['a figure in an uncited claim', 'In 1990 [1]. It has 1,200 employees.'],
		['a host that no quote names', 'In 1990 [1]. See evil.example for more [1].'],
		['a claim of another model', 'In 1990 [1]. It has 9 boats [44].'],
		['a heading with nothing under it', 'In 1990 [1].\n\n## More\n\nIt is great.'],
		['a heading with a figure of its own', '# Top 10\n\nIn 1990 [1].'],
		['a line that leads to nothing', 'In 1990 [1].\n\nThe reasons are:\n\n- It is great.'],
	])('leaves out %s', async (_, report) => {
		expect(await shown(report)).toBe(`In 1990. ${LINK1}`);
	});

	it('leaves out a sentence that the model does not find supported, and tells it so', async () => {
		const report = 'Acme was founded in 1990 [1]. The maker was fined for fraud [2].';
		expect(await shown(report, 'leaveOut', ['fined'])).toBe(`Acme was founded in 1990. ${LINK1}`);
		expect(await checked(report, ['fined'])).toMatchObject({
			unsupportedSentences: 1,
			faults: ['The cited claims do not say this: "The maker was fined for fraud."'],
		});
	});

	it('takes a sentence that is the text of its claim without a judgement', async () => {
		expect(await shown('Acme was founded in 1990 [1].', 'leaveOut', ['Acme'])).toContain('1990');
	});

	it('marks what it does not leave out', async () => {
		const report = 'In 1990 [1]. In 1991 [1]. It is great. It may have 9 boats [4].';
		expect(await shown(report, 'mark')).toBe(
			[
				`In 1990. ${LINK1}`,
				`In 1991. ${LINK1} *(not verified)*`,
				'It is great. *(no source)*',
				'It may have 9 boats. [2](https://site4.example/page) *(not verified)*',
			].join(' '),
		);
	});

	it('counts what it finds, and says so to the model', async () => {
		const report = 'In 1990 [1]. In 1991 [1]. It is great. Gone [17]. https://evil.example/x';
		expect(await checked(report)).toMatchObject({
			unsupportedSentences: 1,
			uncitedSentences: 2,
			unknownCitations: 1,
			removedAddresses: 1,
			faults: expect.arrayContaining(['No claim is cited: "It is great."']) as unknown,
		});
	});
});

it('every figure of what is shown stands in a quote', async () => {
	const sentence = fc.record({
		figure: fc.integer({ min: 1, max: 3000 }),
		cited: fc.subarray([1, 2, 3, 17]),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(sentence, { maxLength: 6 }), async (sentences) => {
			const report = sentences
				.map(({ figure, cited }) => `There were ${figure} things ${cited.map((one) => `[${one}]`).join('')}.`)
				.join(' ');
			const figures = withoutLinks(await shown(report)).match(/\d+/g) ?? [];
			expect(figures.every((one) => ['1990', '1200', '3', '5', '2001'].includes(one))).toBe(true);
		}),
		{ numRuns: 300 },
	);
});

it('reads the numbers of citations', () => {
	expect(citedNumbers('a [1] b [2, 3] c [5–7] d [claims 8 and 9] [x] [2024-05-03] (4)')).toEqual([
		1, 2, 3, 5, 6, 7, 8, 9,
	]);
	expect(citedNumbers('[1-4000]')).toHaveLength(11);
});

it('splits lines into sentences', () => {
	const sentences = (line: string) => readReport(line)[0]?.sentences.map(({ text }) => text);
	expect(sentences('Dr. Doe left. No. 5 is e.g. here. It rose 1.5 times.')).toEqual([
		'Dr. Doe left.',
		'No. 5 is e.g. here.',
		'It rose 1.5 times.',
	]);
	expect(sentences('A [1]. B [2]! C? [3] D')).toEqual(['A.', 'B!', 'C?', 'D']);
});

it('shows the same statement of several pages in one line, without quotes and pages', () => {
	const claims = [claim(1, 'Acme is big.'), claim(2, 'Acme is **BIG**'), claim(3, 'Small.', { verified: false })];
	expect(claimLines(claims)).toBe('[1][2] Acme is big.\n[3] Small. (not verified)');
});

it('tells the writer who says a claim and when, and lets it name them', async () => {
	const told = [
		claim(1, 'Acme costs 49 euros.', { source: 'https://www.acme.example/p' }),
		claim(2, 'Acme costs 39 euros.', { source: 'https://old.example/p' }),
		claim(3, 'Acme is big.', { source: 'https://old.example/p' }),
		claim(4, 'Acme is big.', { source: 'https://www.acme.example/p' }),
	];
	const pages = new Map<string, { title: string; publishedAt?: string }>([
		['https://www.acme.example/p', { title: 'Prices', publishedAt: '2026-06-01T10:00:00.000Z' }],
		['https://old.example/p', { title: 'Prices' }],
	]);
	expect(claimsBySite(told, pages).split('\n')).toEqual([
		'From acme.example, 2026-06-01:',
		'[1] Acme costs 49 euros.',
		'From old.example:',
		'[2] Acme costs 39 euros.',
		'From old.example; acme.example, 2026-06-01:',
		'[3][4] Acme is big.',
	]);
	const report =
		'According to acme.example, on 2026-06-01 Acme costs 49 euros [1]. According to acme.example, Acme costs 39 euros [2]. On 2026-06-01 Acme is big [3].';
	const numbers = new Map(told.map((one) => [one.number, one]));
	const check = { claims: numbers, pages, context: [], subQuestions: [], judge: undefined };
	const { lines } = await checkReport(report, check);
	expect(lines.flatMap(({ sentences }) => sentences.map(({ verdict }) => verdict))).toEqual([
		'cited',
		'unsupported',
		'unsupported',
	]);
});

it('takes a text that two sites have for one, and says of a page how many others say so', () => {
	const quote = 'Acme has sold more than 40,000 bikes in Norway since its shop opened in the year 2019';
	const told = [
		claim(1, 'Acme sold 40,000 bikes.', { source: 'https://acme.example/a', quote }),
		claim(2, 'Acme sold 40,000 bikes.', { source: 'https://copy.example/a', quote: `${quote}.` }),
		claim(3, 'Acme sold 40,000 bikes.', { source: 'https://news.example/a', quote: 'Acme, which sold 40,000 bikes' }),
		claim(4, 'Acme is red.', { source: 'https://red.example/a', quote: 'Acme is red' }),
	];
	expect(claimsBySite(told, new Map()).split('\n')).toEqual([
		'From acme.example (copied by 1 other site); news.example:',
		'[1][2][3] Acme sold 40,000 bikes.',
		'From red.example:',
		'[4] Acme is red.',
	]);
	expect([...alsoOnOf(told)]).toEqual([
		['https://acme.example/a', 1],
		['https://copy.example/a', 1],
		['https://news.example/a', 1],
		['https://red.example/a', 0],
	]);
});
