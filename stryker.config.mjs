import { existsSync } from 'node:fs';

import { TESTS_OF_ROOMS } from './test/chaos/mutation/testsOfRooms.ts';

// `npm run mutation`: small changes to the client of the service, one at a time; the unit tests must notice.
// test/chaos/survivors.md is the table, with a reason for each change that nobody needs to notice.

// Of the tests, which run thousands of times: see test/unit/runs.ts.
process.env.FEW_RUNS = 'yes';

const tests = [...new Set(Object.values(TESTS_OF_ROOMS).flat())]
	.map((name) => `test/unit/${name}.test.ts`)
	.filter((path) => existsSync(path));

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: ['nodes/service/**/*.ts'],
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner', './test/chaos/mutation/textsForPeople.mjs'],
	ignorers: ['texts-for-people'],
	jest: {
		config: {
			testMatch: tests.map((path) => `<rootDir>/${path}`),
			setupFiles: ['<rootDir>/test/chaos/mutation/noShrinking.ts'],
			testTimeout: 600_000,
			// Stryker itself loads it, and does not know <rootDir>.
			testEnvironment: `${import.meta.dirname}/test/chaos/mutation/firstFailure.ts`,
			runner: '<rootDir>/test/chaos/mutation/coveringRunner.ts',
		},
	},
	coverageAnalysis: 'perTest',
	// What was measured stays measured until the code or its tests change.
	incremental: true,
	incrementalFile: '.stryker/incremental.json',
	tempDirName: '.stryker/tmp',
	jsonReporter: { fileName: '.stryker/mutation.json' },
	reporters: ['progress', 'clear-text', 'json'],
	clearTextReporter: { allowColor: false, reportTests: false },
	concurrency: 2,
	dryRunTimeoutMinutes: 20,
	// What goes in a circle is ended by count in most tests (virtualTime.ts). This is for the rest, and long
	// against what a mutant needs: the time of all tests that reach it, of which a few are run.
	timeoutMS: 5000,
	timeoutFactor: 1.2,
	allowEmpty: true,
	ignorePatterns: [
		'n8n',
		'demo',
		'dist',
		'.n8n-data',
		'.demo',
		'.test-results',
		'.stryker',
		'*.tgz',
	],
	thresholds: { high: 95, low: 90, break: null },
};
