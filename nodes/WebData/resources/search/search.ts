import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { formats } from '../../fields/scrape/formats';
import { scrapeOptions } from '../../fields/scrape/scrapeOptions';
import type { CallOperation } from '../../operation/operation';
import { queryField, resultItems, resultOutput, resultUsage } from './output';
import { searchOptions } from './searchOptions';

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
	description: 'Where to search. Default: Web.',
	routing: { send: { type: 'body', property: 'sources' } },
};

// Required, so that it is always sent: servers differ in their default (CONTRACT section 14).
const maxResults: INodeProperties = {
	displayName: 'Max Results per Source',
	name: 'maxResults',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
	default: 10,
	required: true,
	description:
		'How many results to return at most for each source, 1 to 100. Each 10 cost 2 credits. Default: 10.',
	routing: { send: { type: 'body', property: 'limit' } },
};

const withContent: INodeProperties = {
	displayName: 'With Page Content',
	name: 'withContent',
	type: 'boolean',
	default: false,
	description:
		'Whether to scrape the page of each result as well, as Markdown unless you choose otherwise. Costs 1 more credit for each page. Default: off.',
};

const shownWithContent = { show: { withContent: [true] } };

/** Hits grouped by source, or a flat list as older servers give it (recording search-07). */
function readResults({ data }: JsonObject): IDataObject[] | undefined {
	const groups = Array.isArray(data) ? { web: data } : data;
	if (!isJsonObject(groups)) return undefined;
	return Object.entries(groups).flatMap(([source, hits]) =>
		(Array.isArray(hits) ? hits : [])
			.filter(isJsonObject)
			.map((hit, index) => ({ source, position: index + 1, ...hit }) as IDataObject),
	);
}

/** Scraping ten pages may take as long as the service's own time limit for a search. */
const DEFAULT_TIMEOUT_MS = 60_000;
const SPARE_MS = 30_000;

export const search: CallOperation = {
	kind: 'call',
	value: 'search',
	name: 'Search Web',
	action: 'Search the web',
	description: 'Search web pages, news or images, with or without the content of the pages',
	request: { method: 'POST', path: '/v2/search', bucket: 'search' },
	timeoutMs: ({ timeout }) =>
		(typeof timeout === 'number' ? timeout : DEFAULT_TIMEOUT_MS) + SPARE_MS,
	toItems: resultItems(readResults, ['id', 'warning', 'creditsUsed']),
	usage: resultUsage(readResults),
	fields: [
		queryField('e.g. heat pump noise limits', MAX_QUERY_LENGTH),
		sources,
		maxResults,
		withContent,
		{
			...formats('scrapeOptions'),
			// Required, so that it is always sent: without formats a search scrapes nothing.
			required: true,
			default: { format: [{ type: 'markdown' }] },
			placeholder: 'Add format',
			displayOptions: shownWithContent,
		},
		resultOutput,
		searchOptions,
		{ ...scrapeOptions('scrapeOptions'), displayOptions: shownWithContent },
	],
};
