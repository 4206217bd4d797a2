import { join } from 'node:path';
import { runCLI } from 'jest';

/** What a worker is asked: these tests, with this mutant in force (-1: none). */
export interface TestOrder {
	mutant: number;
	folder: string;
	tests: string[];
}

/** What it answers. `seconds` by test file; a test that never came to run is not in it. */
export interface TestReport {
	passed: boolean;
	/** The first test that failed. */
	failed: string | undefined;
	seconds: Record<string, number>;
}

async function runTests({ mutant, folder, tests }: TestOrder): Promise<TestReport> {
	// jest copies the environment for each test file it runs.
	process.env.MUTANT = String(mutant);
	const { results } = await runCLI(
		{
			_: tests,
			$0: 'mutate',
			runTestsByPath: true,
			runInBand: true,
			silent: true,
			reporters: [],
			// Without `bail`: it would end this process at the first failure, before the answer.
			rootDir: folder,
			watchman: false,
			env: join(import.meta.dirname, 'firstFailure.ts'),
			// The parent measures the time of the whole file: a busy machine must not kill a mutant.
			testTimeout: 600_000,
		},
		[folder],
	);
	const failed = results.testResults
		.flatMap(({ testResults }) => testResults)
		.find(({ status }) => status === 'failed');
	return {
		passed: results.success,
		failed:
			failed?.fullName ?? results.testResults.find((file) => file.testExecError)?.testFilePath,
		seconds: Object.fromEntries(
			results.testResults.map(({ testFilePath, perfStats }) => [
				testFilePath,
				(perfStats.end - perfStats.start) / 1000,
			]),
		),
	};
}

// Whoever asked is gone, perhaps in the middle of the check.
process.on('disconnect', () => process.exit());

process.on('message', (order: TestOrder) => {
	runTests(order).then(
		(report) => process.send?.(report),
		// Without an answer the parent waits until its time is up.
		(error: unknown) => {
			process.stderr.write(`${String(error)}\n`);
			process.exit(1);
		},
	);
});
