import { execFileSync, fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import type { Asked, TestRun } from './testProcess.ts';

/** The Jest projects whose tests run code of the nodes. */
export const PROJECTS = ['unit', 'engine'] as const;

/** The Jest project of a file of tests. */
export function projectOf(file: string): string {
	return file.split('/')[1] ?? '';
}

/** One process for each Jest project, kept as long as it does what it is asked. */
export class TestProcesses {
	private readonly running = new Map<string, ChildProcess>();

	private readonly root: string;

	private readonly copy: string;

	private readonly places: number;

	private readonly configs: Map<string, string>;

	/** `places`: how many the code has, so that a process can mark each that it reaches. */
	constructor(root: string, copy: string, places: number) {
		[this.root, this.copy, this.places] = [root, copy, places];
		const shown = execFileSync(process.execPath, [path.join(root, 'node_modules/jest/bin/jest.js'), '--showConfig'], {
			cwd: copy,
			encoding: 'utf8',
			maxBuffer: 100_000_000,
		});
		const { configs, globalConfig } = JSON.parse(shown) as {
			configs: Array<{ displayName: { name: string } }>;
			globalConfig: object;
		};
		this.configs = new Map(
			configs.map((projectConfig) => [
				projectConfig.displayName.name,
				JSON.stringify({ globalConfig: { ...globalConfig, testNamePattern: null }, projectConfig }),
			]),
		);
	}

	/** Runs tests of a file. Undefined where they are not done in time: the process is ended, and the next is a new one. */
	async run(asked: Asked, limitMs: number): Promise<TestRun[] | undefined> {
		const child = await this.childFor(projectOf(asked.file));
		const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
		const done = once(child, 'message').then(([runs]) => runs as TestRun[]);
		const gone = once(child, 'exit').then(() => undefined);
		child.send(asked);
		try {
			const runs = await Promise.race([done, gone]);
			if (runs === undefined) this.running.delete(projectOf(asked.file));
			return runs;
		} finally {
			clearTimeout(timer);
		}
	}

	private async childFor(project: string): Promise<ChildProcess> {
		const known = this.running.get(project);
		if (known) return known;
		const file = path.join(this.root, 'tools/mutants/testProcess.ts');
		const env = { ...process.env, FORCE_COLOR: '0' };
		const child = fork(file, [this.root, this.configs.get(project) ?? '', String(this.places)], {
			cwd: this.copy,
			env,
			stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
		});
		child.setMaxListeners(0);
		this.running.set(project, child);
		await once(child, 'message');
		return child;
	}

	/** Ends the one that runs this file: the next is a new one. */
	endOne(file: string): void {
		this.running.get(projectOf(file))?.kill('SIGKILL');
		this.running.delete(projectOf(file));
	}

	/** Ends them all. */
	end(): void {
		for (const child of this.running.values()) child.kill('SIGKILL');
		this.running.clear();
	}
}
