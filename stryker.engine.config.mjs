import unit from './stryker.config.mjs';

// What hands executions to n8n and takes them back is measured on n8n's engine, which runs what is built.
// The tests say what Free the Worker promises; the unit tests of its parts come along.
const tests = [
	'unit/suspensionParts',
	'unit/suspensionBlocker',
	'unit/checkAnswer',
	'unit/checkSchedule',
	'unit/checkTimes',
	'unit/ownChecks',
	'unit/unreadJobs',
	'unit/refusedCall',
	'engine/suspensionAnswers',
	'engine/suspensionHeld',
	'engine/suspensionRetry',
	'engine/suspension',
	'engine/suspensionCalls',
	'engine/suspensionChecks',
	'engine/suspensionStarts',
	'engine/suspensionTold',
];

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	...unit,
	mutate: ['nodes/WebData/run/suspension/**/*.ts'],
	buildCommand: 'npm run --silent build',
	jest: {
		config: {
			...unit.jest.config,
			testMatch: tests.map((name) => `<rootDir>/test/${name}.test.ts`),
			// What is not woken waits for ever.
			testTimeout: 30_000,
		},
		// The built code is not what jest finds by the imports.
		enableFindRelatedTests: false,
	},
	incrementalFile: '.stryker/engine/incremental.json',
	jsonReporter: { fileName: '.stryker/engine/mutation.json' },
};
