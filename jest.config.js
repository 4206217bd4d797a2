const { mkdirSync } = require('node:fs');

// `npm test` writes its counts here, and jest does not make the folder.
mkdirSync(`${__dirname}/.test-results`, { recursive: true });

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	// The data of `npm start` holds packages of its own.
	modulePathIgnorePatterns: ['<rootDir>/.n8n-data/', '<rootDir>/n8n/versions/'],
	testMatch: ['<rootDir>/test/{unit,engine,sandbox,package}/**/*.test.ts'],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
	// n8n-core is loaded once per worker and is large: two workers fit the two cores of CI.
	maxWorkers: 2,
	testTimeout: 30_000,
};
