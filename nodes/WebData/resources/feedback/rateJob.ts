import type { INodeProperties } from 'n8n-workflow';

import { additionalFields } from '../../fields/basic/additionalFields';
import { optionList } from '../../fields/basic/optionList';
import { pathId } from '../../fields/basic/pathId';
import type { CallOperation } from '../../operation/operation';
import { missingContent, querySuggestions, rating, receiptItems, valuableSources } from './rating';

const kind: INodeProperties = {
	displayName: 'Kind',
	name: 'endpoint',
	type: 'options',
	options: [
		{ name: 'Map', value: 'map' },
		{ name: 'Parse', value: 'parse' },
		{ name: 'Scrape', value: 'scrape' },
		{ name: 'Search', value: 'search' },
	],
	default: 'scrape',
	required: true,
	description: 'What kind of result the ID belongs to',
	routing: { send: { type: 'body', property: 'endpoint' } },
};

/** Short names in lower case, as the service wants them: `missing_markdown`. */
function codes(displayName: string, name: string, what: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		typeOptions: { sentAs: 'codes', maxItems: 20 },
		default: '',
		placeholder: 'e.g. missing_markdown, wrong-language',
		description: `${what} as short codes of lowercase letters, digits, - and _, separated by commas, at most 20`,
		routing: { send: { type: 'body', property: name } },
	};
}

const note: INodeProperties = {
	displayName: 'Note',
	name: 'note',
	type: 'string',
	typeOptions: { rows: 2, maxLength: 4000 },
	default: '',
	placeholder: 'e.g. The table of prices is missing',
	description: 'What was good or bad about it, in your own words, at most 4000 characters',
	routing: { send: { type: 'body', property: 'note' } },
};

const details: INodeProperties[] = [
	querySuggestions,
	codes('Issues', 'issues', 'What was wrong,'),
	{
		displayName: 'Metadata (JSON)',
		name: 'metadata',
		type: 'json',
		default: '{}',
		description: 'Data of your own to keep with the feedback, as a JSON object of at most 8 KB',
		routing: { send: { type: 'body', property: 'metadata' } },
	},
	missingContent(50),
	{
		displayName: 'Page Numbers',
		name: 'pageNumbers',
		type: 'string',
		typeOptions: { sentAs: 'numbers', maxItems: 100 },
		default: '',
		placeholder: 'e.g. 1, 4',
		description:
			'Numbers of the pages of a PDF file that it is about, separated by commas, at most 100',
		routing: { send: { type: 'body', property: 'pageNumbers' } },
	},
	codes('Tags', 'tags', 'Your own labels'),
	{
		displayName: 'URL',
		name: 'url',
		type: 'string',
		typeOptions: { sentAs: 'url' },
		default: '',
		placeholder: 'e.g. https://example.com/page',
		description: 'Address of the page that it is about',
		routing: { send: { type: 'body', property: 'url' } },
	},
	valuableSources,
];

export const rateJob: CallOperation = {
	kind: 'call',
	value: 'rateJob',
	name: 'Rate Scrape, Parse, Map or Search',
	action: 'Rate scrape, parse, map or search',
	description: 'Rate a result. Firecrawl also wants a note or one detail.',
	request: { method: 'POST', path: '/v2/feedback', bucket: 'other' },
	toItems: receiptItems,
	fields: [
		kind,
		{
			...pathId(
				'ID',
				'jobId',
				'ID of the result (a UUID): scrapeId of a page, searchId of a search, mapId of a list of links',
			),
			routing: { send: { type: 'body', property: 'jobId' } },
		},
		rating,
		note,
		optionList(...details, additionalFields),
	],
};
