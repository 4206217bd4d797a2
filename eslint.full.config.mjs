import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

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
			'.stryker/',
			'.package/',
			'.reviewed/',
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
	{ files: ['package.json'], extends: [n8nCommunityNodesPlugin.configs.recommended], ...asJson },
	{ files: ['package.json'], ...asJson, ...n8nBase('community') },
	{ files: ['credentials/**/*.ts'], ...n8nBase('credentials') },
	{ files: ['nodes/**/*.ts'], ...n8nBase('nodes') },
);
