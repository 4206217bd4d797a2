// `npm run mutation`: small changes to the client of the service, one at a time; the unit tests must notice.
// test/chaos/survivors.md is the table, with a reason for each change that nobody needs to notice.

// Tests of the panel, of texts and of tools, and the benches among the tests: they come through the service
// by its types, or take too long for what they add.
const notOfTheService =
	'/(checkValue|contract\\w*|fileDownload|folderLock|hint|kills|makespan\\w*|mutationTable|outcomeText|pagesMatch|panel|readFields|record|report|researchOutput|validationError|whatHappens)\\.test\\.ts$';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: ['nodes/service/**/*.ts'],
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner', './test/chaos/mutation/textsForPeople.mjs'],
	ignorers: ['texts-for-people'],
	jest: {
		config: {
			testMatch: ['<rootDir>/test/unit/**/*.test.ts'],
			testPathIgnorePatterns: [notOfTheService],
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
	// Tests in virtual time loop for ever with many a mutant; a busy machine is no reason to call it so.
	timeoutMS: 10_000,
	timeoutFactor: 3,
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
