import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { makeCopy } from './copy.ts';
import type { Code } from './copy.ts';
import { PROJECTS, TestProcesses } from './processes.ts';

/** A test, and the places that it reaches. */
export interface MappedTest {
	file: string;
	name: string;
	ms: number;
	hits: Set<number>;
}

interface StoredTest extends Omit<MappedTest, 'hits'> {
	hits: number[];
}

/** No file of tests takes so long. */
const FILE_LIMIT_MS = 900_000;

/** Which tests reach which places: measured once for each state of the code and the tests, then read. */
export async function testMap(root: string, code: Code, workers: number): Promise<MappedTest[]> {
	const file = path.join(root, 'node_modules/.cache/mutants', `map-${code.digest}.json.gz`);
	if (!existsSync(file)) {
		const stored = await measured(root, code, workers);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, gzipSync(JSON.stringify(stored)));
	}
	const stored = JSON.parse(gunzipSync(readFileSync(file)).toString()) as StoredTest[];
	return stored.map((test) => ({ ...test, hits: new Set(test.hits) }));
}

async function measured(root: string, code: Code, workers: number): Promise<StoredTest[]> {
	const began = Date.now();
	const copy = makeCopy(root, code, code.mutants, true);
	const files = PROJECTS.flatMap((project) => globSync(`test/${project}/**/*.test.ts`, { cwd: copy })).sort();
	const tests: StoredTest[] = [];
	const work = async (): Promise<void> => {
		const processes = new TestProcesses(root, copy, code.mutants.length);
		for (let file = files.pop(); file !== undefined; file = files.pop()) {
			const runs = await processes.run({ file, tests: undefined, mutant: -1, bails: false }, FILE_LIMIT_MS);
			for (const run of runs ?? []) {
				if (run.error === undefined) tests.push({ file, name: run.name, ms: run.ms, hits: run.hits });
				else console.log(`fails without any mutant, and is left out: ${file}: ${run.name}: ${run.error}`);
			}
		}
		processes.end();
	};
	await Promise.all(Array.from({ length: workers }, work));
	console.log(`the map: ${tests.length} tests in ${Math.round((Date.now() - began) / 1000)} s`);
	return tests;
}
