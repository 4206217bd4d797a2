import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { mutate } from './mutants.ts';
import type { Mutant } from './mutants.ts';
import { relatedTests, TestRunner } from './mutantTests.ts';
import { isSame, readReasons, rowOf } from './survivors.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = 'retry,pause,wait,ledger,pages,next,schedule';
const HELP = `Mutation check: changes nodes/service in a hundred small ways and counts what the unit tests notice.

  node test/chaos/mutate.ts [options]

  --only NAMES    files, separated by commas (default: ${FILES})
  --share NUMBER  tries only this share of the mutants, evenly spread (default 1)
  --json FILE     writes every mutant and its end
  --slow NUMBER   leaves out test files that take longer than so many seconds, but none that has
                  the name of the file under test (default 15)

Works on a copy. Exit code 1 when fewer than 90% are killed in one of the files, or when a survivor has no
reason in survivors.md.
`;

const COPIED = [
	'nodes',
	'credentials',
	'sandbox',
	'engine',
	'test',
	'package.json',
	'jest.config.js',
];
const LEAST_KILLED = 0.9;

/** A test file may take so long with a mutant, and on a machine that is busy: endless is what takes longer. */
const LONGEST_MS = 15_000;
const TIMES_AS_LONG = 5;

interface End extends Mutant {
	end: 'killed' | 'out of time' | 'crashed' | 'survived';
	by?: string | undefined;
}

const { values: options } = parseArgs({
	options: {
		only: { type: 'string', default: FILES },
		share: { type: 'string', default: '1' },
		json: { type: 'string' },
		slow: { type: 'string', default: '15' },
		help: { type: 'boolean', short: 'h', default: false },
	},
});

async function copyOfRepository(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'mutate-'));
	for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true });
	await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
	return folder;
}

/** The tests of each file, the fastest first, and those of its own name before all others. */
async function testsOf(folder: string, files: string[], runner: TestRunner) {
	const related = new Map<string, string[]>();
	for (const file of files) {
		related.set(file, await relatedTests(folder, join(folder, 'nodes/service', file)));
	}
	const seconds = new Map<string, number>();
	for (const test of new Set([...related.values()].flat())) {
		const report = await runner.run(-1, [test], 300_000);
		if (typeof report !== 'string' && report.passed) seconds.set(test, report.seconds[test] ?? 0);
		else process.stdout.write(`left out, since it fails by itself: ${basename(test)}\n`);
	}
	const slowest = Number(options.slow);
	const isOwn = (test: string, file: string) => basename(test).startsWith(file.replace('.ts', ''));
	const costOf = (test: string, file: string) =>
		(seconds.get(test) ?? Infinity) - (isOwn(test, file) ? 1000 : 0);
	return files.map((file) => {
		const tests = (related.get(file) ?? [])
			.filter((test) => costOf(test, file) <= slowest)
			.sort((left, right) => costOf(left, file) - costOf(right, file))
			.map((path) => ({ path, seconds: seconds.get(path) ?? 0 }));
		return { file, tests };
	});
}

interface TimedTest {
	path: string;
	seconds: number;
}

/**
 * Runs one test file after the other until one fails or does not end. That one goes first from then on:
 * what kills one mutant of a file is likely to kill the next.
 */
async function tryMutant(mutant: Mutant, tests: TimedTest[], runner: TestRunner): Promise<End> {
	for (const [place, test] of tests.entries()) {
		const { path, seconds } = test;
		const report = await runner.run(mutant.id, [path], LONGEST_MS + TIMES_AS_LONG * 1000 * seconds);
		if (typeof report !== 'string' && report.passed) continue;
		tests.splice(place, 1);
		tests.unshift(test);
		if (typeof report === 'string') return { ...mutant, end: report, by: basename(path) };
		return { ...mutant, end: 'killed', by: report.failed };
	}
	return { ...mutant, end: 'survived' };
}

async function tryMutants(folder: string, runner: TestRunner): Promise<End[]> {
	const files = options.only.split(',').map((name) => `${name}.ts`);
	const withTests = await testsOf(folder, files, runner);
	const every = 1 / Number(options.share);
	const ends: End[] = [];
	let firstId = 0;
	for (const { file, tests } of withTests) {
		const path = join(folder, 'nodes/service', file);
		const source = await readFile(path, 'utf8');
		const { text, mutants } = mutate(file, source, firstId);
		firstId += mutants.length;
		await writeFile(path, text);
		const chosen = mutants.filter((_one, index) => Math.floor(index % every) === 0);
		const own: End[] = [];
		const beganMs = performance.now();
		for (const mutant of chosen) {
			const end = await tryMutant(mutant, tests, runner);
			own.push(end);
			if (end.end === 'survived') {
				process.stdout.write(`  survived: ${file}:${mutant.line} ${mutant.change}\n`);
			}
		}
		await writeFile(path, source);
		runner.stop();
		const took = Math.round((performance.now() - beganMs) / 1000);
		process.stdout.write(`${line(file, own)}, ${tests.length} test files, ${took} s\n`);
		ends.push(...own);
	}
	return ends;
}

function killedShare(ends: readonly End[]): number {
	return ends.filter(({ end }) => end !== 'survived').length / Math.max(1, ends.length);
}

function line(name: string, ends: readonly End[]): string {
	const share = killedShare(ends);
	const killed = Math.round(share * ends.length);
	const endless = ends.filter(({ end }) => end === 'out of time').length;
	const percent = (100 * share).toFixed(1);
	return `${name.padEnd(14)} ${killed} of ${ends.length} killed (${percent}%), ${endless} of them by time`;
}

/** Says which survivors lack a reason and which reasons are not needed any more. Returns whether all is well. */
async function checkReasons(ends: readonly End[]): Promise<boolean> {
	const text = await readFile(join(import.meta.dirname, 'survivors.md'), 'utf8');
	const reasons = readReasons(text);
	const unexplained = ends.filter(
		(one) => one.end === 'survived' && !reasons.some((reason) => isSame(reason, one)),
	);
	for (const one of unexplained) process.stdout.write(`no reason: ${one.file} ${rowOf(one)}\n`);
	const killed = ends.filter(
		(one) => one.end !== 'survived' && reasons.some((reason) => isSame(reason, one)),
	);
	for (const one of killed) process.stdout.write(`killed by now: ${one.file} ${rowOf(one)}\n`);
	process.stdout.write(`${unexplained.length} survivors without a reason in survivors.md\n`);
	return unexplained.length === 0;
}

async function main(): Promise<void> {
	if (options.help) return void process.stdout.write(HELP);
	const folder = await copyOfRepository();
	const runner = new TestRunner(folder);
	try {
		const ends = await tryMutants(folder, runner);
		process.stdout.write(`\n${line('all', ends)}\n`);
		if (options.json !== undefined) {
			await writeFile(options.json, `${JSON.stringify(ends, undefined, 2)}\n`);
		}
		const files = [...new Set(ends.map(({ file }) => file))];
		const isKilled = files.every(
			(file) => killedShare(ends.filter((end) => end.file === file)) >= LEAST_KILLED,
		);
		if (!(await checkReasons(ends)) || !isKilled) process.exitCode = 1;
	} finally {
		runner.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

await main();
