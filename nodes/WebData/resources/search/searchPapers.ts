import type { CallOperation } from '../../operation/operation';
import { optionList } from '../../fields/basic/optionList';
import { queryField, readNumbered, resultItems, resultOutput, resultUsage } from './output';
import { maxPapers } from './paper';

const query = queryField('e.g. seasonal performance of heat pumps');

export const searchPapers: CallOperation = {
	kind: 'call',
	value: 'searchPapers',
	name: 'Search Papers',
	action: 'Search scientific papers',
	description: 'Search the abstracts of scientific papers',
	request: { method: 'GET', path: '/v2/search/research/papers', bucket: 'search' },
	toItems: resultItems(readNumbered, []),
	usage: resultUsage(readNumbered),
	fields: [
		{ ...query, routing: { send: { type: 'query', property: 'query' } } },
		maxPapers,
		resultOutput,
		optionList(
			{
				displayName: 'Authors',
				name: 'authors',
				type: 'string',
				typeOptions: { sentAs: 'list' },
				default: '',
				placeholder: 'e.g. Curie',
				description: 'Names or parts of names, separated by commas. All of them must match.',
				routing: { send: { type: 'query', property: 'authors' } },
			},
			{
				displayName: 'Categories',
				name: 'categories',
				type: 'string',
				typeOptions: { sentAs: 'list' },
				default: '',
				placeholder: 'e.g. cs.CL',
				description: 'Subjects such as cs.CL, separated by commas. All of them must match.',
				routing: { send: { type: 'query', property: 'categories' } },
			},
			{
				displayName: 'From',
				name: 'from',
				type: 'dateTime',
				typeOptions: { sentAs: 'date' },
				default: '',
				description: 'First day of publication, as YYYY-MM-DD',
				routing: { send: { type: 'query', property: 'from' } },
			},
			{
				displayName: 'To',
				name: 'to',
				type: 'dateTime',
				typeOptions: { sentAs: 'date' },
				default: '',
				description: 'Last day of publication, as YYYY-MM-DD',
				routing: { send: { type: 'query', property: 'to' } },
			},
		),
	],
};
