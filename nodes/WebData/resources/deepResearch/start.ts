import type { INodeProperties } from 'n8n-workflow';

import { deepResearchJob } from '../../../service/jobs/jobKinds';
import { researchPrice } from '../../cost/prices';
import { additionalFields, maxCredits, optionList } from '../../fields/basic';
import { MAX_PROMPT_LENGTH } from '../../fields/formats';
import {
	WAITS,
	onUnclearStart,
	waitChoiceWithoutCall,
	waitOptions,
	whenWaitedFor,
} from '../../fields/job/wait';
import type { StartJobOperation } from '../../operation/operation';
import { legacyNotice, researchOutput, researchResult } from './output';

/** Time limit of the service when none is sent, in seconds (docs/service-notes.md#deep-research). */
const DEFAULT_TIME_LIMIT_SECONDS = 300;

/** Writing the analysis may run past the time limit by about two minutes (docs/service-notes.md#deep-research). */
const WRITE_UP_SECONDS = 120;

const query: INodeProperties = {
	displayName: 'Query',
	name: 'query',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	required: true,
	placeholder: 'e.g. What do cargo bikes change for city deliveries?',
	description: 'Question or topic to research, in plain words',
	routing: { send: { type: 'body', property: 'query' } },
};

const formats: INodeProperties = {
	displayName: 'Formats',
	name: 'analysisFormats',
	type: 'multiOptions',
	options: [
		{
			name: 'JSON',
			value: 'json',
			description: 'Structured data that follows your schema or prompt',
		},
		{ name: 'Markdown', value: 'markdown', description: 'A written analysis with sources' },
	],
	default: ['markdown'],
	description: 'In which format to return the analysis',
	routing: { send: { type: 'body', property: 'formats' } },
};

// Required makes it go out even when it is empty: the service wants jsonOptions exactly when JSON is
// chosen (recordings dr-28 and dr-29).
const jsonOptions: INodeProperties = {
	displayName: 'JSON Options',
	name: 'jsonOptions',
	type: 'collection',
	placeholder: 'Add JSON option',
	default: {},
	description: 'What the JSON output holds: a schema, a prompt or both',
	required: true,
	displayOptions: { show: { '/analysisFormats': ['json'] } },
	routing: { send: { type: 'body', property: 'jsonOptions' } },
	options: [
		{
			displayName: 'Prompt',
			name: 'prompt',
			type: 'string',
			typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
			default: '',
			placeholder: 'e.g. Costs and savings, in euros',
			description: `What to extract into the JSON output, in plain words, at most ${MAX_PROMPT_LENGTH} characters`,
			routing: { send: { type: 'body', property: 'prompt' } },
		},
		{
			displayName: 'Schema',
			name: 'schema',
			type: 'json',
			default:
				'{\n  "type": "object",\n  "properties": {\n    "summary": { "type": "string" }\n  }\n}',
			description: 'JSON Schema that the JSON output must follow, as a JSON object',
			routing: { send: { type: 'body', property: 'schema' } },
		},
		{
			displayName: 'System Prompt',
			name: 'systemPrompt',
			type: 'string',
			typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
			default: '',
			placeholder: 'e.g. Use only figures that a source names',
			description: `Role and rules for the model that writes the JSON output, at most ${MAX_PROMPT_LENGTH} characters`,
			routing: { send: { type: 'body', property: 'systemPrompt' } },
		},
	],
};

const options: INodeProperties[] = [
	{
		displayName: 'Max URLs',
		name: 'maxUrls',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
		default: 20,
		description: 'How many URLs to analyse at most, 1 to 1000. Each costs one credit.',
		routing: { send: { type: 'body', property: 'maxUrls' } },
	},
	{
		displayName: 'Max Depth',
		name: 'maxDepth',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 12, numberPrecision: 0 },
		default: 7,
		description: 'How many rounds of research at most, 1 to 12',
		routing: { send: { type: 'body', property: 'maxDepth' } },
	},
	{
		displayName: 'Time Limit (Seconds)',
		name: 'timeLimit',
		type: 'number',
		typeOptions: { minValue: 30, maxValue: 600, numberPrecision: 0 },
		default: DEFAULT_TIME_LIMIT_SECONDS,
		description: `How long the research may take, 30 to 600 seconds. Without Max Wait, the node waits ${WRITE_UP_SECONDS} seconds longer.`,
		routing: { send: { type: 'body', property: 'timeLimit' } },
	},
	{
		displayName: 'Analysis Prompt',
		name: 'analysisPrompt',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Two pages with a table of costs',
		description: 'How to write the final analysis, such as its sections or its length',
		routing: { send: { type: 'body', property: 'analysisPrompt' } },
	},
	{
		displayName: 'System Prompt',
		name: 'systemPrompt',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Prefer studies over blogs',
		description: 'Steers the research itself, such as which kinds of sources to prefer',
		routing: { send: { type: 'body', property: 'systemPrompt' } },
	},
];

export const start: StartJobOperation = {
	kind: 'startJob',
	value: 'start',
	name: 'Start',
	action: 'Research question in depth (legacy)',
	description: 'Research a question on the web and write an analysis with sources',
	request: { method: 'POST', path: '/v1/deep-research', bucket: 'crawl' },
	job: deepResearchJob,
	defaultMaxWaitSeconds: (sent) =>
		(typeof sent.timeLimit === 'number' ? sent.timeLimit : DEFAULT_TIME_LIMIT_SECONDS) +
		WRITE_UP_SECONDS,
	result: researchResult,
	worstCase: researchPrice,
	fields: [
		legacyNotice,
		query,
		formats,
		jsonOptions,
		waitChoiceWithoutCall,
		{ ...researchOutput, displayOptions: { show: { waitForCompletion: WAITS } } },
		optionList(
			...options,
			whenWaitedFor(waitOptions()),
			onUnclearStart,
			maxCredits,
			additionalFields,
		),
	],
};
