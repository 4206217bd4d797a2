import { execFile, fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import type { TestOrder, TestReport } from './mutantWorker.ts';

/** A worker is replaced after so many runs: jest keeps some memory of each. */
const RUNS_PER_WORKER = 40;

/** Runs unit tests in a process of its own, which is ended when a mutant makes them loop for ever. */
export class TestRunner {
	private worker: ChildProcess | undefined;

	private runs = 0;

	private readonly folder: string;

	constructor(folder: string) {
		this.folder = folder;
	}

	/** The report, or why there is none. */
	async run(
		mutant: number,
		tests: string[],
		timeoutMs: number,
	): Promise<TestReport | 'out of time' | 'crashed'> {
		if (this.runs >= RUNS_PER_WORKER) this.stop();
		this.worker ??= fork(join(import.meta.dirname, 'mutantWorker.ts'), { cwd: this.folder });
		this.runs += 1;
		const { worker } = this;
		const report = await new Promise<TestReport | 'out of time' | 'crashed'>((resolve) => {
			const timer = setTimeout(() => end('out of time'), timeoutMs);
			const end = (value: TestReport | 'out of time' | 'crashed') => {
				clearTimeout(timer);
				worker.removeAllListeners();
				resolve(value);
			};
			worker.once('message', (message) => end(message as TestReport));
			worker.once('exit', () => end('crashed'));
			worker.send({ mutant, folder: this.folder, tests } satisfies TestOrder);
		});
		if (typeof report === 'string') this.stop();
		return report;
	}

	stop(): void {
		this.worker?.removeAllListeners();
		this.worker?.kill('SIGKILL');
		this.worker = undefined;
		this.runs = 0;
	}
}

/** The unit tests that load a file, directly or not. */
export async function relatedTests(folder: string, file: string): Promise<string[]> {
	const jest = join(folder, 'node_modules/jest/bin/jest.js');
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[jest, '--listTests', '--findRelatedTests', file],
		{ cwd: folder },
	);
	return stdout
		.split('\n')
		.filter((line) => line.includes(`${sep}test${sep}unit${sep}`))
		.sort();
}
