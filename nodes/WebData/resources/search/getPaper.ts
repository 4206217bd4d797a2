import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import { optionList } from '../../fields/basic/optionList';
import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';
import { paperId } from './paper';

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
