import type { INodeProperties } from 'n8n-workflow';

import { jsonSettings, MAX_PROMPT_LENGTH } from './jsonSettings';
import { screenshotOptions } from './screenshot';
import { whereScraped } from './whereScraped';

const question: INodeProperties = {
	displayName: 'Question',
	name: 'question',
	type: 'string',
	typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH, isNeeded: true },
	default: '',
	placeholder: 'e.g. What does the basic plan cost?',
	description: `Question to answer from each page, in plain words, at most ${MAX_PROMPT_LENGTH} characters`,
	routing: { send: { type: 'body', property: 'question' } },
};

const highlightsQuery: INodeProperties = {
	displayName: 'Look For',
	name: 'highlightsQuery',
	type: 'string',
	typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH, isNeeded: true },
	default: '',
	placeholder: 'e.g. opening hours',
	description: `Topic or question that the passages must be about, in plain words, at most ${MAX_PROMPT_LENGTH} characters`,
	routing: { send: { type: 'body', property: 'query' } },
};

const attributes: INodeProperties = {
	displayName: 'Attributes',
	name: 'attributes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, isNeeded: true },
	default: {},
	placeholder: 'Add attribute',
	description: 'Which attribute to read from which elements of the page',
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
					description: 'CSS selector of the elements to read from, such as a.download',
					routing: { send: { type: 'body', property: 'selector' } },
				},
				{
					displayName: 'Attribute',
					name: 'attribute',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. href',
					description: 'Name of the HTML attribute to read, such as href',
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
	description: 'What is compared with the last scrape, and how changes are shown',
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
					description:
						'Previous and current value of each field. Costs 4 more credits for each page.',
				},
			],
			default: [],
			description: 'How to show the changes. With none chosen, only whether the page changed.',
			routing: { send: { type: 'body', property: 'modes' } },
		},
		{
			displayName: 'Prompt',
			name: 'prompt',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. Compare the prices',
			description: 'What to compare, in plain words, for the mode Field by Field',
			routing: { send: { type: 'body', property: 'prompt' } },
		},
		{
			displayName: 'Schema',
			name: 'schema',
			type: 'json',
			default:
				'{\n  "type": "object",\n  "properties": {\n    "price": { "type": "number" }\n  }\n}',
			description:
				'JSON Schema of the fields to compare, as a JSON object, for the mode Field by Field',
			routing: { send: { type: 'body', property: 'schema' } },
		},
		{
			displayName: 'Tag',
			name: 'tag',
			type: 'string',
			default: '',
			placeholder: 'e.g. daily',
			description:
				'Name of a separate history: the page is compared with its last scrape with the same tag',
			routing: { send: { type: 'body', property: 'tag' } },
		},
	],
};

/**
 * The settings of the formats that have any, each shown when its format is chosen. `property` is where the
 * request has its formats: a setting goes to the entry of its own format there.
 */
export function formatSettings(property: string): INodeProperties[] {
	const settingsOf = (format: string, field: INodeProperties): INodeProperties => {
		const own = field.routing?.send?.property;
		const entry = `${property}[${format}]`;
		const place = field.type === 'collection' ? entry : own && `${entry}.${own}`;
		return {
			...field,
			// With a slash: n8n's editor empties groups whose conditions name the parameter that changes,
			// and a format that is added would take away what is set for another one.
			displayOptions: {
				...whereScraped,
				show: { ...field.displayOptions?.show, '/formats': [format] },
			},
			...(place !== undefined && { routing: { send: { type: 'body', property: place } } }),
		};
	};
	return [
		...jsonSettings.map((field) => settingsOf('json', field)),
		settingsOf('question', question),
		settingsOf('highlights', highlightsQuery),
		settingsOf('attributes', attributes),
		settingsOf('screenshot', screenshotOptions),
		settingsOf('changeTracking', changeTrackingOptions),
	];
}
