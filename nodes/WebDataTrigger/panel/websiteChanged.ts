import type { INodeProperties } from 'n8n-workflow';
import {
	choiceField,
	choicesField,
	groupField,
	jsonField,
	noticeField,
	numberField,
	switchField,
	textField,
} from '../../fields/field';

const notice: INodeProperties = noticeField(
	'monitorNotice',
	'1 credit a page and check. Firecrawl must reach this n8n.',
);

const urls: INodeProperties = textField(
	'urls',
	'URLs',
	'Pages to watch, one per line. The first check records the starting point and starts nothing. To watch whole websites, search results or a monitor that you have, add them under Options.',
	{
		typeOptions: { sentAs: 'urls', rows: 3 },
		placeholder: 'e.g. https://example.com/prices',
		send: false,
	},
);

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

const cron: INodeProperties = textField(
	'cron',
	'Cron Expression',
	'Five fields with numbers: minute, hour, day, month, weekday. At least 5 minutes between two checks; the month must be *.',
	{
		default: '0 9 * * 1-5',
		typeOptions: { sentAs: 'cron', isNeeded: true },
		placeholder: 'e.g. 0 9 * * 1-5',
		displayOptions: { show: { schedule: ['cron'] } },
		send: false,
	},
);

/** The choice of the pages of a check that count. */
const changes: INodeProperties = choicesField(
	'changes',
	'Start On',
	['changed', 'new', 'removed'],
	'What counts as a change and starts the workflow',
	[
		['Changed', 'changed', 'The content of the page has changed'],
		['Failed', 'error', 'The page could not be read'],
		['New', 'new', 'The page or search result was not there before'],
		['Removed', 'removed', 'The page is gone or no longer watched'],
	],
	{ send: false },
);

/** The choice of the items that the workflow gets. */
const output: INodeProperties = choiceField(
	'output',
	'Output',
	'pages',
	'What the workflow starts with',
	[
		['One Execution per Page', 'atOnce', 'Each changed page by itself, as soon as it is checked'],
		['One Item per Check', 'check', 'A summary after each check, with the list of changed pages'],
		['One Item per Page', 'pages', 'All changed pages after each check, with their differences, in one execution'],
	],
	{ send: false },
);

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
		'A monitor of your account to use instead of the URLs and the schedule above. It keeps its history. Its webhook points to this workflow while that is published. When you unpublish, the monitor gets its old webhook back, if it had one.',
};

/** Other things to watch than pages. */
const otherTargets: INodeProperties[] = [
	textField('sites', 'Websites', 'Addresses whose pages below are all watched, one per line, at most 50', {
		typeOptions: { sentAs: 'urls', rows: 2, maxItems: 50 },
		placeholder: 'e.g. https://example.com/docs',
		send: false,
	}),
	textField('searches', 'Searches', 'Web searches to watch for new results, one per line, at most 12. Needs a Goal.', {
		typeOptions: { sentAs: 'lines', rows: 2, maxItems: 12 },
		placeholder: 'e.g. tide tables Oslo',
		send: false,
	}),
	existingMonitor,
];

// In the order in which people need them.
const MORE: INodeProperties[] = [
	textField(
		'goal',
		'Goal',
		'Which changes matter, in plain words, at most 2000 characters. Firecrawl then judges each changed page, for 1 more credit.',
		{ typeOptions: { maxLength: 2000 }, placeholder: 'e.g. Price changes and new products' },
	),
	switchField(
		'onlyMeaningful',
		'Only What Matters',
		true,
		'Whether to skip changes that do not meet the goal. Without this option: all changes.',
		{ send: false },
	),
	...otherTargets,
	switchField(
		'takeOver',
		'Take Over',
		true,
		'Whether to use the monitor even if another workflow uses it; that one then gets no more events. Without this option, activation fails.',
		{ send: false },
	),
	switchField(
		'reportFirst',
		'Report First Check',
		true,
		'Whether the first check starts the workflow with all pages as new. Without this option it only records them.',
		{ send: false },
	),
	textField(
		'timezone',
		'Time Zone',
		'Time zone of the schedule, such as Europe/Oslo. Without this option: that of the workflow.',
		{ typeOptions: { sentAs: 'timeZone' }, placeholder: 'e.g. Europe/Oslo', send: false },
	),
	numberField('retentionDays', 'Keep History (Days)', 30, 'How many days checks are kept, 1 to 365', {
		min: 1,
		max: 365,
	}),
	jsonField(
		'notification',
		'Notification (JSON)',
		'',
		'Mail that Firecrawl sends after a check, as a JSON object of its API',
		{ placeholder: 'e.g. { "email": { "enabled": true, "recipients": ["ops@example.com"] } }' },
	),
	jsonField(
		'scrapeOptions',
		'Page Options (JSON)',
		'',
		'How pages are scraped, as a JSON object with the names of Firecrawl’s API',
		{ placeholder: 'e.g. { "onlyMainContent": false }', send: false },
	),
	jsonField(
		'crawlOptions',
		'Crawl Options (JSON)',
		'',
		'How websites are crawled, as a JSON object with the names of Firecrawl’s API',
		{ placeholder: 'e.g. { "limit": 50 }', send: false },
	),
];

const options: INodeProperties = groupField('triggerOptions', 'Options', 'Add option', '', MORE);

const others = [schedule, cron, changes, output, options, notice];

/** The fields of Website Changed: one to fill in, the rest has defaults. */
export const websiteChangedFields: INodeProperties[] = [urls, ...others];

/** Options that may stand in for URLs. */
const INSTEAD = ['sites', 'searches', 'monitorId'].map((name) => `/triggerOptions.${name}`);

const areSet = (names: string[]) =>
	Object.fromEntries(names.map((name) => [name, [{ _cnd: { exists: true as const } }]]));

/**
 * The same for the panel, where n8n itself asks for URLs as long as nothing stands in for them. `show` joins its
 * conditions by "and", so that there is a definition of the field for each option that does.
 */
export const websiteChangedPanel: INodeProperties[] = [
	{ ...urls, required: true, displayOptions: { hide: areSet(INSTEAD) } },
	...INSTEAD.map((name, index) => ({
		...urls,
		displayOptions: { show: areSet([name]), hide: areSet(INSTEAD.slice(0, index)) },
	})),
	...others,
];
