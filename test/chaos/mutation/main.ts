/**
 * `npm run mutation`: Stryker over nodes/service and the suspension of executions, then its table, in which
 * files that were not measured stay as they were. Options go on to Stryker; `--table` only writes the table
 * again.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { fingerprintOf, isTypesOnly, readReport, shareOf } from './report.ts';
import { readReasons, readScores, survivorsPage } from './survivors.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = join(ROOT, 'test/chaos/survivors.md');
const LEAST_KILLED = 0.9;

/** What is measured, each with the tests that its configuration names. */
const PARTS = [
	{
		files: 'nodes/service/**/*.ts',
		config: 'stryker.config.mjs',
		report: '.stryker/incremental.json',
	},
	{
		files: 'nodes/WebData/run/suspension/*.ts',
		config: 'stryker.engine.config.mjs',
		report: '.stryker/engine/incremental.json',
	},
];

const filesOf = (patterns: string | string[]) => globSync(patterns, { cwd: ROOT }).sort();

/** Runs Stryker over some files of a part. Throws when it does not come to its end. */
function measure({ config }: (typeof PARTS)[number], files: string[], options: string[]): void {
	const cli = join(ROOT, 'node_modules/@stryker-mutator/core/bin/stryker.js');
	const args = [cli, 'run', config, '--mutate', files.join(','), ...options];
	const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
	if (status !== 0) throw new Error(`Stryker ended with exit code ${status}.`);
}

/**
 * Which files a run measures, by its `-m` or `--mutate`, and the other options; all where it has none. What
 * Stryker reports of the others is what is left of an earlier run after later changes.
 */
function readOptions([...options]: string[]) {
	const at = options.findIndex((option) => option === '-m' || option === '--mutate');
	const [, patterns] = at === -1 ? [] : options.splice(at, 2);
	const wanted = patterns === undefined ? undefined : new Set(filesOf(patterns.split(',')));
	return { isAsked: (file: string) => wanted?.has(file) ?? true, others: options };
}

async function main(): Promise<void> {
	const isTableOnly = process.argv.includes('--table');
	const { isAsked, others } = readOptions(process.argv.slice(2));
	const measured = PARTS.flatMap((part) => {
		const asked = isTableOnly ? [] : filesOf(part.files).filter(isAsked);
		if (asked.length === 0) return [];
		measure(part, asked, others);
		const report = readReport(readFileSync(join(ROOT, part.report), 'utf8'));
		return report.filter(({ file }) => asked.includes(file));
	});

	const before = readFileSync(PAGE, 'utf8');
	const told = readScores(before);
	const files = PARTS.flatMap((part) => filesOf(part.files));
	const fingerprint = (file: string) => fingerprintOf(readFileSync(join(ROOT, file), 'utf8'));
	const scores = files.flatMap((file) => {
		const known = [...measured, ...told].filter((score) => score.file === file);
		const now = fingerprint(file);
		return known.find((score) => score.fingerprint === now) ?? known.slice(0, 1);
	});
	const changed = scores.filter((score) => score.fingerprint !== fingerprint(score.file));
	// What holds types alone has nothing to change, and Stryker does not tell of it.
	const empty = files.filter((file) => isTypesOnly(readFileSync(join(ROOT, file), 'utf8')));
	const isMeasured = (file: string) => scores.some((score) => score.file === file);
	const page = survivorsPage(scores, readReasons(before), {
		changed: new Set(changed.map(({ file }) => file)),
		unmeasured: files.filter((file) => !isMeasured(file) && !empty.includes(file)),
		empty,
	});
	const style = await resolveConfig(PAGE);
	writeFileSync(PAGE, await format(page, { ...style, parser: 'markdown' }));

	const weak = scores.filter((score) => shareOf(score) < LEAST_KILLED);
	for (const score of weak) {
		console.log(`below 90%: ${score.file}, ${score.killed} of ${score.all}`);
	}
	if (weak.length > 0) process.exitCode = 1;
}

await main();
