import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { optionList } from '../../../fields/basic';
import { choiceField, numberField, switchField, textField } from '../../../fields/field';
import type { CallAnswer, CallOperation, ItemDraft } from '../../../operation/operation';
import { isJsonObject } from '../../../service/http/answer';
import { queryField, readNumbered, resultItems, resultOutput, resultUsage } from './results';

/** The ID of the paper. The id goes into the path. */
const paperId: INodeProperties = textField(
	'paperId',
	'Paper ID',
	'ID of the paper: paperId in the output of Search Papers, or one that begins with arxiv:, pmid:, pmcid: or doi:',
	{ required: true, placeholder: 'e.g. arxiv:1706.03762', send: false },
);

const maxPapers: INodeProperties = numberField(
	'maxPapers',
	'Max Papers',
	40,
	'How many papers to return at most, 1 to 500',
	{ min: 1, max: 500, send: false, routing: { send: { type: 'query', property: 'k' } } },
);

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
			textField('authors', 'Authors', 'Names or parts of names, separated by commas. All of them must match.', {
				typeOptions: { sentAs: 'list' },
				placeholder: 'e.g. Curie',
				send: false,
				routing: { send: { type: 'query', property: 'authors' } },
			}),
			textField('categories', 'Categories', 'Subjects such as cs.CL, separated by commas. All of them must match.', {
				typeOptions: { sentAs: 'list' },
				placeholder: 'e.g. cs.CL',
				send: false,
				routing: { send: { type: 'query', property: 'categories' } },
			}),
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
			numberField(
				'maxPassages',
				'Max Passages',
				4,
				'How many passages to return at most, 1 to 50. Only used with Question.',
				{ min: 1, max: 50, send: false, routing: { send: { type: 'query', property: 'k' } } },
			),
			textField(
				'question',
				'Question',
				'What the passages must answer, in plain words. With it, passages are returned instead of the record.',
				{
					placeholder: 'e.g. Which data was it trained on?',
					send: false,
					routing: { send: { type: 'query', property: 'query' } },
				},
			),
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
		textField('intent', 'Intent', 'What you look for, in plain words: the papers are ranked by it', {
			required: true,
			placeholder: 'e.g. newer methods for the same problem',
			send: false,
			routing: { send: { type: 'query', property: 'intent' } },
		}),
		choiceField(
			'mode',
			'Relation',
			'similar',
			'How the papers relate to this one',
			[
				['Cited by It', 'references'],
				['Citing It', 'citers'],
				['Similar', 'similar'],
			],
			{ send: false, routing: { send: { type: 'query', property: 'mode' } } },
		),
		maxPapers,
		resultOutput,
		optionList(
			textField(
				'anchor',
				'More Papers',
				'IDs of further papers to start from, such as arxiv:1810.04805, separated by commas',
				{
					typeOptions: { sentAs: 'list' },
					placeholder: 'e.g. arxiv:1810.04805, arxiv:2005.14165',
					send: false,
					routing: { send: { type: 'query', property: 'anchor' } },
				},
			),
			switchField('rerank', 'Rerank', true, 'Whether to rank the papers found a second time', {
				send: false,
				routing: { send: { type: 'query', property: 'rerank' } },
			}),
		),
	],
};
