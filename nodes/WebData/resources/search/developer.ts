import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { JsonObject } from '../../../service/http/transport';
import { developerSearchPrice } from '../../cost/prices';
import { additionalFields, maxCredits, optionList, rareOptions } from '../../fields/basic';
import type { CallOperation } from '../../operation/operation';
import { queryField, readNumbered, resultItems, resultOutput, resultUsage } from './results';

/** Options of the developer search but the query, the kinds and the number of results. */
const developerOptions: INodeProperties = optionList(
	{
		displayName: 'Repositories',
		name: 'repos',
		type: 'string',
		typeOptions: { sentAs: 'list' },
		default: '',
		placeholder: 'e.g. nodejs/node, nodejs/undici',
		description:
			'Repositories to search, as owner/name, separated by commas. Not for documentation.',
		routing: { send: { type: 'body', property: 'repos' } },
	},
	{
		displayName: 'Language',
		name: 'language',
		type: 'string',
		default: '',
		placeholder: 'e.g. TypeScript',
		description: 'Programming language of the repository, such as TypeScript',
		routing: { send: { type: 'body', property: 'language' } },
	},
	{
		displayName: 'Topic',
		name: 'topic',
		type: 'string',
		typeOptions: { sentAs: 'list' },
		default: '',
		placeholder: 'e.g. http, streams',
		description: 'Topics of the repository, separated by commas',
		routing: { send: { type: 'body', property: 'topic' } },
	},
	{
		displayName: 'Min Stars',
		name: 'minStars',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 100,
		description: 'Fewest stars that a repository must have',
		routing: { send: { type: 'body', property: 'min_stars' } },
	},
	{
		displayName: 'Passages per Result',
		name: 'passages',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 5, numberPrecision: 0 },
		default: 1,
		description: 'How many passages to return for each result, 1 to 5',
		routing: { send: { type: 'body', property: 'passages' } },
	},
	maxCredits,
	rareOptions(
		{
			displayName: 'Max Stars',
			name: 'maxStars',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 0 },
			default: 1000,
			description: 'Most stars that a repository may have',
			routing: { send: { type: 'body', property: 'max_stars' } },
		},
		{
			displayName: 'Sources',
			name: 'sources',
			type: 'string',
			typeOptions: { sentAs: 'list', maxItems: 20, maxLength: 512 },
			default: '',
			placeholder: 'e.g. source-1, source-2',
			description:
				'IDs of documentation sources to search, separated by commas, at most 20 with 512 characters each. Only for documentation.',
			routing: { send: { type: 'body', property: 'sources' } },
		},
		{
			displayName: 'License',
			name: 'license',
			type: 'string',
			default: '',
			placeholder: 'e.g. MIT',
			description: 'License of the repository by its short name, such as MIT',
			routing: { send: { type: 'body', property: 'license' } },
		},
		{
			displayName: 'Archived',
			name: 'archived',
			type: 'boolean',
			default: false,
			description:
				'Whether to search only archived repositories (on) or only others (off). Without this option: both.',
			routing: { send: { type: 'body', property: 'archived' } },
		},
		{
			displayName: 'Fork',
			name: 'fork',
			type: 'boolean',
			default: false,
			description:
				'Whether to search only forks (on) or only others (off). Without this option: both.',
			routing: { send: { type: 'body', property: 'fork' } },
		},
		{
			displayName: 'Agent Skills',
			name: 'skills',
			type: 'options',
			options: [{ name: 'Only Skill Files', value: 'only' }],
			default: 'only',
			description: 'Narrows the search to files that hold skills for AI agents',
			routing: { send: { type: 'body', property: 'skills' } },
		},
	),
	additionalFields,
);

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
