import type { INodeProperties } from 'n8n-workflow';

/** Most entries of each list (shape `threatProtection`). */
const MAX_ENTRIES = 1000;

/** Overrides the organization's URL safety policy. Also an option of Map and Search. */
export const threatProtection: INodeProperties = {
	displayName: 'Threat Protection',
	name: 'threatProtection',
	type: 'collection',
	placeholder: 'Add threat protection option',
	default: {},
	description: 'Rules that replace those of your organization for this request. Enterprise only.',
	options: [
		{
			displayName: 'Allow Domains',
			name: 'whitelist',
			type: 'string',
			typeOptions: { sentAs: 'list', maxItems: MAX_ENTRIES },
			default: '',
			placeholder: 'e.g. example.com, *.example.org',
			description: `Domains or patterns to allow, even if another rule blocks them, separated by commas. At most ${MAX_ENTRIES}.`,
			routing: { send: { type: 'body', property: 'whitelist' } },
		},
		{
			displayName: 'Block Domains',
			name: 'blacklist',
			type: 'string',
			typeOptions: { sentAs: 'list', maxItems: MAX_ENTRIES },
			default: '',
			placeholder: 'e.g. example.net',
			description: `Domains or patterns to block always, separated by commas. At most ${MAX_ENTRIES}.`,
			routing: { send: { type: 'body', property: 'blacklist' } },
		},
		{
			displayName: 'Block TLDs',
			name: 'blockedTlds',
			type: 'string',
			typeOptions: { sentAs: 'list', maxItems: MAX_ENTRIES },
			default: '',
			placeholder: 'e.g. zip, mov',
			description: `Top-level domains to block, in lower case, without the dot, separated by commas. At most ${MAX_ENTRIES}.`,
			routing: { send: { type: 'body', property: 'blockedTlds' } },
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			options: [
				{ name: 'Manual Only', value: 'manual-only', description: 'Only your own lists count' },
				{
					name: 'Normal',
					value: 'normal',
					description: 'Scan each URL. Costs 2 more credits for each.',
				},
				{ name: 'Off', value: 'off', description: 'No scan' },
				{ name: 'Zscaler', value: 'zscaler', description: 'Ask Zscaler' },
			],
			default: 'normal',
			description: 'How URLs are scanned',
			routing: { send: { type: 'body', property: 'mode' } },
		},
		{
			displayName: 'On Scan Failure',
			name: 'failurePolicy',
			type: 'options',
			options: [
				{ name: 'Allow', value: 'open', description: 'Let URLs through' },
				{ name: 'Block', value: 'closed', description: 'Block URLs' },
			],
			default: 'closed',
			description: 'What to do with URLs while they cannot be scanned',
			routing: { send: { type: 'body', property: 'failurePolicy' } },
		},
		{
			displayName: 'Risk Threshold',
			name: 'riskScoreThreshold',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 100, numberPrecision: 0 },
			default: 75,
			description: 'Risk score from which a URL is blocked, 0 to 100; lower is stricter',
			routing: { send: { type: 'body', property: 'riskScoreThreshold' } },
		},
	],
	routing: { send: { type: 'body', property: 'threatProtection' } },
};
