const { mkdirSync } = require('node:fs');

// `npm test` writes its counts here, and jest does not make the folder.
mkdirSync(`${__dirname}/.test-results`, { recursive: true });

const swc = (syntax) => [
	'@swc/jest',
	{ jsc: { parser: { syntax }, target: 'es2022' }, module: { type: 'commonjs' } },
];

// Libraries that come as ES modules only, or load a part of themselves so: jest runs CommonJS.
const ES_MODULES =
	'(character-entities|decode-named-character-reference|get-port|mdast-util-[a-z-]+|micromark[a-z-]*|p-timeout|p-wait-for|unist-util-[a-z-]+|unpdf)/';

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	// The data of `npm start` holds packages of its own.
	modulePathIgnorePatterns: [
		'<rootDir>/.n8n-data/',
		'<rootDir>/.package/',
		'<rootDir>/.reviewed/',
		'<rootDir>/.stryker/',
		'<rootDir>/n8n/versions/',
	],
	testMatch: ['<rootDir>/test/{unit,engine,sandbox,package}/**/*.test.ts'],
	transform: {
		'\\.ts$': swc('typescript'),
		[`/node_modules/${ES_MODULES}.+js$`]: swc('ecmascript'),
	},
	transformIgnorePatterns: [`/node_modules/(?!${ES_MODULES})`],
	moduleNameMapper: { '^unpdf/pdfjs$': '<rootDir>/node_modules/unpdf/dist/pdfjs.mjs' },
	// n8n-core is loaded once per worker and is large. The longest tests wait (two of them worked for 25 of
	// 365 seconds): five workers fit the two cores of CI.
	maxWorkers: 5,
	testTimeout: 30_000,
};
