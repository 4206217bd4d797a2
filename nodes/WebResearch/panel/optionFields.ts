import type { INodeProperties } from 'n8n-workflow';

import { maxCredits } from '../../WebData/fields/basic/maxCredits';
import { optionList } from '../../WebData/fields/basic/optionList';
import { scrapeOptionList } from '../../WebData/fields/scrape/scrapeOptions';
import { onlyMainContent } from '../../WebData/fields/scrape/scrapeOptionsContent';
import { commonFetch, timeout } from '../../WebData/fields/scrape/scrapeOptionsFetch';
import { location } from '../../WebData/fields/basic/origin';
import { parsers } from '../../WebData/fields/scrape/parsers';

const limits: INodeProperties[] = [
	{
		displayName: 'Max Pages',
		name: 'maxUrls',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 200, numberPrecision: 0 },
		default: 20,
		description: 'Maximum number of pages to read, 1 to 200. Each costs 1 credit.',
	},
	{
		displayName: 'Max Rounds',
		name: 'maxDepth',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 12, numberPrecision: 0 },
		default: 3,
		description:
			'Maximum number of rounds of searching and reading, 1 to 12. Research ends earlier once the question is answered.',
	},
	{
		displayName: 'Time Limit (Seconds)',
		name: 'timeLimit',
		type: 'number',
		typeOptions: { minValue: 30, maxValue: 3600, numberPrecision: 0 },
		default: 300,
		description:
			'Maximum time for a question, 30 to 3600 seconds. After that, the report covers what was found so far.',
	},
	maxCredits,
	{
		displayName: 'Max Tokens',
		name: 'maxTokens',
		type: 'number',
		typeOptions: { minValue: 1000, numberPrecision: 0 },
		default: 200_000,
		description:
			'Maximum number of input and output tokens for a question. After that, the report covers what was found so far. Without this option: no limit.',
	},
];

const prompts: INodeProperties[] = [
	{
		displayName: 'Analysis Prompt',
		name: 'analysisPrompt',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Two pages with a table of costs',
		description: 'How to write the final analysis, such as its sections or its length',
	},
	{
		displayName: 'System Prompt',
		name: 'systemPrompt',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Prefer studies over blogs',
		description: 'Steers planning and writing, such as which kinds of sources to prefer',
	},
];

const where: INodeProperties[] = [
	{
		displayName: 'Pages to Read First',
		name: 'firstPages',
		type: 'string',
		typeOptions: { rows: 2, sentAs: 'urls', maxItems: 200 },
		default: '',
		placeholder: 'e.g. https://example.com/study',
		description: 'URLs to read before any search, one per line. They count toward Max Pages.',
	},
	{
		displayName: 'Sources',
		name: 'sources',
		type: 'multiOptions',
		options: [
			{ name: 'News', value: 'news' },
			{ name: 'Web', value: 'web' },
		],
		default: ['web'],
		description: 'Where to search. Each source costs 2 credits per search.',
	},
	{
		displayName: 'Include Domains',
		name: 'includeDomains',
		type: 'string',
		typeOptions: { sentAs: 'list' },
		default: '',
		placeholder: 'e.g. example.com, example.org',
		description: 'Read only pages of these host names, separated by commas',
	},
	{
		displayName: 'Exclude Domains',
		name: 'excludeDomains',
		type: 'string',
		typeOptions: { sentAs: 'list' },
		default: '',
		placeholder: 'e.g. example.com, example.org',
		description: 'Read no pages of these host names, separated by commas',
	},
	{
		displayName: 'Pages per Site',
		name: 'pagesPerSite',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 200, numberPrecision: 0 },
		default: 2,
		description: 'Maximum number of pages to read from the same site, 1 to 200',
	},
	{
		displayName: 'Time Filter',
		name: 'tbs',
		type: 'string',
		default: '',
		placeholder: 'e.g. qdr:m',
		description:
			'Maximum age of search results: qdr:h, qdr:d, qdr:w, qdr:m or qdr:y for the last hour, day, week, month or year',
	},
	{
		displayName: 'Country',
		name: 'country',
		type: 'string',
		typeOptions: { sentAs: 'countryCode' },
		default: 'US',
		placeholder: 'e.g. DE',
		description: 'Two-letter country code (ISO 3166-1) to search from, such as DE',
	},
	{
		displayName: 'Location',
		name: 'location',
		type: 'string',
		default: '',
		placeholder: 'e.g. San Francisco, California',
		description: 'Name of the place to search from, best together with Country',
	},
];

const model: INodeProperties[] = [
	{
		displayName: 'Model Calls at Once',
		name: 'modelCallsAtOnce',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
		default: 5,
		description: 'How many model calls may run at the same time, 1 to 50',
	},
	{
		displayName: 'Unsupported Claims',
		name: 'unsupportedClaims',
		type: 'options',
		options: [
			{ name: 'Leave Out', value: 'leaveOut' },
			{
				name: 'Mark',
				value: 'mark',
				description:
					'Return them among the claims, with verified = false. The analysis leaves them out.',
			},
		],
		default: 'leaveOut',
		description: 'What to do with statements that were not verified',
	},
	{
		displayName: 'Verification',
		name: 'verification',
		type: 'options',
		options: [
			{
				name: 'Quotes and Support',
				value: 'support',
				description:
					'Quotes and figures are looked up in the page, and your chat model judges in calls of their own whether each quote supports its statement',
			},
			{
				name: 'Quotes Only',
				value: 'quotes',
				description:
					'Quotes and figures are looked up in the page. Cheaper: whether a quote supports its statement is not judged.',
			},
		],
		default: 'support',
		description: 'How statements are checked against their pages',
	},
];

/** All options of a research. */
export const options: INodeProperties = optionList(...limits, ...prompts, ...where, ...model);

/** How pages are scraped, where that matters for their text. */
export const pageOptions: INodeProperties = {
	...scrapeOptionList(onlyMainContent, ...commonFetch, parsers, location, timeout),
	displayOptions: {},
};
