import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { mutate } from './mutants.ts';
import type { Mutant } from './mutants.ts';
import { relatedTests, TestRunner } from './mutantTests.ts';

const HELP = `Mutation check: changes nodes/service in a hundred small ways and counts what the unit tests notice.

  node test/chaos/mutate.ts [options]

  --only NAMES    files, separated by commas (default: all that decide about retries and waiting)
  --share NUMBER  tries only this share of the mutants, evenly spread (default 1)
  --json FILE     writes every mutant and its end
  --slow NUMBER   leaves out test files that take longer than so many seconds (default 8)

Works on a copy; exit code 1 when fewer than 90% are killed. Survivors need a reason in survivors.md.
`;

const ROOT = join(import.meta.dirname, '../..');
const FILES = 'retry,pause,wait,work,watch,start,starts,ledger,schedule,pages';
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

interface End extends Mutant {
	end: 'killed' | 'killed by time' | 'survived';
	by?: string | undefined;
}

const { values: options } = parseArgs({
	options: {
		only: { type: 'string', default: FILES },
		share: { type: 'string', default: '1' },
		json: { type: 'string' },
		slow: { type: 'string', default: '8' },
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
		if (!report?.passed) process.stdout.write(`left out, since it fails by itself: ${test}\n`);
		else seconds.set(test, report.seconds[test] ?? 0);
	}
	const slowest = Number(options.slow);
	const costOf = (test: string, file: string) =>
		(seconds.get(test) ?? 0) - (test.includes(`/${file.replace('.ts', '')}`) ? 1000 : 0);
	return files.map((file) => {
		const tests = (related.get(file) ?? [])
			.filter((test) => (seconds.get(test) ?? Infinity) <= slowest)
			.sort((left, right) => costOf(left, file) - costOf(right, file))
			.map((path) => ({ path, seconds: seconds.get(path) ?? 0 }));
		return { file, tests };
	});
}

interface TimedTest {
	path: string;
	seconds: number;
}

/** Runs one test file after the other until one fails or does not end. */
async function tryMutant(mutant: Mutant, tests: TimedTest[], runner: TestRunner): Promise<End> {
	for (const { path, seconds } of tests) {
		const report = await runner.run(mutant.id, [path], 10_000 + 4000 * seconds);
		if (!report) return { ...mutant, end: 'killed by time', by: basename(path) };
		if (!report.passed) return { ...mutant, end: 'killed', by: report.failed };
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

function line(name: string, ends: readonly End[]): string {
	const killed = ends.filter(({ end }) => end !== 'survived').length;
	const rate = ((100 * killed) / Math.max(1, ends.length)).toFixed(1);
	return `${name.padEnd(14)} ${killed} of ${ends.length} killed (${rate}%)`;
}

async function main(): Promise<void> {
	if (options.help) return void process.stdout.write(HELP);
	const folder = await copyOfRepository();
	const runner = new TestRunner(folder);
	try {
		const ends = await tryMutants(folder, runner);
		process.stdout.write(`\n${line('all', ends)}\n`);
		const reasons = await readFile(join(import.meta.dirname, 'survivors.md'), 'utf8').catch(
			() => '',
		);
		const survivors = ends.filter(({ end }) => end === 'survived');
		const unexplained = survivors.filter(({ change }) => !reasons.includes(change));
		process.stdout.write(`${unexplained.length} survivors without a reason in survivors.md\n`);
		if (options.json !== undefined) {
			await writeFile(options.json, `${JSON.stringify(ends, undefined, 2)}\n`);
		}
		if (survivors.length > ends.length * (1 - LEAST_KILLED)) process.exitCode = 1;
	} finally {
		runner.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

await main();
