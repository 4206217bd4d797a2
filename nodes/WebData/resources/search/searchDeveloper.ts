import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { JsonObject } from '../../../service/http/transport';
import type { CallOperation } from '../../operation/operation';
import { developerSearchPrice } from '../../cost/prices';
import { developerOptions } from './developerOptions';
import { queryField, readNumbered, resultItems, resultOutput, resultUsage } from './output';

const types: INodeProperties = {
	displayName: 'Kinds',
	name: 'types',
	type: 'multiOptions',
	options: [
		{ name: 'Documentation', value: 'doc' },
		{ name: 'Issues', value: 'issue' },
		{ name: 'Pull Requests', value: 'pull_request' },
		{ name: 'Readmes', value: 'readme' },
	],
	default: ['doc', 'issue', 'pull_request', 'readme'],
	description: 'Which kinds of documents to search',
	routing: { send: { type: 'body', property: 'types' } },
};

const maxResults: INodeProperties = {
	displayName: 'Max Results',
	name: 'maxResults',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
	default: 10,
	description: 'How many results to return at most, 1 to 100. Each 10 cost 2 credits.',
	routing: { send: { type: 'body', property: 'k' } },
};

/** Some servers leave out the kind; it is the first part of the id (shape `developerResult`). */
function readResults(answer: { body: JsonObject }): IDataObject[] | undefined {
	return readNumbered(answer)?.map((result) => ({
		...result,
		type: result.type ?? /^([a-z_]+):/.exec(String(result.id))?.[1] ?? null,
	}));
}

export const searchDeveloper: CallOperation = {
	kind: 'call',
	value: 'searchDeveloper',
	name: 'Search Developer Index',
	action: 'Search developer documentation',
	description: 'Search documentation, issues, pull requests and readmes',
	request: { method: 'POST', path: '/v2/search/developer', bucket: 'search' },
	toItems: resultItems(readResults, ['coverage', 'reranked', 'repos', 'sources']),
	usage: resultUsage(readResults),
	worstCase: developerSearchPrice,
	fields: [
		queryField('e.g. cancel a fetch request on timeout'),
		types,
		maxResults,
		resultOutput,
		developerOptions,
	],
};
