import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { formats } from '../../fields/formats/formats';
import { scrapeOptions } from '../../fields/scrape/scrapeOptions';
import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';
import { searchPrice } from '../../cost/prices';
import { queryField, resultItems, resultOutput, resultUsage } from './output';
import { searchOptions } from './searchOptions';
import { readWebResults, scrapedPages } from './webResults';

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

export const search: CallOperation = {
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
