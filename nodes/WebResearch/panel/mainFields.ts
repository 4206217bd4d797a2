import type { INodeProperties } from 'n8n-workflow';

import { MAX_PROMPT_LENGTH } from '../../WebData/fields/formats/jsonSettings';

/** The question itself. */
export const query: INodeProperties = {
	displayName: 'Query',
	name: 'query',
	type: 'string',
	typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
	default: '',
	required: true,
	placeholder: 'e.g. What do cargo bikes change for city deliveries?',
	description: 'Question or topic to research, in plain words',
};

const formats: INodeProperties = {
	displayName: 'Formats',
	name: 'analysisFormats',
	type: 'multiOptions',
	options: [
		{
			name: 'JSON',
			value: 'json',
			description: 'Structured data that follows your schema or example',
		},
		{ name: 'Markdown', value: 'markdown', description: 'A written analysis with sources' },
	],
	default: ['markdown'],
	description: 'In which format to return the analysis',
};

const jsonFields: INodeProperties[] = [
	{
		displayName: 'Example',
		name: 'example',
		type: 'json',
		typeOptions: { sentAs: 'schemaOfExample' },
		default: '{\n  "summary": "One sentence",\n  "price": 499.5\n}',
		description: 'JSON object with the fields you want. Only names and types matter.',
	},
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
		default: '',
		placeholder: 'e.g. Costs and savings, in euros',
		description: 'What the JSON output should contain, in plain words',
	},
	{
		displayName: 'Schema',
		name: 'schema',
		type: 'json',
		typeOptions: { sentAs: 'jsonSchema' },
		default:
			'{\n  "type": "object",\n  "properties": {\n    "summary": { "type": "string" }\n  }\n}',
		description:
			'JSON Schema that the JSON output follows, as a JSON object. It takes precedence over an example.',
	},
	{
		displayName: 'System Prompt',
		name: 'systemPrompt',
		type: 'string',
		typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
		default: '',
		placeholder: 'e.g. Use only figures that a source names',
		description: 'Role and rules for the model that writes the JSON output',
	},
];

const jsonOptions: INodeProperties = {
	displayName: 'JSON Options',
	name: 'jsonOptions',
	type: 'collection',
	placeholder: 'Add JSON option',
	default: {},
	description: 'What the JSON output contains: a schema, an example or a prompt',
	displayOptions: { show: { '/analysisFormats': ['json'] } },
	options: jsonFields,
};

const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Full Record',
			value: 'fullRecord',
			description:
				'Everything, including claims with their quotes, activities, skipped pages and checks',
		},
		{
			name: 'One Item per Claim',
			value: 'claims',
			description: 'Each statement with its quote and its page',
		},
		{
			name: 'One Item per Source',
			value: 'sources',
			description: 'The pages that the analysis cites, one item each',
		},
		{
			name: 'Report File',
			value: 'reportFile',
			description: 'A Markdown file in the binary field data: analysis, claims, sources',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The analysis, its sources, what it could not answer, and what it cost',
		},
	],
	default: 'simplified',
	description: 'What to return for each question',
};

/** An AI agent reads text: it gets no file and no rows. */
const toolOutput: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Full Record',
			value: 'fullRecord',
			description:
				'Everything, including claims with their quotes, activities, skipped pages and checks',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The analysis, its sources, what it could not answer, and what it cost',
		},
	],
	default: 'simplified',
	description: 'What the agent gets for each question',
};

/** What is researched and what it comes as, for the node or for the tool of an AI agent. */
export function mainFields(isTool: boolean): INodeProperties[] {
	return [query, formats, jsonOptions, isTool ? toolOutput : output];
}
