import type { INodeProperties } from 'n8n-workflow';

import { findOperation } from '../../WebData/resources';
import { newAddresses } from './newAddresses';
import type { PollEvent } from './pollEvent';

/** The fields of Search Web that say what is searched for. */
function searchFields(): INodeProperties[] {
	const fields = findOperation('search', 'search')?.operation.fields ?? [];
	return fields.filter(({ name }) => ['query', 'sources', 'maxResults'].includes(name));
}

export const newResults: PollEvent = {
	value: 'newResults',
	name: 'New Search Results',
	description: 'A web search has a result that it did not have before',
	notice: 'Each poll costs 2 credits for each 10 results.',
	fields: searchFields(),
	isOfAccount: false,
	// As it is written: a query with the date of today in it is the same search tomorrow.
	watched: ({ written: { query, sources, maxResults } }) => ({ query, sources, maxResults }),
	async look(reader, { query, sources, maxResults }, mark) {
		const parameters = { query, sources, maxResults, withContent: false, output: 'results' };
		const results = await reader.items({ resource: 'search', operation: 'search', parameters });
		return await newAddresses(results, ({ json }) => json.url ?? json.imageUrl, mark, reader);
	},
};
