import { existsSync } from 'node:fs';

import { engine, options, project, RANDOM_SETTINGS } from './jest.config.mjs';

function filesOf(folder, names) {
	return names.map((name) => {
		const file = `test/${folder}/${name}.test.ts`;
		if (!existsSync(new URL(file, import.meta.url))) throw new Error(`There is no ${file}.`);
		return `<rootDir>/${file}`;
	});
}

/** One of each kind in n8n's engine: a call, a job, a suspended job, a session, a tool of an agent, a trigger. */
const IN_THE_ENGINE = ['search', 'crawl', 'suspensionRetry', 'browser', 'toolCalls', 'pollTrigger'];

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
];

/** What `npm run test:quick` runs: a part of the tests, with few examples of most properties. */
export default {
	...options,
	projects: [
		project('unit', {
			testPathIgnorePatterns: [RANDOM_SETTINGS, ...filesOf('unit', AMOUNTS)],
			setupFiles: ['<rootDir>/test/helpers/fewExamples.ts'],
		}),
		engine({ testMatch: filesOf('engine', IN_THE_ENGINE) }),
		project('package', { testMatch: filesOf('package', ['citations']) }),
	],
};
