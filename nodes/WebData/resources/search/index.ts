import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { searchPrice } from '../../cost/prices';
import { additionalFields, maxCredits, optionListNamed, rareOptions } from '../../fields/basic';
import { formats } from '../../fields/formats';
import { scrapeOptions } from '../../fields/scrape/scrapeOptions';
import { threatProtection } from '../../fields/scrape/threatProtection';
import type { CallAnswer, CallOperation, ItemDraft, Resource } from '../../operation/operation';
import { searchDeveloper } from './developer';
import { getPaper, getSimilarPapers, searchPapers } from './papers';
import {
	queryField,
	readWebResults,
	resultItems,
	resultOutput,
	resultUsage,
	scrapedPages,
} from './results';

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

const searchOptions: INodeProperties = optionListNamed(
	'Search Options',
	...common,
	maxCredits,
	rareOptions(...rare, threatProtection),
	additionalFields,
);

const MAX_QUERY_LENGTH = 500;

const sources: INodeProperties = {
	displayName: 'Sources',
	name: 'sources',
	type: 'multiOptions',
	options: [
		{ name: 'Images', value: 'images' },
		{ name: 'News', value: 'news' },
		{ name: 'Web', value: 'web' },
	],
	default: ['web'],
	description: 'Where to search',
	routing: { send: { type: 'body', property: 'sources' } },
};

// Required, so that it is always sent: servers differ in their default
// (docs/service-notes.md#where-servers-differ).
const maxResults: INodeProperties = {
	displayName: 'Max Results per Source',
	name: 'maxResults',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
	default: 10,
	required: true,
	description:
		'How many results to return at most for each source, 1 to 100. Each 10 cost 2 credits.',
	routing: { send: { type: 'body', property: 'limit' } },
};

const withContent: INodeProperties = {
	displayName: 'With Page Content',
	name: 'withContent',
	type: 'boolean',
	default: false,
	description:
		'Whether to scrape the page of each result as well, as Markdown unless you choose otherwise. Costs 1 more credit for each page.',
};

const output: INodeProperties = {
	...resultOutput,
	options: [
		{
			name: 'One Item per Result',
			value: 'results',
			description: 'Best result first: URL, title, description, and the content of its page',
		},
		{
			name: 'One Item per Result (Full Document)',
			value: 'fullResults',
			description: 'The same with all metadata of a page whose content was asked for',
		},
		{ name: 'One List', value: 'list', description: 'All results of a query in one item' },
	],
};

/** The results of an answer, with as much of each page as was asked for. */
function readResults({ body, values, asText }: CallAnswer): IDataObject[] | undefined {
	const detail = values.output === 'fullResults' ? 'fullDocument' : 'simplified';
	return readWebResults(body, { detail, asText });
}

const itemsOf = resultItems(readResults, [
	'id',
	'warning',
	'warnings',
	'replacement',
	'creditsUsed',
]);

/** Each result says which search it is of: Feedback takes that ID (recording search-01 of 2026). */
function toItems(answer: CallAnswer): ItemDraft[] | undefined {
	const drafts = itemsOf(answer);
	const { id: searchId } = answer.body;
	if (answer.values.output === 'list' || typeof searchId !== 'string') return drafts;
	return drafts?.map(({ json }) => ({ json: { ...json, searchId } }));
}

/** Scraping ten pages may take as long as the service's own time limit for a search. */
const DEFAULT_TIMEOUT_MS = 60_000;
const SPARE_MS = 30_000;

const searchWeb: CallOperation = {
	kind: 'call',
	value: 'search',
	name: 'Search Web',
	action: 'Search web and get results',
	description: 'Search web pages, news or images, with or without the content of the pages',
	request: { method: 'POST', path: '/v2/search', bucket: 'search' },
	timeoutMs: ({ timeout }) =>
		(typeof timeout === 'number' ? timeout : DEFAULT_TIMEOUT_MS) + SPARE_MS,
	toItems,
	usage: resultUsage(readResults),
	pagesOf: scrapedPages,
	worstCase: searchPrice,
	fields: [
		queryField('e.g. heat pump noise limits', MAX_QUERY_LENGTH),
		sources,
		maxResults,
		withContent,
		...formats('scrapeOptions'),
		output,
		scrapeOptions('scrapeOptions'),
		searchOptions,
	],
};

export const search: Resource = {
	value: 'search',
	name: 'Search',
	description: 'Search the web, news or images, developer documents or scientific papers',
	operations: [searchWeb, searchDeveloper, searchPapers, getPaper, getSimilarPapers],
	defaultOperation: 'search',
};
