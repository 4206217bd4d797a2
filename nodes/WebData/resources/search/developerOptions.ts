import type { INodeProperties } from 'n8n-workflow';

import { maxCredits } from '../../fields/basic/maxCredits';
import { additionalFields } from '../../fields/basic/additionalFields';
import { optionList } from '../../fields/basic/optionList';
import { rareOptions } from '../../fields/basic/rareOptions';

/** Options of the developer search but the query, the kinds and the number of results. */
export const developerOptions: INodeProperties = optionList(
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
