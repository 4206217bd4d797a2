import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '.test-results';

/** A reporter of Jest: ends the output with `N passed, N failed`, and leaves both numbers for `.ci/run`. */
export default class Totals {
	constructor({ rootDir }) {
		this.rootDir = rootDir;
	}

	onRunComplete(
		_contexts,
		{ numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numFailedTestSuites, testResults },
	) {
		const counts = new Map();
		for (const { testFilePath, numPassingTests } of testResults) {
			const folder = /[\\/]test[\\/](\w+)/.exec(testFilePath)?.[1] ?? 'test';
			counts.set(folder, (counts.get(folder) ?? 0) + numPassingTests);
		}
		const totals = {
			passed: numPassedTests,
			failed: Math.max(numFailedTests + numRuntimeErrorTestSuites, numFailedTestSuites),
		};
		mkdirSync(join(this.rootDir, FOLDER), { recursive: true });
		writeFileSync(join(this.rootDir, FOLDER, 'jest.json'), JSON.stringify(totals));
		console.error([...counts].map(([folder, count]) => `${folder} ${count}`).join(', '));
		console.error(`${totals.passed} passed, ${totals.failed} failed`);
	}
}
