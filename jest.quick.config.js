const { existsSync } = require('node:fs');

const full = require('./jest.config.js');

// Simulated days of many executions, and each operation with 500 random settings: `npm test` runs them.
const LONG =
	'/test/unit/(changingPlan|contractRequests|fairTurns|makespan|makespanShared|sharedCalls|weeks)\\.';

// One of each kind: a call, a job, a suspended job, a session, a tool of an agent, both triggers.
const IN_THE_ENGINE = [
	'map',
	'crawlGet',
	'suspensionAnswers',
	'browser',
	'toolAgain',
	'trigger',
	'pollTrigger',
].map((name) => `/test/engine/${name}.test.ts`);

const missing = IN_THE_ENGINE.filter((file) => !existsSync(`${__dirname}${file}`));
if (missing.length > 0) throw new Error(`Named here, but not there: ${missing.join(', ')}`);

/**
 * What `npm run test:quick` runs: a part of the tests, with few examples of most properties.
 *
 * @type {import('jest').Config}
 */
module.exports = {
	...full,
	testMatch: [
		'<rootDir>/test/unit/**/*.test.ts',
		...IN_THE_ENGINE.map((file) => `<rootDir>${file}`),
		'<rootDir>/test/package/citations.test.ts',
	],
	testPathIgnorePatterns: ['/node_modules/', LONG],
	setupFiles: ['<rootDir>/test/fewExamples.ts'],
	maxWorkers: 2,
};
