import type { CallOperation } from '../../operation/operation';
import { optionList } from '../../fields/basic/optionList';
import { readNumbered, resultItems, resultOutput, resultUsage } from './output';
import { maxPapers, paperId } from './paper';

export const getSimilarPapers: CallOperation = {
	kind: 'call',
	value: 'getSimilarPapers',
	name: 'Get Similar Papers',
	action: 'Get similar scientific papers',
	description: 'Find papers that are related to a paper, cite it, or are cited by it',
	request: {
		method: 'GET',
		path: '/v2/search/research/papers/{paperId}/similar',
		bucket: 'search',
	},
	toItems: resultItems(readNumbered, ['poolSize', 'truncated', 'note']),
	usage: resultUsage(readNumbered),
	fields: [
		paperId,
		{
			displayName: 'Intent',
			name: 'intent',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. newer methods for the same problem',
			description: 'What you look for, in plain words: the papers are ranked by it',
			routing: { send: { type: 'query', property: 'intent' } },
		},
		{
			displayName: 'Relation',
			name: 'mode',
			type: 'options',
			options: [
				{ name: 'Cited by It', value: 'references' },
				{ name: 'Citing It', value: 'citers' },
				{ name: 'Similar', value: 'similar' },
			],
			default: 'similar',
			description: 'How the papers relate to this one',
			routing: { send: { type: 'query', property: 'mode' } },
		},
		maxPapers,
		resultOutput,
		optionList(
			{
				displayName: 'More Papers',
				name: 'anchor',
				type: 'string',
				typeOptions: { sentAs: 'list' },
				default: '',
				placeholder: 'e.g. arxiv:1810.04805, arxiv:2005.14165',
				description:
					'IDs of further papers to start from, such as arxiv:1810.04805, separated by commas',
				routing: { send: { type: 'query', property: 'anchor' } },
			},
			{
				displayName: 'Rerank',
				name: 'rerank',
				type: 'boolean',
				default: true,
				description: 'Whether to rank the papers found a second time',
				routing: { send: { type: 'query', property: 'rerank' } },
			},
		),
	],
};
