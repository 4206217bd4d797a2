import type { INodeProperties } from 'n8n-workflow';

import { maxCredits } from '../../fields/basic/maxCredits';
import { additionalFields } from '../../fields/basic/additionalFields';
import { optionListNamed } from '../../fields/basic/optionList';
import { rareOptions } from '../../fields/basic/rareOptions';
import { threatProtection } from '../../fields/scrape/threatProtection';

const common: INodeProperties[] = [
	{
		displayName: 'Time Filter',
		name: 'tbs',
		type: 'string',
		default: '',
		placeholder: 'e.g. qdr:w',
		description:
			'Age of web results: qdr:h, qdr:d, qdr:w, qdr:m or qdr:y for the last hour, day, week, month or year, cdr:1,cd_min:1/31/2026,cd_max:2/28/2026 for dates, sbd:1 for newest first',
		routing: { send: { type: 'body', property: 'tbs' } },
	},
	{
		displayName: 'Include Domains',
		name: 'includeDomains',
		type: 'string',
		typeOptions: { sentAs: 'list' },
		default: '',
		placeholder: 'e.g. example.com, example.org',
		description:
			'Only results of these host names, separated by commas. Not together with Exclude Domains.',
		routing: { send: { type: 'body', property: 'includeDomains' } },
	},
	{
		displayName: 'Exclude Domains',
		name: 'excludeDomains',
		type: 'string',
		typeOptions: { sentAs: 'list' },
		default: '',
		placeholder: 'e.g. example.com, example.org',
		description: 'Host names to leave out, separated by commas. Not together with Include Domains.',
		routing: { send: { type: 'body', property: 'excludeDomains' } },
	},
	{
		displayName: 'Categories',
		name: 'categories',
		type: 'multiOptions',
		options: [
			{ name: 'Academic Sites', value: 'research' },
			{ name: 'Developer', value: 'developer', description: 'Cannot be combined with others' },
			{ name: 'GitHub', value: 'github' },
			{ name: 'PDF Files', value: 'pdf' },
		],
		default: [],
		description: 'Narrows web results to these kinds. With none chosen, all of them.',
		routing: { send: { type: 'body', property: 'categories' } },
	},
	{
		displayName: 'Country',
		name: 'country',
		type: 'string',
		typeOptions: { sentAs: 'countryCode' },
		default: 'US',
		placeholder: 'e.g. DE',
		description: 'Two-letter country code (ISO 3166-1), such as DE',
		routing: { send: { type: 'body', property: 'country' } },
	},
	{
		displayName: 'Location',
		name: 'location',
		type: 'string',
		default: '',
		placeholder: 'e.g. San Francisco, California',
		description: 'Name of the place to search from, best together with Country',
		routing: { send: { type: 'body', property: 'location' } },
	},
	{
		displayName: 'Timeout (Milliseconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { numberPrecision: 0 },
		default: 60_000,
		description: 'How many milliseconds Firecrawl may take, page content included',
		routing: { send: { type: 'body', property: 'timeout' } },
	},
];

const rare: INodeProperties[] = [
	{
		displayName: 'Highlights',
		name: 'highlights',
		type: 'boolean',
		default: true,
		description: 'Whether the snippets show the passages that match the query',
		routing: { send: { type: 'body', property: 'highlights' } },
	},
	{
		displayName: 'Skip Invalid URLs',
		name: 'ignoreInvalidURLs',
		type: 'boolean',
		default: false,
		description: 'Whether to drop results whose page cannot be scraped',
		routing: { send: { type: 'body', property: 'ignoreInvalidURLs' } },
	},
	{
		displayName: 'Language',
		name: 'lang',
		type: 'string',
		default: 'en',
		placeholder: 'e.g. de',
		description: 'Language code, such as de. For older servers only.',
		routing: { send: { type: 'body', property: 'lang' } },
	},
	{
		displayName: 'Safe Search',
		name: 'safe',
		type: 'boolean',
		default: true,
		description: 'Whether to leave out explicit results',
		routing: { send: { type: 'body', property: 'safe' } },
	},
	{
		displayName: 'Zero Retention Search',
		name: 'enterprise',
		type: 'multiOptions',
		options: [
			{ name: 'Anonymous', value: 'anon', description: 'Costs 2 credits for each 10 results' },
			{ name: 'Default', value: 'default' },
			{
				name: 'Zero Data Retention',
				value: 'zdr',
				description: 'Costs 10 credits for each 10 results',
			},
		],
		default: [],
		description: 'What the search provider may keep. Enterprise only.',
		routing: { send: { type: 'body', property: 'enterprise' } },
	},
];

export const searchOptions: INodeProperties = optionListNamed(
	'Search Options',
	...common,
	maxCredits,
	rareOptions(...rare, threatProtection),
	additionalFields,
);
