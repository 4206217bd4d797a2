import type { INodeProperties } from 'n8n-workflow';

import { jsonFormatFields, MAX_PROMPT_LENGTH } from './jsonFormat';
import { screenshotOptions } from './screenshot';

const question: INodeProperties = {
	displayName: 'Question',
	name: 'question',
	type: 'string',
	typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
	default: '',
	required: true,
	placeholder: 'e.g. What does the basic plan cost?',
	description: `What to ask about the page, at most ${MAX_PROMPT_LENGTH} characters`,
	displayOptions: { show: { type: ['question'] } },
	routing: { send: { type: 'body', property: 'question' } },
};

const highlightsQuery: INodeProperties = {
	displayName: 'Look For',
	name: 'query',
	type: 'string',
	typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
	default: '',
	required: true,
	placeholder: 'e.g. opening hours',
	description: `What the passages must be about, at most ${MAX_PROMPT_LENGTH} characters`,
	displayOptions: { show: { type: ['highlights'] } },
	routing: { send: { type: 'body', property: 'query' } },
};

const selectors: INodeProperties = {
	displayName: 'Attributes',
	name: 'selectors',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	required: true,
	placeholder: 'Add attribute',
	description: 'Which attribute to read from which elements',
	displayOptions: { show: { type: ['attributes'] } },
	options: [
		{
			displayName: 'Attribute',
			name: 'selector',
			values: [
				{
					displayName: 'CSS Selector',
					name: 'selector',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. a.download',
					description: 'Which elements to read from',
					routing: { send: { type: 'body', property: 'selector' } },
				},
				{
					displayName: 'Attribute',
					name: 'attribute',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. href',
					description: 'Name of the attribute to read',
					routing: { send: { type: 'body', property: 'attribute' } },
				},
			],
		},
	],
	routing: { send: { type: 'body', property: 'selectors' } },
};

const changeTrackingOptions: INodeProperties = {
	displayName: 'Change Tracking Options',
	name: 'changeTrackingOptions',
	type: 'collection',
	placeholder: 'Add change tracking option',
	default: {},
	displayOptions: { show: { type: ['changeTracking'] } },
	options: [
		{
			displayName: 'Modes',
			name: 'modes',
			type: 'multiOptions',
			options: [
				{ name: 'Line by Line', value: 'git-diff', description: 'Which lines were changed' },
				{
					name: 'Field by Field',
					value: 'json',
					description: 'Previous and current value of each field. Costs 5 credits for each page.',
				},
			],
			default: [],
			description: 'How to show the changes. Without any, only whether the page changed.',
			routing: { send: { type: 'body', property: 'modes' } },
		},
		{
			displayName: 'Prompt',
			name: 'prompt',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			description: 'What to compare, for the mode Field by Field',
			routing: { send: { type: 'body', property: 'prompt' } },
		},
		{
			displayName: 'Schema',
			name: 'schema',
			type: 'json',
			default:
				'{\n  "type": "object",\n  "properties": {\n    "price": { "type": "number" }\n  }\n}',
			description: 'JSON Schema of the fields to compare, for the mode Field by Field',
			routing: { send: { type: 'body', property: 'schema' } },
		},
		{
			displayName: 'Tag',
			name: 'tag',
			type: 'string',
			default: '',
			placeholder: 'e.g. daily',
			description:
				'Name of a history of its own: the page is compared with its last scrape under it',
			routing: { send: { type: 'body', property: 'tag' } },
		},
	],
};

/** The fields of the format types that have any, each shown for its type only. */
export const formatFields: INodeProperties[] = [
	...jsonFormatFields,
	question,
	highlightsQuery,
	selectors,
	{ ...screenshotOptions, displayOptions: { show: { type: ['screenshot'] } } },
	changeTrackingOptions,
];
