import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeInputConfiguration, INodeProperties } from 'n8n-workflow';
import { location, costLimits, optionList } from '../fields/basic';
import {
	choiceField,
	choicesField,
	groupField,
	jsonField,
	noticeField,
	numberField,
	switchField,
	textField,
} from '../fields/field';
import { MAX_PROMPT_LENGTH } from '../fields/formats';
import { memoryTable } from '../fields/job/pages';
import { parsers } from '../fields/scrape/parsers';
import { commonFetch, onlyMainContent, scrapeOptionList, timeout } from '../fields/scrape/scrapeOptions';
import { publishedBetween, timeFilter } from '../fields/timeFilter';

/** The question itself. */
const query: INodeProperties = textField('query', 'Query', 'Question or topic to research, in plain words', {
	typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
	required: true,
	placeholder: 'e.g. What do cargo bikes change for city deliveries?',
	send: false,
});

const formats: INodeProperties = choicesField(
	'analysisFormats',
	'Formats',
	['markdown'],
	'In which format to return the analysis',
	[
		['JSON', 'json', 'Structured data that follows your schema or example'],
		['Markdown', 'markdown', 'A written analysis with sources'],
	],
	{ send: false },
);

const jsonFields: INodeProperties[] = [
	jsonField(
		'example',
		'Example',
		'{\n  "summary": "One sentence",\n  "price": 499.5\n}',
		'JSON object with the fields you want. Only names and types matter.',
		{ typeOptions: { sentAs: 'schemaOfExample' }, send: false },
	),
	textField('prompt', 'Prompt', 'What the JSON output should contain, in plain words', {
		typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
		placeholder: 'e.g. Costs and savings, in euros',
		send: false,
	}),
	jsonField(
		'schema',
		'Schema',
		'{\n  "type": "object",\n  "properties": {\n    "summary": { "type": "string" }\n  }\n}',
		'JSON Schema that the JSON output follows, as a JSON object. It takes precedence over an example.',
		{ typeOptions: { sentAs: 'jsonSchema' }, send: false },
	),
	choiceField(
		'unprovenValues',
		'Unproven Values',
		'leaveOut',
		'What to do with values that no quote of a page holds, or that the model does not find supported. Their paths and reasons come out in unproven.',
		[
			['Keep and List', 'keep', 'They stay in the JSON'],
			['Leave Out', 'leaveOut', 'They are null; objects without a proven name are left out of lists'],
		],
		{ send: false },
	),
	textField('systemPrompt', 'System Prompt', 'Role and rules for the model that writes the JSON output', {
		typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
		placeholder: 'e.g. Use only figures that a source names',
		send: false,
	}),
];

const jsonOptions: INodeProperties = groupField(
	'jsonOptions',
	'JSON Options',
	'Add JSON option',
	'What the JSON output contains: a schema, an example or a prompt',
	jsonFields,
	{ displayOptions: { show: { '/analysisFormats': ['json'] } } },
);

const output: INodeProperties = choiceField(
	'output',
	'Output',
	'simplified',
	'What to return for each question',
	[
		[
			'Full Record',
			'fullRecord',
			'Everything, including claims with their quotes, activities, skipped pages and checks',
		],
		['One Item per Claim', 'claims', 'Each statement with its quote and its page'],
		['One Item per Source', 'sources', 'The pages that the analysis cites, one item each'],
		['One Item per Value', 'values', 'Each value of the JSON with its quote and its page, or why it has no proof'],
		['Report File (HTML)', 'htmlFile', 'A page in the binary field data, for a mail or a printer: analysis, sources'],
		['Report File (Markdown)', 'reportFile', 'A Markdown file in the binary field data: analysis, claims, sources'],
		['Simplified', 'simplified', 'The analysis, its sources, what it could not answer, and what it cost'],
	],
	{ send: false },
);

/** An AI agent reads text: it gets no file and no rows. */
const toolOutput: INodeProperties = choiceField(
	'output',
	'Output',
	'simplified',
	'What the agent gets for each question',
	[
		[
			'Full Record',
			'fullRecord',
			'Everything, including claims with their quotes, activities, skipped pages and checks',
		],
		['Simplified', 'simplified', 'The analysis, its sources, what it could not answer, and what it cost'],
	],
	{ send: false },
);

const NEWS_ONLY = { displayOptions: { show: { report: ['news'] } } };

/** Beside what is remembered, of questions and of rows. */
export const historyNotice: INodeProperties = noticeField(
	'historyNotice',
	'Remembered: runs of a <b>published</b> workflow (n8n 1: active).',
);

/** The choice of what a report of repeated questions tells. An agent's calls have none. */
const reportFields: INodeProperties[] = [
	choiceField(
		'report',
		'Report',
		'everything',
		'What the report tells when the same question is asked again and again',
		[
			['Everything', 'everything', 'All that was found, each time'],
			[
				'What Is New Since the Last Run',
				'news',
				'Statements that are new, that have changed, and that are no longer on their page. The first run tells everything.',
			],
		],
		{ send: false },
	),
	textField(
		'historyName',
		'History',
		'Name under which statements are remembered. Questions with the same name share a history, so the wording may change. A new name starts a new history. Default: the query.',
		{ placeholder: 'e.g. Competitors', send: false, ...NEWS_ONLY },
	),
	choiceField(
		'whenNothingNew',
		'When Nothing Is New',
		'nothing',
		'What to return when nothing is new, changed or gone. A partial result is always returned.',
		[
			['Output an Item', 'item', 'With the number of statements that are as they were'],
			['Output Nothing', 'nothing', 'The workflow ends here in a quiet week'],
		],
		{ send: false, ...NEWS_ONLY },
	),
	{ ...memoryTable, ...NEWS_ONLY },
	{ ...historyNotice, ...NEWS_ONLY },
];

