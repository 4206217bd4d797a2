import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { searchPrice } from '../../../cost/prices';
import { additionalFields, costLimits, optionListNamed, rareOptions, toolFields } from '../../../fields/basic';
import { choicesField, numberField, switchField, textField } from '../../../fields/field';
import { formats } from '../../../fields/formats';
import { maxPageCharacters } from '../../../fields/job/pages';
import { scrapeOptions } from '../../../fields/scrape/scrapeOptions';
import { threatProtection } from '../../../fields/scrape/threatProtection';
import { publishedBetween, timeFilter } from '../../../fields/timeFilter';
import { toolsBeside } from '../../../operation/dataTools';
import type { CallAnswer, CallOperation, ItemDraft, Resource } from '../../../operation/operation';
import { pageTextBound } from '../../../operation/pageText';
import { valueCheckOf } from '../../../operation/valueCheck';
import { unknownFields } from '../../../operation/webPage';
import { count } from '../../../text/amounts';
import { searchDeveloper, searchGovernment } from './indexes';
import { getPaper, getSimilarPapers, searchPapers } from './papers';
import {
	queryField,
	readWebResults,
	resultItems,
	resultOutput,
	resultUsage,
	scrapedPages,
	withCheckedPages,
} from './results';

const common: INodeProperties[] = [
	timeFilter(),
	publishedBetween(),
	textField(
		'includeDomains',
		'Include Domains',
		'Only results of these host names, separated by commas. Not together with Exclude Domains.',
		{ typeOptions: { sentAs: 'list' }, placeholder: 'e.g. example.com, example.org' },
	),
	textField(
		'excludeDomains',
		'Exclude Domains',
		'Host names to leave out, separated by commas. Not together with Include Domains.',
		{ typeOptions: { sentAs: 'list' }, placeholder: 'e.g. example.com, example.org' },
	),
	choicesField(
		'categories',
		'Categories',
		[],
		'Narrows web results to these kinds. With none chosen, all of them.',
		[
			['Academic Sites', 'research'],
			['Developer', 'developer', 'Cannot be combined with others'],
			['GitHub', 'github'],
			['Government', 'gov', 'Law and regulation of the United States. Cannot be combined with others.'],
			['PDF Files', 'pdf'],
		],
		{ typeOptions: { alone: ['developer', 'gov'] } },
	),
	textField('country', 'Country', 'Two-letter country code (ISO 3166-1), such as DE', {
		default: 'US',
		typeOptions: { sentAs: 'countryCode' },
		placeholder: 'e.g. DE',
	}),
	textField('location', 'Location', 'Name of the place to search from, best together with Country', {
		placeholder: 'e.g. San Francisco, California',
	}),
	numberField(
		'timeout',
		'Timeout (Milliseconds)',
		60_000,
		'How many milliseconds Firecrawl may take, page content included',
	),
];

const rare: INodeProperties[] = [
	switchField('highlights', 'Highlights', true, 'Whether the snippets show the passages that match the query'),
	switchField('ignoreInvalidURLs', 'Skip Invalid URLs', false, 'Whether to drop results whose page cannot be scraped'),
	textField('lang', 'Language', 'Language code, such as de. For older servers only.', {
		default: 'en',
		placeholder: 'e.g. de',
	}),
	switchField('safe', 'Safe Search', true, 'Whether to leave out explicit results'),
	choicesField('enterprise', 'Zero Retention Search', [], 'What the search provider may keep. Enterprise only.', [
		['Anonymous', 'anon', 'Costs 2 credits for each 10 results'],
		['Default', 'default'],
		['Zero Data Retention', 'zdr', 'Costs 10 credits for each 10 results'],
	]),
];

const searchOptions: INodeProperties = optionListNamed(
	'Search Options',
	...common,
	...toolFields('compact', 'the sites of the results'),
	...costLimits,
	rareOptions(...rare, threatProtection),
	additionalFields,
);

const MAX_QUERY_LENGTH = 500;

