import { defineConfig } from 'vitest/config';

/** Each operation with 500 random settings: `npm run test:nightly`. */
export const RANDOM_SETTINGS = ['test/unit/contractRequests.test.ts'];

/** A folder of tests with a name of its own: `npx vitest run --project engine`. */
export const project = (name, more) => ({
	extends: true,
	test: { name, include: [`test/${name}/**/*.test.ts`], ...more },
});

/** The tests in n8n's engine: they run on a virtual clock. */
export const engine = (more) =>
	project('engine', { setupFiles: ['test/helpers/virtualClock.ts', 'test/helpers/engineSetup.ts'], ...more });

export const options = {
	globals: true,
	pool: 'forks',
	// n8n-core is large: each of the two processes loads it once, not once for each file.
	isolate: false,
	maxWorkers: 2,
	testTimeout: 120_000,
	hookTimeout: 120_000,
	reporters: [
		['default', { summary: false }],
		['json', { outputFile: '.test-results/vitest.json' }],
	],
};

export default defineConfig({
	test: {
		...options,
		projects: [project('unit', { exclude: RANDOM_SETTINGS }), engine(), project('sandbox'), project('package')],
	},
});
