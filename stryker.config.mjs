import { readdirSync, readFileSync } from 'node:fs';

// `npm run mutation`: small changes to the client of the service, one at a time; the unit tests must notice.
// test/chaos/survivors.md is the table, with a reason for each change that nobody needs to notice.

const FOLDER = 'test/unit';

/** Whether a file of the unit tests imports the service, itself or by its helpers. */
function reachesService(name) {
	const source = readFileSync(`${FOLDER}/${name}.ts`, 'utf8');
	if (/from '[./]+\/nodes\/service\//.test(source)) return true;
	return [...source.matchAll(/from '\.\/(\w+)(?:\.ts)?'/g)].some(([, helper]) =>
		reachesService(helper),
	);
}

/**
 * Tests of the panel know the service by its types only and are left out, and the benches among the tests
 * take too long for what they add.
 */
const testsOfTheService = readdirSync(FOLDER).filter(
	(name) =>
		name.endsWith('.test.ts') &&
		!/^(makespan|fairTurns|sharedCalls)/.test(name) &&
		reachesService(name.replace(/\.ts$/, '')),
);

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: ['nodes/service/**/*.ts'],
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner', './test/chaos/mutation/textsForPeople.mjs'],
	ignorers: ['texts-for-people'],
	jest: {
		config: {
			testMatch: testsOfTheService.map((name) => `<rootDir>/${FOLDER}/${name}`),
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
