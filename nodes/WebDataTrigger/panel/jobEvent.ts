import type { INodeProperties } from 'n8n-workflow';

import { storeAsFiles } from '../../WebData/fields/job/pages';

/** The fields of Job Event. */
export const jobEventFields: INodeProperties[] = [
	{
		displayName:
			'Copy the production URL above into the Webhook option of the node that starts the crawl, batch scrape, extract or agent. If Output is a Job’s Result, the event Completed is enough there.',
		name: 'jobNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		options: [
			{ name: 'Action', value: 'action', description: 'An agent has taken a step' },
			{ name: 'Cancelled', value: 'cancelled', description: 'An agent was cancelled' },
			{ name: 'Completed', value: 'completed', description: 'The job has completed' },
			{ name: 'Failed', value: 'failed', description: 'The job has failed' },
			{ name: 'Page', value: 'page', description: 'A page has been scraped' },
			{ name: 'Started', value: 'started', description: 'The job has been started' },
		],
		default: ['completed', 'failed', 'cancelled'],
		description:
			'Which events start the workflow. Others are ignored. Firecrawl sends no event for a cancelled crawl or batch scrape.',
	},
	{
		displayName: 'Output',
		name: 'jobOutput',
		type: 'options',
		options: [
			{ name: 'Event', value: 'event', description: 'The event as Firecrawl sent it' },
			{
				name: 'Job’s Result, One Item per Job',
				value: 'job',
				description: 'All pages of a crawl or batch in one list',
			},
			{
				name: 'Job’s Result, One Item per Page',
				value: 'pages',
				description: 'As Get returns it: each page of a crawl or batch as an item',
			},
		],
		default: 'pages',
		description:
			'What the workflow starts with. The result is read from Firecrawl when the job has completed; other events are passed on unchanged.',
	},
	{
		displayName: 'Options',
		name: 'jobOptions',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Secret Header Value',
				name: 'headerSecret',
				type: 'string',
				typeOptions: { password: true },
				default: '',
				description:
					'A text of your own: set the header x-web-data-secret to it in the Webhook option of the job. Other calls are refused. Not used if the credential has a Webhook Secret.',
			},
			{
				...storeAsFiles,
				description:
					'What to return as binary files instead of JSON fields. The job must have been started with these formats.',
				displayOptions: { show: { '/jobOutput': ['pages'] } },
			},
		],
	},
];
