import { isTypesOnly, readReport, shareOf } from '../chaos/mutation/report';
import { readReasons, readScores, reasonFor, survivorsPage } from '../chaos/mutation/survivors';

const source = [
	'function isLate(now: number) {',
	'\tif (now > end || `${now}` === x) return true;',
	'}',
];

/** A mutant of the second line, from one column to another (from 1, as Stryker counts). */
const mutant = (status: string, from: number, to: number, replacement: string) => ({
	id: '1',
	status,
	mutatorName: 'EqualityOperator',
	replacement,
	location: { start: { line: 2, column: from }, end: { line: 2, column: to } },
});
const report = JSON.stringify({
	files: {
		'nodes/service/jobs/late.ts': {
			source: source.join('\n'),
			mutants: [
				mutant('Killed', 6, 15, 'now < end'),
				mutant('Timeout', 6, 15, 'true'),
				mutant('Survived', 6, 15, 'now >= end'),
				mutant('NoCoverage', 19, 33, 'false'),
				mutant('Ignored', 19, 33, ''),
			],
		},
		'nodes/service/http/types.ts': { source: '', mutants: [] },
	},
});

const noGaps = { changed: new Set<string>(), unmeasured: [], empty: [] };

it('counts what was noticed, in every file, and names what was not', () => {
	const [types, late] = readReport(report);
	expect(types).toMatchObject({ file: 'nodes/service/http/types.ts', killed: 0, all: 0 });
	expect(late).toMatchObject({ killed: 2, byTime: 1, all: 4 });
	expect(late?.survivors).toEqual([
		{
			code: 'if (now > end || `${now}` === x) return true;',
			change: 'now > end → now >= end',
			isUnreached: false,
		},
		{
			code: 'if (now > end || `${now}` === x) return true;',
			change: '`${now}` === x → false',
			isUnreached: true,
		},
	]);
	expect(readReport(report).map(shareOf)).toEqual([1, 0.5]);
});

it('keeps the reasons that people wrote into its table, when it is made again', () => {
	const scores = readReport(report);
	const survivors = scores[1]?.survivors ?? [];
	const reasonsIn = (page: string) =>
		survivors.map((one) => reasonFor(readReasons(page), 'nodes/service/jobs/late.ts', one));
	// As the formatter lays it out.
	const empty = survivorsPage(scores, new Map(), noGaps).replaceAll(' | ', '   | ');
	expect(empty).toContain('| jobs/late.ts');
	expect(empty).toMatch(/\| all +\| 2 of 4 +\| 50\.0% +\| 1 /);
	expect(reasonsIn(empty)).toEqual([undefined, undefined]);

	const written = empty.replace(
		/(`now > end → now >= end` *\|) +\|/,
		'$1 a millisecond is no matter |',
	);
	const again = survivorsPage(scores, readReasons(written), noGaps);
	expect(reasonsIn(again)).toEqual(['a millisecond is no matter', undefined]);
	expect(again).toContain('no unit test comes here');
});

it('reads its own table, so that a run over some files leaves the others as they were', () => {
	const scores = readReport(report);
	const page = survivorsPage(scores, new Map(), {
		changed: new Set(['nodes/service/jobs/late.ts']),
		unmeasured: ['nodes/service/jobs/new.ts'],
		empty: ['nodes/service/http/types.ts'],
	});
	const told = readScores(page.replaceAll(' | ', '   | '));
	const [types, late] = scores;
	const [first, second] = late?.survivors ?? [];
	const shown = (code = '') => code.replaceAll('`', "'");
	expect(told).toEqual([
		types,
		{
			...late,
			survivors: [first, second].map((one) => ({
				...one,
				code: shown(one?.code),
				change: shown(one?.change),
			})),
		},
	]);
	expect(readScores(survivorsPage(told, new Map(), noGaps))).toEqual(told);
	expect(late?.fingerprint).toMatch(/^[0-9a-f]{8}$/);
});

it('knows a file that holds types alone', () => {
	const types = "import type { B } from './b';\n/** What. */\nexport interface A extends B {}\n";
	expect(isTypesOnly(types)).toBe(true);
	expect(isTypesOnly(`${types}export const one = 1;`)).toBe(false);
});

it('says which files were not measured, and which have changed since', () => {
	const page = survivorsPage(readReport(report), new Map(), {
		changed: new Set(['nodes/service/jobs/late.ts']),
		unmeasured: ['nodes/service/jobs/new.ts'],
		empty: ['nodes/service/http/types.ts'],
	});
	expect(page).toContain('| jobs/late.ts (before its last change) | 2 of 4 | 50.0% |');
	expect(page).toContain('| jobs/new.ts | not measured |');
	expect(page).toContain('| http/types.ts | types only |');
});
