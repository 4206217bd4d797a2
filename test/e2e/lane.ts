/**
 * Runs end-to-end tests in one process, one file after the other, so that those which leave n8n as it is
 * share one. For `main.ts`, which names the lane and its files. Ends with its totals, which are also in
 * `.test-results/e2e-NAME.json`.
 */
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { writeTotals } from './harness/lanes.ts';

const [name = '', ...files] = process.argv.slice(2);
const totals = { passed: 0, failed: 0 };
const began = Date.now();
const tests = run({ files, isolation: 'none', concurrency: false });

/** Suites are not counted: when one breaks before its tests, each of them is reported as failed. */
function countEnd(type: string | undefined, hasPassed: boolean): void {
	if (type === 'suite') return;
	if (hasPassed) totals.passed += 1;
	else totals.failed += 1;
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

// A lane that broke before its tests has none that failed.
if (totals.passed === 0) totals.failed += 1;
writeTotals(name, totals);
console.log(`${name}: ${Math.round((Date.now() - began) / 1000)} s`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;
