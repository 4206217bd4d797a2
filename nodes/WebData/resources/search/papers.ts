import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isJsonObject } from '../../../service/http/answer';
import { optionList } from '../../fields/basic';
import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';
import { queryField, readNumbered, resultItems, resultOutput, resultUsage } from './results';

/** Which paper. The id goes into the path. */
const paperId: INodeProperties = {
	displayName: 'Paper ID',
	name: 'paperId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. arxiv:1706.03762',
	description:
		'ID of the paper: paperId in the output of Search Papers, or one that begins with arxiv:, pmid:, pmcid: or doi:',
};

const maxPapers: INodeProperties = {
	displayName: 'Max Papers',
	name: 'maxPapers',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 500, numberPrecision: 0 },
	default: 40,
	description: 'How many papers to return at most, 1 to 500',
	routing: { send: { type: 'query', property: 'k' } },
};

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

/** A question turns the answer from the paper's record into passages (operation search.getPaper). */
function toItems({ body }: CallAnswer): ItemDraft[] | undefined {
	if (isJsonObject(body.paper)) return [{ json: body.paper as IDataObject }];
	if (!Array.isArray(body.passages)) return undefined;
	const { paperId: id = null, query = null, passages } = body;
	return [{ json: { paperId: id, query, passages } as IDataObject }];
}

export const getPaper: CallOperation = {
	kind: 'call',
	value: 'getPaper',
	name: 'Get Paper',
	action: 'Get scientific paper',
	description: 'Get title, authors and abstract of a paper, or the passages that answer a question',
	request: { method: 'GET', path: '/v2/search/research/papers/{paperId}', bucket: 'search' },
	toItems,
	fields: [
		paperId,
		optionList(
			{
				displayName: 'Max Passages',
				name: 'maxPassages',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
				default: 4,
				description: 'How many passages to return at most, 1 to 50. Only used with Question.',
				routing: { send: { type: 'query', property: 'k' } },
			},
			{
				displayName: 'Question',
				name: 'question',
				type: 'string',
				default: '',
				placeholder: 'e.g. Which data was it trained on?',
				description:
					'What the passages must answer, in plain words. With it, passages are returned instead of the record.',
				routing: { send: { type: 'query', property: 'query' } },
			},
		),
	],
};

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