const sources: INodeProperties = choicesField('sources', 'Sources', ['web'], 'Where to search', [
	['Data Tools', 'alexandria', 'Ready-made data from providers that fits the query, to be run with Data Tool'],
	['Images', 'images'],
	['News', 'news'],
	['Web', 'web'],
]);

// Required, so that it is always sent: servers differ in their default
// (docs/reference/service-notes.md#where-servers-differ).
const maxResults: INodeProperties = numberField(
	'maxResults',
	'Max Results per Source',
	10,
	'How many results to return at most for each source, 1 to 100. Each 10 cost 2 credits.',
	{ min: 1, max: 100, required: true, send: 'limit' },
);

const withContent: INodeProperties = switchField(
	'withContent',
	'With Page Content',
	false,
	'Whether to scrape the page of each result as well, as Markdown unless you choose otherwise. Costs 1 more credit for each page.',
	{ send: false },
);

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
		{
			name: 'One Item per Data Tool',
			value: 'tools',
			description: 'The data tools that fit, with source Data Tools or option Domain Tools; no results',
		},
		{ name: 'One List', value: 'list', description: 'All results of a query in one item' },
	],
};

/** The results of an answer, with as much of each page as was asked for, or the data tools beside them. */
function readResults({ body, values, asText }: CallAnswer): IDataObject[] | undefined {
	if (values.output === 'tools') return toolsBeside(body.data) ?? [];
	const detail = values.output === 'fullResults' ? 'fullDocument' : 'simplified';
	return readWebResults(body, { detail, asText, bound: pageTextBound(values, asText) });
}

const itemsOf = resultItems(readResults, ['id', 'warning', 'warnings', 'replacement', 'creditsUsed']);

/** The items of an answer, with what is known of the values of its pages. */
function toItems(answer: CallAnswer): ItemDraft[] | undefined {
	const check = valueCheckOf(answer.values, answer.sent);
	const detail = answer.values.output === 'fullResults' ? 'fullDocument' : 'simplified';
	const { body, checked } = check ? withCheckedPages(answer.body, check, detail) : { body: answer.body, checked: [] };
	const drafts = resultsOf({ ...answer, body });
	const [first, ...others] = drafts ?? [];
	return first && checked.length > 0 ? [{ ...first, checked }, ...others] : drafts;
}

/**
 * Each result says which search it is of: Feedback takes that ID (recording search-01 of 2026). Data tools are no
 * results: they go with a list, have an output of their own, and are counted else; an AI agent, which sees no hints,
 * gets them as one more item.
 */
function resultsOf(answer: CallAnswer): ItemDraft[] | undefined {
	const drafts = itemsOf(answer);
	const { body, values, asText } = answer;
	const { id: searchId } = body;
	const tools = values.output === 'tools' ? [] : (toolsBeside(body.data) ?? []);
	if (values.output === 'list') {
		return tools.length === 0 ? drafts : drafts?.map(({ json }) => ({ json: { ...json, tools } }));
	}
	const own = typeof searchId === 'string' ? drafts?.map(({ json }) => ({ json: { ...json, searchId } })) : drafts;
	if (tools.length === 0 || !own) return own;
	return asText ? [...own, { json: { tools } }] : own;
}

function notShown({ body, values, asText }: CallAnswer): string[] {
	const tools = asText || values.output === 'tools' || values.output === 'list' ? [] : (toolsBeside(body.data) ?? []);
	const what = `${count(tools.length, 'data tool')} (choose Output → One Item per Data Tool)`;
	return [...(tools.length > 0 ? [what] : []), ...unknownFields(body)];
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
	timeoutMs: ({ timeout }) => (typeof timeout === 'number' ? timeout : DEFAULT_TIMEOUT_MS) + SPARE_MS,
	toItems,
	notShown,
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
		scrapeOptions('scrapeOptions', { more: [maxPageCharacters] }),
		searchOptions,
	],
};

export const search: Resource = {
	value: 'search',
	name: 'Search',
	description: 'Search the web, news or images, developer documents, US law or scientific papers',
	operations: [searchWeb, searchDeveloper, searchGovernment, searchPapers, getPaper, getSimilarPapers],
	defaultOperation: 'search',
};
