/**
 * `npm run mutation`: Stryker over nodes/service, then its table, in which files that were not measured
 * stay as they were. Options go on to Stryker; `--table` only writes the table again.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { fingerprintOf, isTypesOnly, readReport, shareOf } from './report.ts';
import { readReasons, readScores, survivorsPage } from './survivors.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = join(ROOT, 'test/chaos/survivors.md');
const REPORT = join(ROOT, '.stryker/incremental.json');
const SERVICE = 'nodes/service/**/*.ts';
const LEAST_KILLED = 0.9;

/** Runs Stryker with the options of the command line. Throws when it does not come to its end. */
function measure(options: string[]): void {
	const cli = join(ROOT, 'node_modules/@stryker-mutator/core/bin/stryker.js');
	const { status } = spawnSync(process.execPath, [cli, 'run', ...options], {
		cwd: ROOT,
		stdio: 'inherit',
	});
	if (status !== 0) throw new Error(`Stryker ended with exit code ${status}.`);
}

/**
 * Which files a run has measured, by its `-m` or `--mutate`; all where it has none. What Stryker reports of
 * the others is what is left of an earlier run after later changes.
 */
function askedFor(options: string[]): (file: string) => boolean {
	const at = options.findIndex((option) => option === '-m' || option === '--mutate');
	const patterns = at === -1 ? [SERVICE] : (options[at + 1] ?? '').split(',');
	const files = new Set(globSync(patterns, { cwd: ROOT }));
	return (file) => files.has(file);
}

async function main(): Promise<void> {
	const options = process.argv.slice(2);
	if (!options.includes('--table')) measure(options);

	const before = readFileSync(PAGE, 'utf8');
	const told = readScores(before);
	const isAsked = options.includes('--table') ? () => false : askedFor(options);
	const report = existsSync(REPORT) ? readReport(readFileSync(REPORT, 'utf8')) : [];
	const measured = report.filter(({ file }) => isAsked(file));
	const files = globSync(SERVICE, { cwd: ROOT }).sort();
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
