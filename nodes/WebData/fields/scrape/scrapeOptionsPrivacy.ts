import type { INodeProperties } from 'n8n-workflow';

/** What is masked. */
export const redactPersonalData: INodeProperties = {
	displayName: 'Redact Personal Data',
	name: 'redactPII',
	type: 'collection',
	// The short form of the contract: all kinds of data, masked in the default way.
	typeOptions: { whenEmpty: true },
	placeholder: 'Add redaction option',
	default: {},
	description:
		'Mask personal data in the Markdown. Masks all kinds unless you choose some. Costs 4 more credits for each page.',
	options: [
		{
			displayName: 'Kinds of Data',
			name: 'entities',
			type: 'multiOptions',
			options: [
				{ name: 'Email', value: 'EMAIL' },
				{ name: 'Financial', value: 'FINANCIAL' },
				{ name: 'Location', value: 'LOCATION' },
				{ name: 'Person', value: 'PERSON' },
				{ name: 'Phone', value: 'PHONE' },
				{ name: 'Secret', value: 'SECRET' },
			],
			default: [],
			description: 'What to mask. With none chosen, all of them.',
			routing: { send: { type: 'body', property: 'entities' } },
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			options: [
				{ name: 'Accurate', value: 'accurate', description: 'Language model only' },
				{ name: 'Aggressive', value: 'aggressive', description: 'Language model and rules' },
				{ name: 'Fast', value: 'fast', description: 'Rules only' },
			],
			default: 'accurate',
			description: 'How personal data is found',
			routing: { send: { type: 'body', property: 'mode' } },
		},
		{
			displayName: 'Replace With',
			name: 'replaceStyle',
			type: 'options',
			options: [
				{ name: 'Asterisks', value: 'mask' },
				{ name: 'Nothing', value: 'remove' },
				{ name: 'Placeholder', value: 'tag', description: 'Names the kind of data' },
			],
			default: 'tag',
			description: 'What to put in its place',
			routing: { send: { type: 'body', property: 'replaceStyle' } },
		},
	],
	routing: { send: { type: 'body', property: 'redactPII' } },
};

/** What is kept by the service. */
export const zeroDataRetention: INodeProperties = {
	displayName: 'Zero Data Retention',
	name: 'zeroDataRetention',
	type: 'boolean',
	default: false,
	description:
		'Whether Firecrawl stores nothing of the pages. Must be enabled for your team. Costs 1 more credit for each page.',
	routing: { send: { type: 'body', property: 'zeroDataRetention' } },
};
