import type { INodeProperties } from 'n8n-workflow';
import { researchPrice } from '../../../cost/prices';
import { additionalFields, costLimits, optionList } from '../../../fields/basic';
import { choicesField, groupField, jsonField, numberField, textField } from '../../../fields/field';
import { MAX_PROMPT_LENGTH } from '../../../fields/formats';
import { WAITS, onUnclearStart, waitChoiceWithoutCall, waitOptions, whenWaitedFor } from '../../../fields/job/wait';
import type { StartJobOperation } from '../../../operation/operation';
import { deepResearchJob } from '../../../service/jobs/jobKinds';
import { deepResearchOutput, legacyNotice, researchResult } from './output';

/** Time limit of the service when none is sent, in seconds (docs/reference/service-notes.md#deep-research). */
const DEFAULT_TIME_LIMIT_SECONDS = 300;

/** Writing the analysis may run past the time limit by about two minutes (docs/reference/service-notes.md#deep-research). */
const WRITE_UP_SECONDS = 120;

const query: INodeProperties = textField('query', 'Query', 'Question or topic to research, in plain words', {
	typeOptions: { rows: 2 },
	required: true,
	placeholder: 'e.g. What do cargo bikes change for city deliveries?',
});

const formats: INodeProperties = choicesField(
	'analysisFormats',
	'Formats',
	['markdown'],
	'In which format to return the analysis',
	[
		['JSON', 'json', 'Structured data that follows your schema or prompt'],
		['Markdown', 'markdown', 'A written analysis with sources'],
	],
	{ send: 'formats' },
);

// Required makes it go out even when it is empty: the service wants jsonOptions exactly when JSON is
// chosen (recordings dr-28 and dr-29).
const jsonOptions: INodeProperties = groupField(
	'jsonOptions',
	'JSON Options',
	'Add JSON option',
	'What the JSON output holds: a schema, a prompt or both',
	[
		textField(
			'prompt',
			'Prompt',
			`What to extract into the JSON output, in plain words, at most ${MAX_PROMPT_LENGTH} characters`,
			{
				typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
				placeholder: 'e.g. Costs and savings, in euros',
			},
		),
		jsonField(
			'schema',
			'Schema',
			'{\n  "type": "object",\n  "properties": {\n    "summary": { "type": "string" }\n  }\n}',
			'JSON Schema that the JSON output must follow, as a JSON object',
		),
		textField(
			'systemPrompt',
			'System Prompt',
			`Role and rules for the model that writes the JSON output, at most ${MAX_PROMPT_LENGTH} characters`,
			{
				typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
				placeholder: 'e.g. Use only figures that a source names',
			},
		),
	],
	{ required: true, displayOptions: { show: { '/analysisFormats': ['json'] } }, send: 'jsonOptions' },
);

const options: INodeProperties[] = [
	numberField('maxUrls', 'Max URLs', 20, 'How many URLs to analyse at most, 1 to 1000. Each costs one credit.', {
		min: 1,
		max: 1000,
	}),
	numberField('maxDepth', 'Max Depth', 7, 'How many rounds of research at most, 1 to 12', {
		min: 1,
		max: 12,
	}),
	numberField(
		'timeLimit',
		'Time Limit (Seconds)',
		DEFAULT_TIME_LIMIT_SECONDS,
		`How long the research may take, 30 to 600 seconds. Without Max Wait, the node waits ${WRITE_UP_SECONDS} seconds longer.`,
		{ min: 30, max: 600 },
	),
	textField(
		'analysisPrompt',
		'Analysis Prompt',
		'How to write the final analysis, such as its sections or its length',
		{ typeOptions: { rows: 2 }, placeholder: 'e.g. Two pages with a table of costs' },
	),
	textField('systemPrompt', 'System Prompt', 'Steers the research itself, such as which kinds of sources to prefer', {
		typeOptions: { rows: 2 },
		placeholder: 'e.g. Prefer studies over blogs',
	}),
];

export const startDeepResearch: StartJobOperation = {
	kind: 'startJob',
	value: 'start',
	name: 'Start',
	action: 'Research question in depth (legacy)',
	description: 'Research a question on the web and write an analysis with sources',
	request: { method: 'POST', path: '/v1/deep-research', bucket: 'crawl' },
	job: deepResearchJob,
	defaultMaxWaitSeconds: (sent) =>
		(typeof sent.timeLimit === 'number' ? sent.timeLimit : DEFAULT_TIME_LIMIT_SECONDS) + WRITE_UP_SECONDS,
	result: researchResult,
	worstCase: researchPrice,
	fields: [
		legacyNotice,
		query,
		formats,
		jsonOptions,
		waitChoiceWithoutCall,
		{ ...deepResearchOutput, displayOptions: { show: { waitForCompletion: WAITS } } },
		optionList(...options, whenWaitedFor(waitOptions()), onUnclearStart, ...costLimits, additionalFields),
	],
};
