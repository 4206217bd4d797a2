import { updateDisplayOptions } from 'n8n-workflow';
import type { INodeProperties } from 'n8n-workflow';
import { choiceField, choicesField, groupField, noticeField, textField } from '../../fields/field';
import { storeAsFiles } from '../../fields/job/pages';
import { websiteChangedPanel } from './websiteChanged';

const event: INodeProperties = choiceField(
	'event',
	'Event',
	'websiteChanged',
	'What starts the workflow',
	[
		['Website Changed', 'websiteChanged', 'A page, website or search has changed since the last check'],
		['Job Event', 'jobEvent', 'A crawl, batch scrape, extract or agent starts, makes progress or ends'],
	],
	{ noDataExpression: true, send: false },
);

/** The panel's properties; the build turns them into JSON, as those of Web Data. */
export function readProperties(): INodeProperties[] {
	return [
		event,
		...updateDisplayOptions({ show: { event: ['websiteChanged'] } }, websiteChangedPanel),
		...updateDisplayOptions({ show: { event: ['jobEvent'] } }, jobEventFields),
	];
}

/** The fields of Job Event. */
const jobEventFields: INodeProperties[] = [
	noticeField('jobNotice', 'Copy the production URL above into the job’s Webhook option.'),
	choicesField(
		'events',
		'Events',
		['completed', 'failed', 'cancelled'],
		'Which events start the workflow. Others are ignored. Firecrawl sends no event for a cancelled crawl or batch scrape.',
		[
			['Action', 'action', 'An agent has taken a step'],
			['Cancelled', 'cancelled', 'An agent was cancelled'],
			['Completed', 'completed', 'The job has completed'],
			['Failed', 'failed', 'The job has failed'],
			['Page', 'page', 'A page has been scraped'],
			['Started', 'started', 'The job has been started'],
		],
		{ send: false },
	),
	choiceField(
		'jobOutput',
		'Output',
		'pages',
		'What the workflow starts with. The result is read from Firecrawl when the job has completed, or has failed and may have a part of its result; other events are passed on unchanged.',
		[
			['Event', 'event', 'The event as Firecrawl sent it'],
			['Job’s Result, One Item per Job', 'job', 'All pages of a crawl or batch in one list'],
			['Job’s Result, One Item per Page', 'pages', 'As Get returns it: each page of a crawl or batch as an item'],
		],
		{ send: false },
	),
	groupField('jobOptions', 'Options', 'Add option', '', [
		textField(
			'headerSecret',
			'Secret Header Value',
			'A text of your own: set the header x-web-data-secret to it in the Webhook option of the job. Other calls are refused. Not used if the credential has a Webhook Secret.',
			{ typeOptions: { password: true }, send: false },
		),
		{
			...storeAsFiles,
			description:
				'What to return as binary files instead of JSON fields. The job must have been started with these formats.',
			displayOptions: { show: { '/jobOutput': ['pages'] } },
		},
	]),
];
