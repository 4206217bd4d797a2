/** Each operation with 500 random settings: `npm run test:nightly`. */
export const RANDOM_SETTINGS = '<rootDir>/test/unit/contractRequests.test.ts';

/** `-u` writes golden files again (test/helpers/goldenFile.ts); the threads of the tests see no arguments. */
if (process.argv.some((word) => word === '-u' || word === '--updateSnapshot')) process.env.UPDATE_GOLDEN_FILES = '1';

const TYPESCRIPT = '<rootDir>/test/helpers/typescript.mjs';
const EVERY_FILE = '<rootDir>/test/helpers/everyFile.ts';

/** A folder of tests: `npx jest --selectProjects engine` runs one. */
export const project = (name, { setupFiles = [], ...more } = {}) => ({
	displayName: name,
	// n8n-core is large: each of the two threads loads it once, not once for each file. tsx reads TypeScript.
	// Not as child processes: in jest-light-runner 0.8.2, two that start in one moment may wait for ever.
	runner: 'jest-light-runner',
	roots: [`<rootDir>/test/${name}`],
	testMatch: ['**/*.test.ts'],
	setupFiles: [TYPESCRIPT, EVERY_FILE, ...setupFiles],
	...more,
});

/** The tests in n8n's engine: they run on a virtual clock. */
export const engine = (more) => project('engine', { setupFiles: ['<rootDir>/test/helpers/virtualClock.ts'], ...more });

export const options = {
	maxWorkers: 2,
	testSequencer: '<rootDir>/test/helpers/bySize.mjs',
	reporters: ['default', '<rootDir>/test/helpers/totals.mjs'],
};

export default {
	...options,
	projects: [
		project('unit', { testPathIgnorePatterns: [RANDOM_SETTINGS] }),
		engine(),
		project('sandbox'),
		project('package'),
	],
};
