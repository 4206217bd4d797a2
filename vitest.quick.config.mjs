import { defineConfig } from 'vitest/config';

import { engine, options, project, RANDOM_SETTINGS } from './vitest.config.mjs';

/** One of each kind: a call, a job, a suspended job, a session, a tool of an agent, a trigger. */
const IN_THE_ENGINE = ['map', 'crawlGet', 'suspensionRetry', 'browser', 'toolCalls', 'pollTrigger'].map(
	(name) => `test/engine/${name}.test.ts`,
);

/** Those with large amounts. */
const AMOUNTS = [
	'answer',
	'linePatterns',
	'markdownCut',
	'pollMarks',
	'storedStream',
	'research/invariants',
	'research/made/made',
	'text/pageMark',
	'baseUrl',
].map((name) => `test/unit/${name}.test.ts`);

/** What `npm run test:quick` runs: a part of the tests, with few examples of most properties. */
export default defineConfig({
	test: {
		...options,
		projects: [
			project('unit', {
				exclude: [...RANDOM_SETTINGS, ...AMOUNTS],
				setupFiles: ['test/fewExamples.ts'],
			}),
			engine({ include: IN_THE_ENGINE }),
			project('package', { include: ['test/package/citations.test.ts'] }),
		],
	},
});
