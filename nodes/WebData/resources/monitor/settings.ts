import type { INodeProperties } from 'n8n-workflow';

export const goal: INodeProperties = {
	displayName: 'Goal',
	name: 'goal',
	type: 'string',
	typeOptions: { rows: 2, maxLength: 2000 },
	default: '',
	placeholder: 'e.g. Price changes and new products',
	description:
		'What counts as a change worth telling, at most 2000 characters. With a goal each changed page is judged, for 1 more credit. Searches need one.',
	routing: { send: { type: 'body', property: 'goal' } },
};

const webhook: INodeProperties = {
	displayName: 'Webhook',
	name: 'webhook',
	type: 'fixedCollection',
	default: {},
	placeholder: 'Set webhook',
	description:
		'An address of yours that the service calls. It cannot be removed again, only changed.',
	options: [
		{
			displayName: 'Webhook',
			name: 'target',
			values: [
				{
					displayName: 'URL',
					name: 'url',
					type: 'string',
					typeOptions: { sentAs: 'url' },
					default: '',
					required: true,
					placeholder: 'e.g. https://example.com/hook',
					description: 'Address to call',
					routing: { send: { type: 'body', property: 'url' } },
				},
				{
					displayName: 'Events',
					name: 'events',
					type: 'multiOptions',
					options: [
						{ name: 'Check Completed', value: 'monitor.check.completed' },
						{ name: 'Page', value: 'monitor.page', description: 'Each page, also unchanged ones' },
					],
					default: ['monitor.check.completed', 'monitor.page'],
					description: 'What to report. Default: both.',
					routing: { send: { type: 'body', property: 'events' } },
				},
				{
					displayName: 'Headers',
					name: 'headers',
					type: 'json',
					typeOptions: { sentAs: 'stringMap' },
					default: '',
					placeholder: 'e.g. { "X-Secret": "…" }',
					description: 'Headers of each call, as a JSON object of texts',
					routing: { send: { type: 'body', property: 'headers' } },
				},
				{
					displayName: 'Metadata',
					name: 'metadata',
					type: 'json',
					typeOptions: { sentAs: 'stringMap' },
					default: '',
					placeholder: 'e.g. { "project": "blue" }',
					description: 'Texts to repeat in each call, as a JSON object',
					routing: { send: { type: 'body', property: 'metadata' } },
				},
			],
		},
	],
	routing: { send: { type: 'body', property: 'webhook' } },
};

/** What Create and Update may add. */
export const settings: INodeProperties[] = [
	{
		displayName: 'Judge Changes',
		name: 'judgeEnabled',
		type: 'boolean',
		default: false,
		description:
			'Whether changes are judged against the goal. On by itself when a goal is set; add it to switch it off.',
		routing: { send: { type: 'body', property: 'judgeEnabled' } },
	},
	{
		displayName: 'Keep History (Days)',
		name: 'retentionDays',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 365, numberPrecision: 0 },
		default: 30,
		description: 'How long checks are kept, 1 to 365 days. Default: 30.',
		routing: { send: { type: 'body', property: 'retentionDays' } },
	},
	{
		displayName: 'Notification (JSON)',
		name: 'notification',
		type: 'json',
		default: '',
		placeholder:
			'e.g. { "email": { "enabled": true, "recipients": ["ops@example.com"], "includeDiffs": true } }',
		description: 'Mail of the service after a check, as its API has it',
		routing: { send: { type: 'body', property: 'notification' } },
	},
	webhook,
];
