import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeInputConfiguration, INodeProperties } from 'n8n-workflow';
import { location, maxCredits, optionList } from '../WebData/fields/basic';
import { MAX_PROMPT_LENGTH } from '../WebData/fields/formats';
import { parsers } from '../WebData/fields/scrape/parsers';
import {
	commonFetch,
	onlyMainContent,
	scrapeOptionList,
	timeout,
} from '../WebData/fields/scrape/scrapeOptions';

/** The question itself. */
const query: INodeProperties = {
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

const limits: INodeProperties[] = [
	{
		displayName: 'Max Pages',
		name: 'maxUrls',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 200, numberPrecision: 0 },
		default: 20,
		description: 'Maximum number of pages to read, 1 to 200. Each costs 1 credit.',
	},
	{
		displayName: 'Max Rounds',
		name: 'maxDepth',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 12, numberPrecision: 0 },
		default: 3,
		description:
			'Maximum number of rounds of searching and reading, 1 to 12. Research ends earlier once the question is answered.',
	},
	{
		displayName: 'Time Limit (Seconds)',
		name: 'timeLimit',
		type: 'number',
		typeOptions: { minValue: 30, maxValue: 3600, numberPrecision: 0 },
		default: 300,
		description:
			'Maximum time for a question, 30 to 3600 seconds. After that, the report covers what was found so far.',
	},
	maxCredits,
	{
		displayName: 'Max Tokens',
		name: 'maxTokens',
		type: 'number',
		typeOptions: { minValue: 1000, numberPrecision: 0 },
		default: 200_000,
		description:
			'Maximum number of input and output tokens for a question. After that, the report covers what was found so far. Without this option: no limit.',
	},
];

const prompts: INodeProperties[] = [
	{
		displayName: 'Analysis Prompt',
		name: 'analysisPrompt',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Two pages with a table of costs',
		description: 'How to write the final analysis, such as its sections or its length',
	},
	{
		displayName: 'System Prompt',
		name: 'systemPrompt',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Prefer studies over blogs',
		description: 'Steers planning and writing, such as which kinds of sources to prefer',
	},
];

const where: INodeProperties[] = [
	{
		displayName: 'Pages to Read First',
		name: 'firstPages',
		type: 'string',
		typeOptions: { rows: 2, sentAs: 'urls', maxItems: 200 },
		default: '',
		placeholder: 'e.g. https://example.com/study',
		description: 'URLs to read before any search, one per line. They count toward Max Pages.',
	},
	{
		displayName: 'Sources',
		name: 'sources',
		type: 'multiOptions',
		options: [
			{ name: 'News', value: 'news' },
			{ name: 'Web', value: 'web' },
		],
		default: ['web'],
		description: 'Where to search. Each source costs 2 credits per search.',
	},
	{
		displayName: 'Include Domains',
		name: 'includeDomains',
		type: 'string',
		typeOptions: { sentAs: 'list' },
		default: '',
		placeholder: 'e.g. example.com, example.org',
		description: 'Read only pages of these host names, separated by commas',
	},
	{
		displayName: 'Exclude Domains',
		name: 'excludeDomains',
		type: 'string',
		typeOptions: { sentAs: 'list' },
		default: '',
		placeholder: 'e.g. example.com, example.org',
		description: 'Read no pages of these host names, separated by commas',
	},
	{
		displayName: 'Pages per Site',
		name: 'pagesPerSite',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 200, numberPrecision: 0 },
		default: 2,
		description: 'Maximum number of pages to read from the same site, 1 to 200',
	},
	{
		displayName: 'Time Filter',
		name: 'tbs',
		type: 'string',
		default: '',
		placeholder: 'e.g. qdr:m',
		description:
			'Maximum age of search results: qdr:h, qdr:d, qdr:w, qdr:m or qdr:y for the last hour, day, week, month or year',
	},
	{
		displayName: 'Country',
		name: 'country',
		type: 'string',
		typeOptions: { sentAs: 'countryCode' },
		default: 'US',
		placeholder: 'e.g. DE',
		description: 'Two-letter country code (ISO 3166-1) to search from, such as DE',
	},
	{
		displayName: 'Location',
		name: 'location',
		type: 'string',
		default: '',
		placeholder: 'e.g. San Francisco, California',
		description: 'Name of the place to search from, best together with Country',
	},
];

const model: INodeProperties[] = [
	{
		displayName: 'Model Calls at Once',
		name: 'modelCallsAtOnce',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
		default: 5,
		description: 'How many model calls may run at the same time, 1 to 50',
	},
	{
		displayName: 'Unsupported Claims',
		name: 'unsupportedClaims',
		type: 'options',
		options: [
			{ name: 'Leave Out', value: 'leaveOut' },
			{
				name: 'Mark',
				value: 'mark',
				description:
					'Return them among the claims, with verified = false. The analysis leaves them out.',
			},
		],
		default: 'leaveOut',
		description: 'What to do with statements that were not verified',
	},
	{
		displayName: 'Verification',
		name: 'verification',
		type: 'options',
		options: [
			{
				name: 'Quotes and Support',
				value: 'support',
				description:
					'Quotes and figures are looked up in the page, and your chat model judges in calls of their own whether each quote supports its statement',
			},
			{
				name: 'Quotes Only',
				value: 'quotes',
				description:
					'Quotes and figures are looked up in the page. Cheaper: whether a quote supports its statement is not judged.',
			},
		],
		default: 'support',
		description: 'How statements are checked against their pages',
	},
];

/** All options of a research. */
export const options: INodeProperties = optionList(...limits, ...prompts, ...where, ...model);

/** How pages are scraped, where that matters for their text. */
export const pageOptions: INodeProperties = {
	...scrapeOptionList(onlyMainContent, ...commonFetch, parsers, location, timeout),
	displayOptions: {},
};

/** The models of Web Research and of its tool: one that plans and writes, and a cheaper one that may read the pages. */
export const modelInputs: INodeInputConfiguration[] = [
	{
		type: NodeConnectionTypes.AiLanguageModel,
		displayName: 'Chat Model',
		required: true,
		maxConnections: 1,
	},
	{ type: NodeConnectionTypes.AiLanguageModel, displayName: 'Reading Model', maxConnections: 1 },
];
