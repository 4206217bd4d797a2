/**
 * `npm run test:e2e`: all end-to-end tests, in three processes side by side (harness/lanes.ts).
 * `npm run test:e2e -- editor stop` runs the files with these words, `npm run test:e2e -- --n8n 2.40`
 * everything on that line of n8n (`--n8n` may be given again). The last line is the totals.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { installN8n } from '../../tools/n8n/install.ts';
import { packWebData } from '../../tools/n8n/packages.ts';
import { projectRoot } from '../../tools/n8n/project.ts';
import { temporaryFolder } from './harness/instance.ts';
import { everyLine, LINES_VARIABLE } from './harness/lines.ts';
import { forgetTotals, lanesOf, readTotals } from './harness/lanes.ts';
import type { Counts, Lane } from './harness/lanes.ts';

const ending = '.e2e.ts';
const folder = import.meta.dirname;
const { values, positionals: words } = parseArgs({
	allowPositionals: true,
	options: { n8n: { type: 'string', multiple: true } },
});
const files = readdirSync(folder)
	.filter((name) => name.endsWith(ending))
	.filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
	.sort()
	.map((name) => path.join(folder, name));
if (files.length === 0) throw new Error('No end-to-end test has these words in its name.');
const lanes = lanesOf(files);
const lines = everyLine(values.n8n?.join(','));

// Ahead of time and side by side: each waits for the registry and the disk about as long as for a processor.
await Promise.all(
	lines.map(async (line) => {
		const { dir } = await installN8n(line, (said) => console.log(`n8n ${line}: ${said}`));
		console.log(`n8n ${line}: ${dir}`);
	}),
);

/** Runs a lane to its end; where there is another, each line of its output says whose it is. Gives its totals. */
async function runLane(lane: Lane, env: NodeJS.ProcessEnv): Promise<Counts> {
	const { name, files: own } = lane;
	const isAlone = lanes.length === 1;
	const child = spawn(process.execPath, [path.join(folder, 'lane.ts'), name, ...own], {
		env,
		stdio: ['ignore', isAlone ? 'inherit' : 'pipe', 'inherit'],
	});
	const ended = once(child, 'close');
	if (child.stdout) {
		for await (const line of createInterface(child.stdout)) console.log(`${name} | ${line}`);
	}
	const [exitCode]: unknown[] = await ended;
	const { passed, failed } = readTotals(lane);
	return { passed, failed: exitCode === 0 ? failed : Math.max(failed, 1) };
}

lanes.forEach(forgetTotals);
const began = Date.now();
let counts: Counts[];
const packed = temporaryFolder('package');
try {
	const env = {
		...process.env,
		...(values.n8n && { [LINES_VARIABLE]: lines.join(',') }),
		// Once for all lanes: they would write the same folder.
		WEB_DATA_TARBALL: process.env.WEB_DATA_TARBALL ?? (await packWebData(projectRoot(), packed)),
	};
	counts = await Promise.all(lanes.map(async (lane) => await runLane(lane, env)));
} finally {
	rmSync(packed, { recursive: true, force: true });
}

const passed = counts.reduce((sum, one) => sum + one.passed, 0);
const failed = counts.reduce((sum, one) => sum + one.failed, 0);
console.log(`${Math.round((Date.now() - began) / 1000)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
