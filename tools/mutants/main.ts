/**
 * `npm run mutants -- [--files GLOB]... [--sample N] [--seed N] [--workers N] [--at FILE:LINE]... [--json FILE]`: changes
 * the code in one place at a time and runs the tests that reach it, until one fails. Prints what no test has noticed.
 * `--files money` and `--files truth` name rooms (copy.ts). The map of tests and places is made once for each state of
 * the code, which takes two to four minutes.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { seededRandom } from '../../sandbox/runtime/runtime.ts';
import { isAmong, makeCopy, readCode } from './copy.ts';
import { testMap } from './map.ts';
import type { MappedTest } from './map.ts';
import type { Mutant } from './places.ts';
import { TestProcesses } from './processes.ts';

const { values } = parseArgs({
	options: {
		files: { type: 'string', multiple: true, default: [] },
		at: { type: 'string', multiple: true, default: [] },
		sample: { type: 'string', default: '60' },
		seed: { type: 'string', default: '1' },
		workers: { type: 'string', default: '2' },
		json: { type: 'string' },
	},
});
const root = path.join(import.meta.dirname, '../..');

/** What became of a mutant. `by`: the test that has failed. `notRun`: files of tests for which no time was left. */
interface Verdict {
	mutant: Mutant;
	is: 'caught' | 'survived' | 'unreached';
	by?: string;
	notRun: number;
	ms: number;
}

/** Longest time for one mutant, of all its tests together. */
const LIMIT_MS = 60_000;
/** What a test costs besides the time it runs. */
const TEST_MS = 20;
/** A test that takes so much longer than without the mutant does not end. */
const SLOWER = 10;
const SPARE_MS = 15_000;

function sampleOf(all: readonly Mutant[], size: number, seed: number): Mutant[] {
	const random = seededRandom(seed);
	const left = [...all];
	const taken: Mutant[] = [];
	while (taken.length < size && left.length > 0) {
		const [one] = left.splice(Math.floor(random() * left.length), 1);
		if (one) taken.push(one);
	}
	return taken;
}

/**
 * The tests that reach a mutant by file, the most promising first: those that take little time, and of what they reach,
 * most in the mutant's own file.
 */
function plan(mutant: Mutant, tests: readonly MappedTest[]): Array<[file: string, tests: MappedTest[]]> {
	const neighbours = code.mutants.filter(({ file }) => file === mutant.file);
	const reaching = tests
		.filter(({ hits }) => hits.has(mutant.id))
		.map((test) => {
			const share = neighbours.filter(({ id }) => test.hits.has(id)).length / test.hits.size;
			return { test, cost: (test.ms + TEST_MS) / share };
		});
	const byFile = new Map<string, MappedTest[]>();
	for (const { test } of reaching.sort((one, other) => one.cost - other.cost))
		byFile.set(test.file, [...(byFile.get(test.file) ?? []), test]);
	return [...byFile];
}

/** Runs its tests until one fails, that passes without it. */
async function judge(mutant: Mutant, tests: readonly MappedTest[], processes: TestProcesses): Promise<Verdict> {
	const began = Date.now();
	const files = plan(mutant, tests);
	const ended = (is: Verdict['is'], by?: string, notRun = 0): Verdict => ({
		mutant,
		is,
		...(by !== undefined && { by }),
		notRun,
		ms: Date.now() - began,
	});
	if (files.length === 0) return ended('unreached');
	for (const [place, [file, own]] of files.entries()) {
		if (Date.now() - began > LIMIT_MS) return ended('survived', undefined, files.length - place);
		// What is reached before or between the tests of a file is reached by all of them.
		const isOfFile = own.some(({ name }) => name === '(file)');
		const names = isOfFile ? undefined : own.map(({ name }) => name);
		const usual = own.reduce((sum, { ms }) => sum + ms, 0);
		const limit = usual * SLOWER + SPARE_MS;
		const asked = { file, tests: names, bails: true };
		const failedBy = async (id: number) => {
			const runs = await processes.run({ ...asked, mutant: id }, limit);
			if (runs === undefined) return 'does not end';
			return runs.find(({ error }) => error !== undefined)?.name;
		};
		let failed = await failedBy(mutant.id);
		if (failed === undefined) continue;
		if ((await failedBy(-1)) !== undefined) {
			// A mutant before this one has left something behind that modules keep: again, in a new process.
			processes.endOne(file);
			if ((await failedBy(-1)) !== undefined) continue;
			failed = await failedBy(mutant.id);
			if (failed === undefined) continue;
		}
		return ended('caught', `${file}: ${failed}`);
	}
	return ended('survived');
}

const code = readCode(root);
const among = code.mutants.filter(({ file }) => isAmong(file, values.files));
const workers = Number(values.workers);
const tests = await testMap(root, code, workers);
const sample =
	values.at.length > 0
		? code.mutants.filter(({ file, line }) => values.at.includes(`${file}:${line}`))
		: sampleOf(among, Number(values.sample), Number(values.seed));
const reached = new Set(tests.flatMap(({ hits }) => [...hits]));
console.log(`${among.length} places, ${among.filter(({ id }) => !reached.has(id)).length} of them reached by no test`);
const copy = makeCopy(root, code, sample, false);
const waiting = [...sample];
const verdicts: Verdict[] = [];
const began = Date.now();
await Promise.all(
	Array.from({ length: workers }, async () => {
		const processes = new TestProcesses(root, copy, code.mutants.length);
		for (let mutant = waiting.shift(); mutant; mutant = waiting.shift())
			verdicts.push(await judge(mutant, tests, processes));
		processes.end();
	}),
);

const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 160);
for (const { mutant, is, notRun } of verdicts.filter(({ is: verdict }) => verdict !== 'caught')) {
	const { file, line, kind, before, after } = mutant;
	const left = notRun > 0 ? ` (no time for ${notRun} files of tests)` : '';
	console.log(`\n${file}:${line} ${kind}, ${is}${left}\n  - ${short(before)}\n  + ${short(after)}`);
}
const rooms = new Map<string, Verdict[]>();
for (const one of verdicts) {
	const room = one.mutant.file.split('/').slice(0, 3).join('/');
	rooms.set(room, [...(rooms.get(room) ?? []), one]);
}
const score = (all: readonly Verdict[]) => `${all.filter(({ is }) => is === 'caught').length} of ${all.length} caught`;
console.log('');
for (const [room, all] of [...rooms].sort()) console.log(`${room}: ${score(all)}`);
console.log(`seed ${values.seed}: ${score(verdicts)}, ${Math.round((Date.now() - began) / 1000)} s`);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(verdicts, undefined, '\t'));
process.exit();
