import type { IDataObject } from 'n8n-workflow';
import { indexSearchPrice } from '../../../cost/prices';
import { additionalFields, maxCredits, optionList } from '../../../fields/basic';
import type { CallAnswer, CallOperation } from '../../../operation/operation';
import { maxResults, queryField, readWebResults, resultItems, resultOutput, resultUsage } from './results';

function readResults({ body, asText }: CallAnswer): IDataObject[] | undefined {
	return readWebResults(body, { detail: 'simplified', asText, bound: undefined });
}

/** Law and regulation of the United States (docs/reference/service-notes.md#government-search). */
export const searchGovernment: CallOperation = {
	kind: 'call',
	value: 'searchGovernment',
	name: 'Search Government Index',
	action: 'Search government documents on law and regulation',
	description: 'Search laws, regulations and other official documents of the United States',
	request: { method: 'POST', path: '/v2/search/gov', bucket: 'search' },
	toItems: resultItems(readResults, ['warning', 'creditsUsed']),
	usage: resultUsage(readResults),
	worstCase: indexSearchPrice,
	fields: [
		queryField('e.g. lithium battery transport rules'),
		maxResults,
		resultOutput,
		optionList(maxCredits, additionalFields),
	],
};
