import { shareOf } from './report.ts';
import type { FileScore, Survivor } from './report.ts';

/** Why a change may go unnoticed, by file, code and change. */
export type Reasons = ReadonlyMap<string, string>;

const keyOf = (file: string, { code, change }: Pick<Survivor, 'code' | 'change'>) =>
	JSON.stringify([file, code, change]);

const cellOf = (text: string) => `\`${text.replaceAll('`', "'").replaceAll('|', '\\|')}\``;
const textIn = (cell: string) => cell.replace(/^`|`$/g, '');

const UNREACHED = 'no unit test comes here';
const FOLDER = 'nodes/service/';

const cellsOf = (line: string) =>
	line.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());

/** The survivors that stand in the tables of survivors.md, below headings with the files' names. */
function readSurvivors(markdown: string) {
	let file = '';
	return markdown.split('\n').flatMap((line) => {
		file = /^## (\S+\.ts)/.exec(line)?.[1] ?? file;
		const [, code = '', change = '', reason = ''] = cellsOf(line);
		if (!code.startsWith('`')) return [];
		const isUnreached = reason === UNREACHED;
		return [{ file, code: textIn(code), change: textIn(change), isUnreached, reason }];
	});
}

/** The reasons that people wrote into survivors.md. */
export function readReasons(markdown: string): Reasons {
	const given = readSurvivors(markdown).filter((one) => one.reason !== '' && !one.isUnreached);
	return new Map(given.map((one) => [keyOf(one.file, one), one.reason]));
}

/** What survivors.md says of each file, so that a run over some files leaves the others as they were. */
export function readScores(markdown: string): FileScore[] {
	const all = readSurvivors(markdown);
	return markdown.split('\n').flatMap((line) => {
		const [, name = '', share = '', , byTime = '', fingerprint = ''] = cellsOf(line);
		const [, killed, mutants] = /^(\d+) of (\d+)$/.exec(share) ?? [];
		if (!/\.ts\b/.test(name) || killed === undefined) return [];
		const path = name.replace(/ .*/, '');
		const file = path.startsWith('nodes/') ? path : FOLDER + path;
		const survivors = all
			.filter((one) => one.file === file)
			.map(({ code, change, isUnreached }) => ({ code, change, isUnreached }));
		const counts = { killed: Number(killed), all: Number(mutants), byTime: Number(byTime) };
		return [{ file, fingerprint, ...counts, survivors }];
	});
}

/** The reason for a survivor, if somebody wrote one. */
export function reasonFor(reasons: Reasons, file: string, survivor: Survivor): string | undefined {
	const cell = (text: string) => text.replaceAll('`', "'");
	const shown = { code: cell(survivor.code), change: cell(survivor.change) };
	return reasons.get(keyOf(file, shown));
}

/** What the scores do not say by themselves. */
export interface Gaps {
	/** Files that were measured, but have changed since. */
	changed: ReadonlySet<string>;
	unmeasured: readonly string[];
	/** Files without code: there is nothing to change. */
	empty: readonly string[];
}

/** survivors.md: how every file did, and what survived in each, with the reasons that were there. */
export function survivorsPage(
	scores: readonly FileScore[],
	reasons: Reasons,
	{ changed, unmeasured, empty }: Gaps,
): string {
	const sum = (pick: (score: FileScore) => number) =>
		scores.reduce((all, one) => all + pick(one), 0);
	const total = {
		file: 'all',
		fingerprint: '',
		killed: sum(({ killed }) => killed),
		byTime: sum(({ byTime }) => byTime),
		all: sum(({ all }) => all),
	};
	const short = (file: string) => file.replace(FOLDER, '');
	return [
		'# Mutants that survive',
		'`npm run mutation` (Stryker) changes `nodes/service` and `nodes/WebData/run/suspension` in many small ways, one at a time, and runs the tests that reach the change: unit tests, for suspension those on n8n’s engine as well. A mutant is killed when a test fails or does not end. It writes this page and keeps the reasons in it; it fails when a file is below 90%. Texts for people are left as they are here: the tests on the engine check those.',
		table(
			['File', 'Killed', 'Share', 'By time', 'Text'],
			[
				...[...scores, total].map((score) => [
					short(score.file) + (changed.has(score.file) ? ' (before its last change)' : ''),
					`${score.killed} of ${score.all}`,
					`${(100 * shareOf(score)).toFixed(1)}%`,
					String(score.byTime),
					score.fingerprint,
				]),
				...empty.map((file) => [short(file), 'types only', '', '', '']),
				...unmeasured.map((file) => [short(file), 'not measured', '', '', '']),
			],
		),
		'By time: the tests did not end with the mutant. Text: of which text of the file this is true (the first digits of its SHA-256).',
		...scores.filter(({ survivors }) => survivors.length > 0).flatMap(section(reasons)),
		'',
	].join('\n\n');
}

const section =
	(reasons: Reasons) =>
	({ file, survivors }: FileScore): string[] => {
		const rows = survivors.map((one) => [
			cellOf(one.code),
			cellOf(one.change),
			reasonFor(reasons, file, one) ?? (one.isUnreached ? UNREACHED : ''),
		]);
		return [`## ${file}`, table(['Line', 'Change', 'Why it may live'], rows)];
	};

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