/** Several questions as one document: one mail. */
const oneReport: INodeProperties = switchField(
	'oneReport',
	'One Report for All Items',
	false,
	'Whether to return one item with one report on the questions of all items, such as for a mail, instead of one each',
	{ displayOptions: { show: { output: ['simplified', 'htmlFile', 'reportFile'] } }, send: false },
);

/** The fields for the question and its output, for the node or for the tool of an AI agent. */
export function mainFields(isTool: boolean): INodeProperties[] {
	return [
		query,
		...(isTool ? [] : reportFields),
		formats,
		jsonOptions,
		...(isTool ? [toolOutput] : [output, oneReport]),
	];
}

export const maxTokens: INodeProperties = numberField(
	'maxTokens',
	'Max Tokens',
	200_000,
	'Maximum number of input and output tokens for a question or a row. After that, the result is what was found so far. Without this option: no limit.',
	{ min: 1000, send: false },
);

const limits: INodeProperties[] = [
	numberField('maxUrls', 'Max Pages', 20, 'Maximum number of pages to read, 1 to 200. Each costs 1 credit.', {
		min: 1,
		max: 200,
		send: false,
	}),
	numberField(
		'maxDepth',
		'Max Rounds',
		3,
		'Maximum number of rounds of searching and reading, 1 to 12. Research ends earlier once the question is answered.',
		{ min: 1, max: 12, send: false },
	),
	numberField(
		'timeLimit',
		'Time Limit (Seconds)',
		300,
		'Maximum time for a question, 30 to 3600 seconds. After that, the report covers what was found so far.',
		{ min: 30, max: 3600, send: false },
	),
	...costLimits,
	maxTokens,
];

const prompts: INodeProperties[] = [
	textField(
		'analysisPrompt',
		'Analysis Prompt',
		'How to write the final analysis, such as its sections or its length',
		{ typeOptions: { rows: 2 }, placeholder: 'e.g. Two pages with a table of costs', send: false },
	),
	textField('systemPrompt', 'System Prompt', 'Steers planning and writing, such as which kinds of sources to prefer', {
		typeOptions: { rows: 2 },
		placeholder: 'e.g. Prefer studies over blogs',
		send: false,
	}),
];

export const excludeDomains: INodeProperties = textField(
	'excludeDomains',
	'Exclude Domains',
	'Read no pages of these host names, separated by commas',
	{
		typeOptions: { sentAs: 'list' },
		placeholder: 'e.g. example.com, example.org',
		send: false,
	},
);

/** Where to search from. */
export const place: INodeProperties[] = [
	textField('country', 'Country', 'Two-letter country code (ISO 3166-1) to search from, such as DE', {
		default: 'US',
		typeOptions: { sentAs: 'countryCode' },
		placeholder: 'e.g. DE',
		send: false,
	}),
	textField('location', 'Location', 'Name of the place to search from, best together with Country', {
		placeholder: 'e.g. San Francisco, California',
		send: false,
	}),
];

const where: INodeProperties[] = [
	textField(
		'firstPages',
		'Pages to Read First',
		'URLs to read before any search, one per line. They count toward Max Pages.',
		{
			typeOptions: { rows: 2, sentAs: 'urls', maxItems: 200 },
			placeholder: 'e.g. https://example.com/study',
			send: false,
		},
	),
	choicesField(
		'sources',
		'Sources',
		['web'],
		'Where to search. Each source costs 2 credits per search.',
		[
			['News', 'news'],
			['Web', 'web'],
		],
		{ send: false },
	),
	textField('includeDomains', 'Include Domains', 'Read only pages of these host names, separated by commas', {
		typeOptions: { sentAs: 'list' },
		placeholder: 'e.g. example.com, example.org',
		send: false,
	}),
	excludeDomains,
	choiceField(
		'prefer',
		'Prefer',
		'none',
		'Which of the pages that are found to read first. Your chat model chooses by site, title and date; a third of the pages is chosen without it.',
		[
			['News', 'news', 'Reports, the newest first'],
			['None', 'none', 'Whoever the question is about and whoever has made the figures, then who reports on them'],
			['Official', 'official', 'Authorities, and the organisations and firms themselves'],
			['Research', 'research', 'Studies, papers, statistics'],
		],
		{ send: false },
	),
	numberField('pagesPerSite', 'Pages per Site', 2, 'Maximum number of pages to read from the same site, 1 to 200', {
		min: 1,
		max: 200,
		send: false,
	}),
	timeFilter({ send: false }),
	publishedBetween({ send: false }),
	...place,
];

export const model: INodeProperties[] = [
	numberField('modelCallsAtOnce', 'Model Calls at Once', 5, 'How many model calls may run at the same time, 1 to 50', {
		min: 1,
		max: 50,
		send: false,
	}),
	choiceField(
		'unsupportedClaims',
		'Unsupported Claims',
		'leaveOut',
		'What to do with statements that were not verified',
		[
			['Leave Out', 'leaveOut'],
			['Mark', 'mark', 'Return them among the claims, with verified = false. The analysis leaves them out.'],
		],
		{ send: false },
	),
	choiceField(
		'verification',
		'Verification',
		'support',
		'How statements are checked against their pages',
		[
			[
				'Quotes and Support',
				'support',
				'Quotes and figures are looked up in the page, and your chat model judges in calls of their own whether each quote supports its statement',
			],
			[
				'Quotes Only',
				'quotes',
				'Quotes and figures are looked up in the page. Cheaper: whether a quote supports its statement is not judged.',
			],
		],
		{ send: false },
	),
];

/** All options of a research. */
export const options: INodeProperties = optionList(...limits, ...prompts, ...where, ...model);

/** Scrape options that matter for the text of a page. */
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
