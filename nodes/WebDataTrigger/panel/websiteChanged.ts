import type { INodeProperties } from 'n8n-workflow';

const notice: INodeProperties = {
	displayName:
		'Each check costs 1 credit per page. The first check records the starting point and starts nothing. Firecrawl must be able to reach this n8n (WEBHOOK_URL); if it cannot, use the Web Data Poll Trigger.',
	name: 'monitorNotice',
	type: 'notice',
	default: '',
};

const urls: INodeProperties = {
	displayName: 'URLs',
	name: 'urls',
	type: 'string',
	typeOptions: { sentAs: 'urls', rows: 3 },
	default: '',
	placeholder: 'e.g. https://example.com/prices',
	description:
		'Pages to watch, one per line. To watch whole websites or search results, add Websites or Searches below.',
};

/** The choices of Schedule that need no cron expression, by value. The service takes numbers only. */
export const CRON_OF: Readonly<Record<string, string>> = {
	hour: '0 * * * *',
	sixHours: '0 */6 * * *',
	day: '0 9 * * *',
	week: '0 9 * * 1',
};

// In the order of length, not by name.
const EVERY = [
	{ name: 'Every Hour', value: 'hour' },
	{ name: 'Every 6 Hours', value: 'sixHours' },
	{ name: 'Every Day', value: 'day', description: 'At 9:00' },
	{ name: 'Every Week', value: 'week', description: 'On Monday at 9:00' },
	{ name: 'Custom (Cron)', value: 'cron', description: 'A cron expression of your own' },
];

const schedule: INodeProperties = {
	displayName: 'Schedule',
	name: 'schedule',
	type: 'options',
	options: EVERY,
	default: 'day',
	description: 'How often Firecrawl checks the pages, in the time zone of this workflow',
};

const cron: INodeProperties = {
	displayName: 'Cron Expression',
	name: 'cron',
	type: 'string',
	typeOptions: { sentAs: 'cron', isNeeded: true },
	default: '0 9 * * 1-5',
	placeholder: 'e.g. 0 9 * * 1-5',
	description:
		'Five fields with numbers: minute, hour, day, month, weekday. At least 5 minutes and at most 62 days between two checks.',
	displayOptions: { show: { schedule: ['cron'] } },
};

/** Which pages of a check count. */
const changes: INodeProperties = {
	displayName: 'Start On',
	name: 'changes',
	type: 'multiOptions',
	options: [
		{ name: 'Changed', value: 'changed', description: 'The content of the page has changed' },
		{ name: 'Failed', value: 'error', description: 'The page could not be read' },
		{ name: 'New', value: 'new', description: 'The page or search result was not there before' },
		{ name: 'Removed', value: 'removed', description: 'The page is gone or no longer watched' },
	],
	default: ['changed', 'new', 'removed'],
	description: 'What counts as a change and starts the workflow',
};

/** What the workflow gets. */
const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'One Execution per Page',
			value: 'atOnce',
			description: 'Each changed page by itself, as soon as it is checked',
		},
		{
			name: 'One Item per Check',
			value: 'check',
			description: 'A summary after each check, with the list of changed pages',
		},
		{
			name: 'One Item per Page',
			value: 'pages',
			description: 'All changed pages after each check, with their differences, in one execution',
		},
	],
	default: 'pages',
	description: 'What the workflow starts with',
};

/** A monitor that is there already. */
const existingMonitor: INodeProperties = {
	displayName: 'Existing Monitor',
	name: 'monitorId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a monitor…',
			typeOptions: { searchListMethod: 'searchMonitors', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 01a1ffaa-742a-707a-9bc7-4a76f671b387',
		},
	],
	description:
		'A monitor of your account to use instead of the URLs and the schedule above. It keeps its history. Its webhook points to this workflow while it is active. On deactivation the previous webhook is restored; if there was none, this address remains.',
};

/** Other things to watch than pages. */
const otherTargets: INodeProperties[] = [
	{
		displayName: 'Websites',
		name: 'sites',
		type: 'string',
		typeOptions: { sentAs: 'urls', rows: 2, maxItems: 50 },
		default: '',
		placeholder: 'e.g. https://example.com/docs',
		description: 'Addresses whose pages below are all watched, one per line, at most 50',
	},
	{
		displayName: 'Searches',
		name: 'searches',
		type: 'string',
		typeOptions: { sentAs: 'lines', rows: 2, maxItems: 12 },
		default: '',
		placeholder: 'e.g. tide tables Oslo',
		description: 'Web searches to watch for new results, one per line, at most 12. Needs a Goal.',
	},
	existingMonitor,
];

// In the order in which people need them.
const MORE: INodeProperties[] = [
	{
		displayName: 'Goal',
		name: 'goal',
		type: 'string',
		typeOptions: { maxLength: 2000 },
		default: '',
		placeholder: 'e.g. Price changes and new products',
		description:
			'Which changes matter, in plain words, at most 2000 characters. Firecrawl then judges each changed page, for 1 more credit.',
		routing: { send: { type: 'body', property: 'goal' } },
	},
	{
		displayName: 'Only What Matters',
		name: 'onlyMeaningful',
		type: 'boolean',
		default: true,
		description:
			'Whether to skip changes that do not meet the goal. Without this option: all changes.',
	},
	...otherTargets,
	{
		displayName: 'Take Over',
		name: 'takeOver',
		type: 'boolean',
		default: true,
		description:
			'Whether to use the monitor even if another workflow uses it; that one then gets no more events. Without this option, activation fails.',
	},
	{
		displayName: 'Report First Check',
		name: 'reportFirst',
		type: 'boolean',
		default: true,
		description:
			'Whether the first check starts the workflow with all pages as new. Without this option it only records them.',
	},
	{
		displayName: 'Time Zone',
		name: 'timezone',
		type: 'string',
		typeOptions: { sentAs: 'timeZone' },
		default: '',
		placeholder: 'e.g. Europe/Oslo',
		description:
			'Time zone of the schedule, such as Europe/Oslo. Without this option: that of the workflow.',
	},
	{
		displayName: 'Keep History (Days)',
		name: 'retentionDays',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 365, numberPrecision: 0 },
		default: 30,
		description: 'How many days checks are kept, 1 to 365',
		routing: { send: { type: 'body', property: 'retentionDays' } },
	},
	{
		displayName: 'Notification (JSON)',
		name: 'notification',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "email": { "enabled": true, "recipients": ["ops@example.com"] } }',
		description: 'Mail that Firecrawl sends after a check, as a JSON object of its API',
		routing: { send: { type: 'body', property: 'notification' } },
	},
	{
		displayName: 'Page Options (JSON)',
		name: 'scrapeOptions',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "onlyMainContent": false }',
		description: 'How pages are scraped, as a JSON object with the names of Firecrawl’s API',
	},
	{
		displayName: 'Crawl Options (JSON)',
		name: 'crawlOptions',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "limit": 50 }',
		description: 'How websites are crawled, as a JSON object with the names of Firecrawl’s API',
	},
];

const options: INodeProperties = {
	displayName: 'Options',
	name: 'triggerOptions',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: MORE,
};

/** The fields of Website Changed: one to fill in, the rest has defaults. */
export const websiteChangedFields: INodeProperties[] = [
	urls,
	schedule,
	cron,
	changes,
	output,
	options,
	notice,
];
