/**
 * `npm run test:e2e`: all end-to-end tests in one process, one after the other, so that those which
 * leave n8n as it is share one. `npm run test:e2e -- editor stop` runs the files with these words,
 * `npm run test:e2e -- --n8n 2.40` everything on that line of n8n (`--n8n` may be given again).
 * The last lines are the totals; they are also in `.test-results/e2e.json`.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../n8n/project.ts';
import { everyLine, LINES_VARIABLE } from './harness/lines.ts';

const ending = '.e2e.ts';
const folder = import.meta.dirname;
const { values, positionals: words } = parseArgs({
	allowPositionals: true,
	options: { n8n: { type: 'string', multiple: true } },
});
if (values.n8n) process.env[LINES_VARIABLE] = everyLine(values.n8n.join(',')).join(',');
const files = readdirSync(folder)
	.filter((name) => name.endsWith(ending))
	.filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
	.sort()
	.map((name) => path.join(folder, name));

const totals = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
const began = Date.now();
const tests = run({ files, isolation: 'none', concurrency: false });

/** Suites are not counted: when one breaks before its tests, each of them is reported as failed. */
function countEnd(type: string | undefined, hasPassed: boolean): void {
	if (type === 'suite') return;
	if (hasPassed) totals.numPassedTests += 1;
	else totals.numFailedTests += 1;
}

tests.on('test:pass', ({ details, skip, todo }) => {
	// A skipped test shows nothing: it counts as failed.
	countEnd(details.type, skip === undefined && todo === undefined);
});
tests.on('test:fail', ({ details }) => countEnd(details.type, false));

const reporter = new spec();
await Promise.all([
	pipeline(tests, reporter),
	(async () => {
		for await (const text of reporter) process.stdout.write(String(text));
	})(),
]);

if (files.length === 0 || totals.numPassedTests === 0) totals.numRuntimeErrorTestSuites = 1;
const results = path.join(projectRoot(), '.test-results');
mkdirSync(results, { recursive: true });
writeFileSync(path.join(results, 'e2e.json'), JSON.stringify(totals));
const failed = totals.numFailedTests + totals.numRuntimeErrorTestSuites;
console.log(`${Math.round((Date.now() - began) / 1000)} s`);
console.log(`${totals.numPassedTests} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
