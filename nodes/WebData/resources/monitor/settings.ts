import type { INodeProperties } from 'n8n-workflow';
import { url } from '../../fields/basic';
import { webhookWith } from '../../fields/job/wait';

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

const shownFor = (...types: string[]) => ({ show: { type: types } });

/** Settings of the pages as the API has them; the panel has them as fields in Page · Scrape. */
const jsonOptions = (
	displayName: string,
	name: string,
	types: string[],
	placeholder: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'json',
	default: '',
	placeholder,
	description: 'Options by their names in Firecrawl’s API, as a JSON object',
	displayOptions: shownFor(...types),
	routing: { send: { type: 'body', property: name } },
});

const domains = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	typeOptions: { sentAs: 'list', maxItems: 50 },
	default: '',
	placeholder: 'e.g. example.com',
	description,
	displayOptions: shownFor('search'),
	routing: { send: { type: 'body', property: name } },
});

const targetFields: INodeProperties[] = [
	{
		displayName: 'Watch',
		name: 'type',
		type: 'options',
		options: [
			{ name: 'Pages', value: 'scrape', description: 'These addresses' },
			{ name: 'Search', value: 'search', description: 'New results of searches; needs a goal' },
			{ name: 'Site', value: 'crawl', description: 'All pages below an address' },
		],
		default: 'scrape',
		required: true,
		description: 'What is watched',
		routing: { send: { type: 'body', property: 'type' } },
	},
	{
		displayName: 'URLs',
		name: 'urls',
		type: 'string',
		typeOptions: { sentAs: 'urls', rows: 2 },
		default: '',
		required: true,
		placeholder: 'e.g. https://example.com/prices',
		description: 'Addresses of the pages to watch, one per line',
		displayOptions: shownFor('scrape'),
		routing: { send: { type: 'body', property: 'urls' } },
	},
	{
		...url(
			'Address of the site: it and the pages below it are watched',
			'e.g. https://example.com/docs',
		),
		displayOptions: shownFor('crawl'),
	},
	{
		displayName: 'Queries',
		name: 'queries',
		type: 'string',
		typeOptions: { sentAs: 'lines', rows: 2, maxItems: 12 },
		default: '',
		required: true,
		placeholder: 'e.g. tide tables Oslo',
		description: 'What to search for, one query per line, at most 12',
		displayOptions: shownFor('search'),
		routing: { send: { type: 'body', property: 'queries' } },
	},
	{
		displayName: 'Search Window',
		name: 'searchWindow',
		type: 'options',
		options: [
			{ name: '1 Hour', value: '1h' },
			{ name: '15 Minutes', value: '15m' },
			{ name: '24 Hours', value: '24h' },
			{ name: '5 Minutes', value: '5m' },
			{ name: '6 Hours', value: '6h' },
			{ name: '7 Days', value: '7d' },
		],
		default: '24h',
		description: 'How new a result must be',
		displayOptions: shownFor('search'),
		routing: { send: { type: 'body', property: 'searchWindow' } },
	},
	{
		displayName: 'Max Results',
		name: 'maxResults',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
		default: 10,
		description: 'How many results at most over all queries, 1 to 50',
		displayOptions: shownFor('search'),
		routing: { send: { type: 'body', property: 'maxResults' } },
	},
	domains(
		'Include Domains',
		'includeDomains',
		'Results of these domains only, separated by commas, at most 50',
	),
	domains(
		'Exclude Domains',
		'excludeDomains',
		'Domains to leave out, separated by commas, at most 50',
	),
	jsonOptions('Crawl Options (JSON)', 'crawlOptions', ['crawl'], 'e.g. { "limit": 50 }'),
	jsonOptions(
		'Scrape Options (JSON)',
		'scrapeOptions',
		['scrape', 'crawl'],
		'e.g. { "formats": ["markdown"] }',
	),
	{
		displayName: 'Target ID',
		name: 'id',
		type: 'string',
		typeOptions: { sentAs: 'id' },
		default: '',
		placeholder: 'e.g. 910303bc-…',
		description:
			'ID of this target, from the output of Get. An update with it keeps the history of the target; without it, the history starts over.',
		displayOptions: shownFor('scrape', 'crawl', 'search'),
		routing: { send: { type: 'body', property: 'id' } },
	},
];

/** What a monitor watches: a list of typed groups (shape monitorTarget). */
export function targetsField(isRequired: boolean): INodeProperties {
	return {
		displayName: 'Targets',
		name: 'targets',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, maxItems: 50 },
		placeholder: 'Add target',
		default: {},
		required: isRequired,
		description: isRequired
			? 'What to watch, at most 50'
			: 'What to watch from now on, at most 50. Replaces all targets; when empty, they stay as they are.',
		options: [{ displayName: 'Target', name: 'target', values: targetFields }],
		routing: { send: { type: 'body', property: 'targets' } },
	};
}

const timeZone: INodeProperties = {
	displayName: 'Time Zone',
	name: 'timezone',
	type: 'string',
	typeOptions: { sentAs: 'timeZone' },
	default: 'UTC',
	placeholder: 'e.g. Europe/Oslo',
	description: 'Time zone of the schedule by its IANA name, such as Europe/Oslo',
	routing: { send: { type: 'body', property: 'schedule.timezone' } },
};

const CRON = { name: 'Cron', value: 'cron', description: 'Five fields with numbers' };
const WORDS = { name: 'Words', value: 'words', description: 'Such as daily at 9:00' };

const scheduleOfNew: INodeProperties = {
	displayName: 'Schedule',
	name: 'scheduleBy',
	type: 'options',
	options: [CRON, WORDS],
	default: 'words',
	description: 'How to set when it runs',
};

const scheduleOfKnown: INodeProperties = {
	displayName: 'Schedule',
	name: 'scheduleBy',
	type: 'options',
	options: [CRON, { name: 'Keep', value: 'keep', description: 'As it is' }, WORDS],
	default: 'keep',
	description: 'How to set when it runs from now on',
};

/** When a monitor runs: in words or as cron (shape monitorSchedule). Update may leave it as it is. */
export function scheduleFields(isNew: boolean): INodeProperties[] {
	return [
		isNew ? scheduleOfNew : scheduleOfKnown,
		{
			displayName: 'When',
			name: 'scheduleText',
			type: 'string',
			typeOptions: { sentAs: 'scheduleText' },
			default: 'daily at 9:00',
			required: true,
			placeholder: 'e.g. every 30 minutes',
			description:
				'Every N minutes (5, 6, 10, 12, 15, 20 or 30), every N hours (1, 2, 3, 4, 6, 8 or 12), hourly, daily at 9:00 or weekly',
			displayOptions: { show: { scheduleBy: ['words'] } },
			routing: { send: { type: 'body', property: 'schedule.text' } },
		},
		{
			displayName: 'Cron',
			name: 'cron',
			type: 'string',
			typeOptions: { sentAs: 'cron' },
			default: '0 9 * * *',
			required: true,
			placeholder: 'e.g. 0 9 * * 1-5',
			description:
				'Five fields with numbers: minute, hour, day, month, weekday. At least 5 minutes and at most 62 days between two runs.',
			displayOptions: { show: { scheduleBy: ['cron'] } },
			routing: { send: { type: 'body', property: 'schedule.cron' } },
		},
		{ ...timeZone, displayOptions: { show: { scheduleBy: ['cron', 'words'] } } },
	];
}
