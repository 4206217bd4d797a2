/**
 * `npm run mutation`: Stryker over nodes/service, then its table. Options go on to Stryker; `--table`
 * only writes the table again.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { readReport, shareOf } from './report.ts';
import { readReasons, survivorsPage } from './survivors.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = join(ROOT, 'test/chaos/survivors.md');
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

async function main(): Promise<void> {
	const options = process.argv.slice(2);
	if (!options.includes('--table')) measure(options);

	const scores = readReport(readFileSync(join(ROOT, '.stryker/incremental.json'), 'utf8'));
	const measured = new Map(scores.map(({ file, source }) => [file, source]));
	const files = globSync('nodes/service/**/*.ts', { cwd: ROOT }).sort();
	const isChanged = (file: string) =>
		measured.has(file) && measured.get(file) !== readFileSync(join(ROOT, file), 'utf8');
	const page = survivorsPage(scores, readReasons(readFileSync(PAGE, 'utf8')), {
		changed: new Set(files.filter(isChanged)),
		unmeasured: files.filter((file) => !measured.has(file)),
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
