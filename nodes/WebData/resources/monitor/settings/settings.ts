import type { INodeProperties } from 'n8n-workflow';

import { webhookWith } from '../../../fields/job/webhook';

export const goal: INodeProperties = {
	displayName: 'Goal',
	name: 'goal',
	type: 'string',
	typeOptions: { maxLength: 2000 },
	default: '',
	placeholder: 'e.g. Price changes and new products',
	description:
		'Which changes matter, in plain words, at most 2000 characters. Firecrawl then judges each changed page, for 1 more credit. Searches need a goal.',
	routing: { send: { type: 'body', property: 'goal' } },
};

const webhook: INodeProperties = {
	...webhookWith([
		{ name: 'Check Completed', value: 'monitor.check.completed' },
		{ name: 'Page', value: 'monitor.page', description: 'Each page, also unchanged ones' },
	]),
	description: 'Address that Firecrawl calls. It can be changed later, but not removed.',
};

/** What Create and Update may add. */
export const settings: INodeProperties[] = [
	{
		displayName: 'Judge Changes',
		name: 'judgeEnabled',
		type: 'boolean',
		default: false,
		description:
			'Whether changes are judged against the goal. Without this option: on if a goal is set.',
		routing: { send: { type: 'body', property: 'judgeEnabled' } },
	},
	{
		displayName: 'Keep History (Days)',
		name: 'retentionDays',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 365, numberPrecision: 0 },
		default: 30,
		description: 'How long checks are kept, 1 to 365 days',
		routing: { send: { type: 'body', property: 'retentionDays' } },
	},
	{
		displayName: 'Notification (JSON)',
		name: 'notification',
		type: 'json',
		default: '',
		placeholder:
			'e.g. { "email": { "enabled": true, "recipients": ["ops@example.com"], "includeDiffs": true } }',
		description:
			'Mail that Firecrawl sends after a check, as a JSON object with the names of its API',
		routing: { send: { type: 'body', property: 'notification' } },
	},
	webhook,
];
