import { additionalFields } from '../../fields/basic/additionalFields';
import { optionList } from '../../fields/basic/optionList';
import { pathId } from '../../fields/basic/pathId';
import type { CallOperation } from '../../operation/operation';
import { missingContent, querySuggestions, rating, receiptItems, valuableSources } from './rating';

export const rateSearch: CallOperation = {
	kind: 'call',
	value: 'rateSearch',
	name: 'Rate Search',
	action: 'Rate search',
	description: 'Rate a search; the first rating of a search may refund one credit',
	request: { method: 'POST', path: '/v2/search/{jobId}/feedback', bucket: 'other' },
	toItems: receiptItems,
	fields: [
		pathId(
			'Search ID',
			'jobId',
			'ID of the search (a UUID): the searchId of its results, or the ID of its list',
		),
		rating,
		valuableSources,
		missingContent(20),
		querySuggestions,
		optionList(additionalFields),
	],
};
