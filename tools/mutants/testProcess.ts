/**
 * Runs files of tests of one Jest project, one after the other, in a process that keeps n8n loaded. The parent says
 * which tests, and which mutant is on. Started in the copy (copy.ts).
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { addEventHandler } from 'jest-circus';

/** What the parent asks. `tests`: full names; none means all of the file. */
export interface Asked {
	file: string;
	tests: string[] | undefined;
	/** -1: none. */
	mutant: number;
	/** Whether to end with the first test that fails. */
	bails: boolean;
}

/** What a test has done. `hits`: numbers of the places that it has reached, where the code has marks. */
export interface TestRun {
	name: string;
	ms: number;
	error: string | undefined;
	hits: number[];
}

interface Mutants {
	on: number;
	hits: Uint8Array;
}

interface Runner {
	default(file: string): Promise<unknown>;
	setWorkerData(data: object): void;
}

type Block = Parameters<Parameters<typeof addEventHandler>[0]>[1]['rootDescribeBlock'];

const [, , root = '', configs = '', places = ''] = process.argv;
const mutants: Mutants = { on: -1, hits: new Uint8Array(Number(places)) };
Object.assign(globalThis, { __mutants: mutants });

let asked: Asked | undefined;
let runs: TestRun[] = [];
let hasFailed = false;

/** The places that were reached since the last call. */
function takeHits(): number[] {
	const found: number[] = [];
	for (let at = mutants.hits.indexOf(1); at !== -1; at = mutants.hits.indexOf(1, at + 1)) found.push(at);
	mutants.hits.fill(0);
	return found;
}

/** Gives all tests of the block their measure, and leaves out those that are not asked for. */
function measureAll(block: Block, above: string[]): void {
	for (const child of block.children) {
		const names = [...above, child.name];
		if (child.type === 'describeBlock') {
			measureAll(child, names);
			continue;
		}
		const name = names.join(' > ');
		if (asked?.tests && !asked.tests.includes(name)) child.mode = 'skip';
		if (child.mode === 'skip') continue;
		const run = child.fn as () => unknown;
		child.fn = async () => {
			if (hasFailed && asked?.bails) return;
			const began = process.hrtime.bigint();
			let error: string | undefined;
			try {
				await run();
			} catch (thrown) {
				error = String(thrown instanceof Error ? thrown.message : thrown).slice(0, 300);
				hasFailed = true;
				throw thrown;
			} finally {
				runs.push({ name, ms: Number(process.hrtime.bigint() - began) / 1e6, error, hits: takeHits() });
			}
		};
	}
}

const known = new WeakSet<Block>();
const { default: runFile, setWorkerData } = (await import(
	pathToFileURL(path.join(root, 'node_modules/jest-light-runner/src/worker-runner.js')).href
)) as Runner;
const { globalConfig, projectConfig } = JSON.parse(configs) as { globalConfig: object; projectConfig: object };
setWorkerData({ globalConfig, projectConfig, runtime: 'main_thread' });

addEventHandler((_event, { rootDescribeBlock: file }) => {
	if (known.has(file)) return;
	known.add(file);
	// Its hook runs behind that of everyFile.ts, so that it measures a test with its time limit.
	const fn = async () => {
		measureAll(file, []);
		return await Promise.resolve();
	};
	const hook = { type: 'beforeAll' as const, fn, parent: file, seenDone: false, timeout: undefined };
	file.hooks.push({ ...hook, asyncError: new Error('beforeAll') });
});

process.on('message', (message) => {
	asked = message as Asked;
	mutants.on = asked.mutant;
	mutants.hits.fill(0);
	[runs, hasFailed] = [[], false];
	void runFile(path.resolve(asked.file)).then(
		(result) => {
			const { numFailingTests = 0, failureMessage = '' } = result as {
				numFailingTests?: number;
				failureMessage?: string;
			};
			mutants.on = -1;
			// A hook that fails is no test, and fails all the same.
			const rest = { name: '(file)', ms: 0, hits: takeHits() };
			const isOther = numFailingTests > 0 && !runs.some(({ error }) => error !== undefined);
			process.send?.([...runs, { ...rest, error: isOther ? failureMessage.slice(0, 300) : undefined }]);
		},
		(error: unknown) => {
			mutants.on = -1;
			process.send?.([...runs, { name: '(file)', ms: 0, hits: takeHits(), error: String(error).slice(0, 300) }]);
		},
	);
});
process.send?.('ready');
