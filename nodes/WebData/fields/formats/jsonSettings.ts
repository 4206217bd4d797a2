import type { INodeProperties } from 'n8n-workflow';

/** Most characters of a prompt, a question or a request (shape `format`). */
export const MAX_PROMPT_LENGTH = 10_000;

const structure: INodeProperties = {
	displayName: 'JSON From',
	name: 'jsonFrom',
	type: 'options',
	options: [
		{ name: 'Example', value: 'example', description: 'An object like the ones you want' },
		{ name: 'JSON Schema', value: 'schema', description: 'A JSON Schema the data must follow' },
		{ name: 'Prompt Only', value: 'prompt', description: 'A description in plain words' },
	],
	default: 'example',
	description: 'How to describe the data you want',
};

/** What the data looks like, as an object like the ones that are wanted. */
export const example: INodeProperties = {
	displayName: 'Example',
	name: 'example',
	type: 'json',
	typeOptions: { sentAs: 'schemaOfExample' },
	default: '{\n  "title": "Blue bicycle",\n  "price": 499.5,\n  "inStock": true\n}',
	required: true,
	description:
		'JSON object with the fields you want. Only names and types matter; the values are ignored.',
	routing: { send: { type: 'body', property: 'schema' } },
};

/** The same as JSON Schema. */
export const schema: INodeProperties = {
	displayName: 'JSON Schema',
	name: 'schema',
	type: 'json',
	typeOptions: { sentAs: 'jsonSchema' },
	default:
		'{\n  "type": "object",\n  "properties": {\n    "title": { "type": "string" }\n  },\n  "required": ["title"]\n}',
	required: true,
	description:
		'JSON Schema of the data you want, starting with { "type": "object", "properties": … }. For a plain example choose Example above.',
	routing: { send: { type: 'body', property: 'schema' } },
};

const prompt: INodeProperties = {
	displayName: 'Prompt',
	name: 'jsonPrompt',
	type: 'string',
	typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
	default: '',
	placeholder: 'e.g. Only products that can be ordered now',
	description: `What to extract from the page, in plain words, at most ${MAX_PROMPT_LENGTH} characters`,
	routing: { send: { type: 'body', property: 'prompt' } },
};

const checkPromptInjection: INodeProperties = {
	displayName: 'Check for Prompt Injection',
	name: 'checkPromptInjection',
	type: 'boolean',
	default: false,
	description: 'Whether to check the page for text that tries to steer the extraction',
	routing: { send: { type: 'body', property: 'checkPromptInjection' } },
};

const from = (choice: string) => ({ displayOptions: { show: { jsonFrom: [choice] } } });

/**
 * The settings of the JSON format. The service needs a schema or a prompt or both, and answers with nothing
 * otherwise (recording scrape-27): so one of them is always required here.
 */
export const jsonSettings: INodeProperties[] = [
	structure,
	{ ...example, displayName: 'JSON Example', name: 'jsonExample', ...from('example') },
	{ ...schema, name: 'jsonSchema', ...from('schema') },
	{
		...prompt,
		displayName: 'JSON Prompt',
		typeOptions: { ...prompt.typeOptions, isNeeded: true },
		...from('prompt'),
	},
	{
		displayName: 'JSON Options',
		name: 'jsonFormatOptions',
		type: 'collection',
		placeholder: 'Add JSON option',
		default: {},
		description: 'More about what to extract',
		options: [
			{ ...prompt, name: 'prompt', displayOptions: { hide: { '/jsonFrom': ['prompt'] } } },
			checkPromptInjection,
		],
	},
];
