import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import TestRunner from 'jest-runner';
import { roomOf, TESTS_OF_ROOMS } from './testsOfRooms.ts';

/** What the first run, without a mutant, found out about a test file. */
interface Seen {
	ms: number;
	names: string[];
}

type Arguments = Parameters<TestRunner['runTests']>;

/**
 * Runs the test files of the mutant's room one by one, the quickest first, up to the first that fails.
 * Stryker names the tests that reach a mutant, but lets jest load every file that imports the mutated one,
 * and run them all.
 */
export default class CoveringRunner extends TestRunner {
	private readonly namePattern: string | undefined;

	/** Names of its tests; not asked for in the first run, which has no mutant. */
	private readonly inRoom: readonly string[] | undefined;

	/** One file for all of Stryker's processes, which share their folder. */
	private readonly seenFile: string;

	constructor(...[globalConfig, context]: ConstructorParameters<typeof TestRunner>) {
		super(globalConfig, context);
		this.namePattern = globalConfig.testNamePattern;
		const [mutated = ''] = globalConfig.nonFlagArgs;
		this.inRoom = TESTS_OF_ROOMS[roomOf(mutated) ?? ''];
		this.seenFile = join(globalConfig.rootDir, '.tests-seen.json');
	}

	override async runTests(...[tests, watcher, options]: Arguments): Promise<void> {
		const seen = this.seen();
		const wanted = new RegExp(this.namePattern ?? '', 'i');
		const isWanted = (path: string) => seen[path]?.names.some((name) => wanted.test(name)) ?? true;
		const msOf = (path: string) => seen[path]?.ms ?? 0;
		const isFirstRun = Object.keys(seen).length === 0;
		let hasFailed = false;
		this.on('test-file-success', ([{ path }, { testResults, perfStats }]) => {
			const names = testResults.map(({ fullName }) => fullName);
			if (isFirstRun) seen[path] = { ms: perfStats.end - perfStats.start, names };
			hasFailed ||= testResults.some(({ status }) => status === 'failed');
		});
		this.on('test-file-failure', () => {
			hasFailed = true;
		});
		const isOfRoom = (path: string) =>
			isFirstRun || this.inRoom?.includes(basename(path, '.test.ts')) !== false;
		const chosen = tests
			.filter(({ path }) => isWanted(path) && isOfRoom(path))
			.sort((left, right) => msOf(left.path) - msOf(right.path));
		for (const test of chosen) {
			await super.runTests([test], watcher, options);
			if (hasFailed && !isFirstRun) return;
		}
		if (isFirstRun) writeFileSync(this.seenFile, JSON.stringify(seen));
	}

	private seen(): Record<string, Seen> {
		if (!existsSync(this.seenFile)) return {};
		return JSON.parse(readFileSync(this.seenFile, 'utf8')) as Record<string, Seen>;
	}
}
