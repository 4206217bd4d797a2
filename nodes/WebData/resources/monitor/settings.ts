import type { INodeProperties } from 'n8n-workflow';
import { url } from '../../../fields/basic';
import { choiceField, jsonField, numberField, rowsField, switchField, textField } from '../../../fields/field';
import { webhookWith } from '../../../fields/job/wait';

export const goal: INodeProperties = textField(
	'goal',
	'Goal',
	'Which changes matter, in plain words, at most 2000 characters. Firecrawl then judges each changed page, for 1 more credit. Searches need a goal.',
	{ typeOptions: { maxLength: 2000 }, placeholder: 'e.g. Price changes and new products' },
);

const webhook: INodeProperties = {
	...webhookWith([
		{ name: 'Check Completed', value: 'monitor.check.completed' },
		{ name: 'Page', value: 'monitor.page', description: 'Each page, also unchanged ones' },
	]),
	description: 'Address that Firecrawl calls. It can be changed later, but not removed.',
};

/** Settings that Create and Update have in common. */
export const settings: INodeProperties[] = [
	switchField(
		'judgeEnabled',
		'Judge Changes',
		false,
		'Whether changes are judged against the goal. Without this option: on if a goal is set.',
	),
	numberField('retentionDays', 'Keep History (Days)', 30, 'How long checks are kept, 1 to 365 days', {
		min: 1,
		max: 365,
	}),
	jsonField(
		'notification',
		'Notification (JSON)',
		'',
		'Mail that Firecrawl sends after a check, as a JSON object with the names of its API',
		{
			placeholder: 'e.g. { "email": { "enabled": true, "recipients": ["ops@example.com"], "includeDiffs": true } }',
		},
	),
	webhook,
];

const shownFor = (...types: string[]) => ({ show: { type: types } });

/** Settings of the pages as the API has them; the panel has them as fields in Page · Scrape. */
const jsonOptions = (displayName: string, name: string, types: string[], placeholder: string): INodeProperties =>
	jsonField(name, displayName, '', 'Options by their names in Firecrawl’s API, as a JSON object', {
		placeholder,
		displayOptions: shownFor(...types),
	});

const domains = (displayName: string, name: string, description: string): INodeProperties =>
	textField(name, displayName, description, {
		typeOptions: { sentAs: 'list', maxItems: 50 },
		placeholder: 'e.g. example.com',
		displayOptions: shownFor('search'),
	});

const targetFields: INodeProperties[] = [
	choiceField(
		'type',
		'Watch',
		'scrape',
		'What is watched',
		[
			['Pages', 'scrape', 'These addresses'],
			['Search', 'search', 'New results of searches; needs a goal'],
			['Site', 'crawl', 'All pages below an address'],
		],
		{ required: true },
	),
	textField('urls', 'URLs', 'Addresses of the pages to watch, one per line', {
		typeOptions: { sentAs: 'urls', rows: 2 },
		required: true,
		placeholder: 'e.g. https://example.com/prices',
		displayOptions: shownFor('scrape'),
	}),
	{
		...url('Address of the site: it and the pages below it are watched', 'e.g. https://example.com/docs'),
		displayOptions: shownFor('crawl'),
	},
	textField(
		'queries',
		'Queries',
		'What to search for, one query per line, at most 12. A check costs 2 credits for each query and 10 results of it.',
		{
			typeOptions: { sentAs: 'lines', rows: 2, maxItems: 12 },
			required: true,
			placeholder: 'e.g. tide tables Oslo',
			displayOptions: shownFor('search'),
		},
	),
	choiceField(
		'searchWindow',
		'Search Window',
		'24h',
		'How new a result must be',
		[
			['1 Hour', '1h'],
			['15 Minutes', '15m'],
			['24 Hours', '24h'],
			['5 Minutes', '5m'],
			['6 Hours', '6h'],
			['7 Days', '7d'],
		],
		{ displayOptions: shownFor('search') },
	),
	numberField('maxResults', 'Max Results', 10, 'How many results at most over all queries, 1 to 50', {
		min: 1,
		max: 50,
		displayOptions: shownFor('search'),
	}),
	domains('Include Domains', 'includeDomains', 'Results of these domains only, separated by commas, at most 50'),
	domains('Exclude Domains', 'excludeDomains', 'Domains to leave out, separated by commas, at most 50'),
	jsonOptions('Crawl Options (JSON)', 'crawlOptions', ['crawl'], 'e.g. { "limit": 50 }'),
	jsonOptions('Scrape Options (JSON)', 'scrapeOptions', ['scrape', 'crawl'], 'e.g. { "formats": ["markdown"] }'),
	textField(
		'id',
		'Target ID',
		'ID of this target, from the output of Get. An update with it keeps the history of the target; without it, the history starts over.',
		{
			typeOptions: { sentAs: 'id' },
			placeholder: 'e.g. 910303bc-…',
			displayOptions: shownFor('scrape', 'crawl', 'search'),
		},
	),
];

/** The pages or the website that a monitor watches: a list of typed groups (shape monitorTarget). */
export function targetsField(isRequired: boolean): INodeProperties {
	return rowsField(
		'targets',
		'Targets',
		'Add target',
		isRequired
			? 'What to watch, at most 50'
			: 'What to watch from now on, at most 50. Replaces all targets; when empty, they stay as they are.',
		['target', 'Target', targetFields],
		{ required: isRequired, typeOptions: { multipleValues: true, maxItems: 50 }, send: 'targets' },
	);
}

const timeZone: INodeProperties = textField(
	'timezone',
	'Time Zone',
	'Time zone of the schedule by its IANA name, such as Europe/Oslo',
	{ default: 'UTC', typeOptions: { sentAs: 'timeZone' }, placeholder: 'e.g. Europe/Oslo', send: 'schedule.timezone' },
);

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

/** The schedule of a monitor: in words or as cron (shape monitorSchedule). Update may leave it as it is. */
export function scheduleFields(isNew: boolean): INodeProperties[] {
	return [
		isNew ? scheduleOfNew : scheduleOfKnown,
		textField(
			'scheduleText',
			'When',
			'Every N minutes (5, 6, 10, 12, 15, 20 or 30), every N hours (1, 2, 3, 4, 6, 8 or 12), hourly, daily at 9:00 or weekly',
			{
				default: 'daily at 9:00',
				typeOptions: { sentAs: 'scheduleText' },
				required: true,
				placeholder: 'e.g. every 30 minutes',
				displayOptions: { show: { scheduleBy: ['words'] } },
				send: 'schedule.text',
			},
		),
		textField(
			'cron',
			'Cron',
			'Five fields with numbers: minute, hour, day, month, weekday. At least 5 minutes between two runs; the month must be *.',
			{
				default: '0 9 * * *',
				typeOptions: { sentAs: 'cron' },
				required: true,
				placeholder: 'e.g. 0 9 * * 1-5',
				displayOptions: { show: { scheduleBy: ['cron'] } },
				send: 'schedule.cron',
			},
		),
		{ ...timeZone, displayOptions: { show: { scheduleBy: ['cron', 'words'] } } },
	];
}
