import type { INodeProperties } from 'n8n-workflow';

import { storeAsFiles } from '../../WebData/fields/job/files';

/** The fields of Job Event. */
export const jobEventFields: INodeProperties[] = [
	{
		displayName:
			'Copy the production URL above into the Webhook option of a crawl, batch scrape, extract or agent that another workflow starts. With "Job’s Result", its completed event is enough.',
		name: 'jobNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		options: [
			{ name: 'Action', value: 'action', description: 'An agent has done something' },
			{ name: 'Cancelled', value: 'cancelled', description: 'An agent was cancelled' },
			{ name: 'Completed', value: 'completed', description: 'The job has ended well' },
			{ name: 'Failed', value: 'failed', description: 'The job has failed' },
			{ name: 'Page', value: 'page', description: 'A page has been scraped' },
			{ name: 'Started', value: 'started', description: 'The job has been started' },
		],
		default: ['completed', 'failed', 'cancelled'],
		description:
			'Which events start the workflow; others are answered and left. A cancelled crawl or batch sends none.',
	},
	{
		displayName: 'Output',
		name: 'jobOutput',
		type: 'options',
		options: [
			{ name: 'Event', value: 'event', description: 'What the service told, as it came' },
			{
				name: 'Job’s Result, One Item per Job',
				value: 'job',
				description: 'All pages of a crawl or batch in one list',
			},
			{
				name: 'Job’s Result, One Item per Page',
				value: 'pages',
				description: 'As Get puts it out: each page of a crawl or batch as an item',
			},
		],
		default: 'pages',
		description:
			'What the workflow starts with. A result is read from the service when the job has completed; other events come as they are.',
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
					'Calls whose header x-web-data-secret is not this text are refused: give the start the same header beside the URL. With a Webhook Secret in the credential only the signature counts.',
			},
			{
				...storeAsFiles,
				description:
					'What of each page of a result to store as binary data instead of in the JSON, which keeps links only. The start must have asked for these formats.',
				displayOptions: { show: { '/jobOutput': ['pages'] } },
			},
		],
	},
];
