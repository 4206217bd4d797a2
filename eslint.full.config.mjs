import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const PASSED_IN = 'Ask the clock that is passed in (Time); processClock is the one of the process.';
const CLOCK = [
	{ object: 'Date', property: 'now', message: PASSED_IN },
	{ object: 'performance', property: 'now', message: PASSED_IN },
	{ object: 'Math', property: 'random', message: PASSED_IN },
];
const NOW = [
	'NewExpression[callee.name="Date"][arguments.length=0]',
	'ImportDeclaration[source.value="n8n-workflow"] > ImportSpecifier[imported.name="sleep"]',
].join(', ');

const DECIDED = 'nodes/run/paid/decide.ts decides about what may be paid for; nodes/run/errors says it.';
const DECIDING = [
	'MemberExpression[property.name="kind"][object.name=/^(?:finding|found|shown|looked)$/]',
	'MemberExpression[property.name="kind"][object.property.name="finding"]',
	'BinaryExpression > Literal[value="several"]',
	'BinaryExpression > Identifier[name="REPEATED_UP_TO_CREDITS"]',
].join(', ');

// The full recommended set of each n8n plugin, with no rule switched off. Warnings fail too: see the
// lint script.
const n8nBase = (set) => ({
	plugins: { 'n8n-nodes-base': n8nNodesBase },
	rules: n8nNodesBase.configs[set].rules,
});
const asJson = {
	languageOptions: {
		parser: tseslint.parser,
		parserOptions: { extraFileExtensions: ['.json'] },
	},
};

export default tseslint.config(
	{
		ignores: [
			'dist/',
			'coverage/',
			'.n8n-data/',
			'.demo/',
			'.package/',
			'.reviewed/',
			'.mutants/',
			'test/fixtures/',
			'eslint.config.mjs',
			'eslint.full.config.mjs',
		],
	},
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.strict, tseslint.configs.stylistic],
		rules: {
			'@typescript-eslint/array-type': ['error', { default: 'array-simple' }],
			'@typescript-eslint/consistent-type-imports': 'error',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
	},
	{
		// Time and chance are passed in, so that tests decide on them.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		ignores: ['nodes/run/connection/processClock.ts'],
		rules: {
			'no-restricted-properties': ['error', ...CLOCK],
			'no-restricted-syntax': ['error', { selector: NOW, message: PASSED_IN }],
		},
	},
	{
		files: ['nodes/run/**/*.ts', 'nodes/service/**/*.ts'],
		ignores: [
			'nodes/run/connection/processClock.ts',
			'nodes/run/paid/decide.ts',
			'nodes/run/errors/**',
			'nodes/service/startRecovery/**',
		],
		rules: {
			'no-restricted-syntax': [
				'error',
				{ selector: NOW, message: PASSED_IN },
				{ selector: DECIDING, message: DECIDED },
			],
		},
	},
	{
		// Pages and servers choose the text that these are used on: each must be linear, whatever the text is.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
		},
	},
	{ files: ['package.json'], extends: [n8nCommunityNodesPlugin.configs.recommended], ...asJson },
	{ files: ['package.json'], ...asJson, ...n8nBase('community') },
	{ files: ['credentials/**/*.ts'], ...n8nBase('credentials') },
	{ files: ['nodes/**/*.ts'], ...n8nBase('nodes') },
);
