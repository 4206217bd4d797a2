/** `npm run mutation`: Stryker over nodes/service, then its table. Options go on to Stryker. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { readReport, shareOf } from './report.ts';
import { readReasons, survivorsPage } from './survivors.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = join(ROOT, 'test/chaos/survivors.md');
const LEAST_KILLED = 0.9;

async function main(): Promise<void> {
	const cli = join(ROOT, 'node_modules/@stryker-mutator/core/bin/stryker.js');
	const { status } = spawnSync(process.execPath, [cli, 'run', ...process.argv.slice(2)], {
		cwd: ROOT,
		stdio: 'inherit',
	});
	if (status !== 0) throw new Error(`Stryker ended with exit code ${status}.`);

	const scores = readReport(readFileSync(join(ROOT, '.stryker/incremental.json'), 'utf8'));
	const page = survivorsPage(scores, readReasons(readFileSync(PAGE, 'utf8')));
	const style = await resolveConfig(PAGE);
	writeFileSync(PAGE, await format(page, { ...style, parser: 'markdown' }));

	const measured = new Set(scores.map(({ file }) => file));
	const all = globSync('nodes/service/**/*.ts', { cwd: ROOT });
	for (const file of all.filter((one) => !measured.has(one))) {
		console.log(`not measured yet: ${file} (npm run mutation -- --mutate ${file})`);
	}
	const weak = scores.filter((score) => shareOf(score) < LEAST_KILLED);
	for (const score of weak) {
		console.log(`below 90%: ${score.file}, ${score.killed} of ${score.all}`);
	}
	if (weak.length > 0) process.exitCode = 1;
}

await main();
