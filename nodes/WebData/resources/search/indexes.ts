import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { indexSearchPrice } from '../../../cost/prices';
import { additionalFields, costLimits, optionList, rareOptions } from '../../../fields/basic';
import { choiceField, choicesField, numberField, switchField, textField } from '../../../fields/field';
import type { CallAnswer, CallOperation } from '../../../operation/operation';
import type { JsonObject } from '../../../service/http/transport';
import { queryField, readNumbered, readWebResults, resultItems, resultOutput, resultUsage } from './results';

/** Options of the developer search but the query, the kinds and the number of results. */
const developerOptions: INodeProperties = optionList(
	textField(
		'repos',
		'Repositories',
		'Repositories to search, as owner/name, separated by commas. Not for documentation.',
		{ typeOptions: { sentAs: 'list' }, placeholder: 'e.g. nodejs/node, nodejs/undici' },
	),
	textField('language', 'Language', 'Programming language of the repository, such as TypeScript', {
		placeholder: 'e.g. TypeScript',
	}),
	textField('topic', 'Topic', 'Topics of the repository, separated by commas', {
		typeOptions: { sentAs: 'list' },
		placeholder: 'e.g. http, streams',
	}),
	numberField('minStars', 'Min Stars', 100, 'Fewest stars that a repository must have', {
		min: 0,
		send: 'min_stars',
	}),
	numberField('passages', 'Passages per Result', 1, 'How many passages to return for each result, 1 to 5', {
		min: 1,
		max: 5,
	}),
	...costLimits,
	rareOptions(
		numberField('maxStars', 'Max Stars', 1000, 'Most stars that a repository may have', {
			min: 0,
			send: 'max_stars',
		}),
		textField(
			'sources',
			'Sources',
			'IDs of documentation sources to search, separated by commas, at most 20 with 512 characters each. Only for documentation.',
			{
				typeOptions: { sentAs: 'list', maxItems: 20, maxLength: 512 },
				placeholder: 'e.g. source-1, source-2',
			},
		),
		textField('license', 'License', 'License of the repository by its short name, such as MIT', {
			placeholder: 'e.g. MIT',
		}),
		switchField(
			'archived',
			'Archived',
			false,
			'Whether to search only archived repositories (on) or only others (off). Without this option: both.',
		),
		switchField(
			'fork',
			'Fork',
			false,
			'Whether to search only forks (on) or only others (off). Without this option: both.',
		),
		choiceField('skills', 'Agent Skills', 'only', 'Narrows the search to files that hold skills for AI agents', [
			['Only Skill Files', 'only'],
		]),
	),
	additionalFields,
);

const types: INodeProperties = choicesField(
	'types',
	'Kinds',
	['doc', 'issue', 'pull_request', 'readme'],
	'Which kinds of documents to search',
	[
		['Documentation', 'doc'],
		['Issues', 'issue'],
		['Pull Requests', 'pull_request'],
		['Readmes', 'readme'],
	],
);

const maxResults: INodeProperties = numberField(
	'maxResults',
	'Max Results',
	10,
	'How many results to return at most, 1 to 100. Each 10 cost 2 credits.',
	{ min: 1, max: 100, send: 'k' },
);

/** Some servers leave out the kind; it is the first part of the id (shape `developerResult`). */
function readDeveloperResults(answer: { body: JsonObject }): IDataObject[] | undefined {
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
	toItems: resultItems(readDeveloperResults, ['coverage', 'reranked', 'repos', 'sources']),
	usage: resultUsage(readDeveloperResults),
	worstCase: indexSearchPrice,
	fields: [queryField('e.g. cancel a fetch request on timeout'), types, maxResults, resultOutput, developerOptions],
};

function readGovernmentResults({ body, asText }: CallAnswer): IDataObject[] | undefined {
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
	toItems: resultItems(readGovernmentResults, ['warning', 'creditsUsed']),
	usage: resultUsage(readGovernmentResults),
	worstCase: indexSearchPrice,
	fields: [
		queryField('e.g. lithium battery transport rules'),
		maxResults,
		resultOutput,
		optionList(...costLimits, additionalFields),
	],
};
