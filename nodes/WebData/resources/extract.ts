import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { extractPrice } from '../../cost/prices';
import { additionalFields, onlyPrice, optionList, rareOptions } from '../../fields/basic';
import { choiceField, jsonField, noticeField, switchField, textField } from '../../fields/field';
import { structureFields } from '../../fields/job/pages';
import {
	USUAL_MAX_WAIT_SECONDS,
	WAITS,
	getRecordFields,
	onUnclearStart,
	waitChoice,
	waitOptions,
	webhook,
	whenWaitedFor,
} from '../../fields/job/wait';
import { threatProtection } from '../../fields/scrape/threatProtection';
import { getJob } from '../../operation/jobOperations';
import type { JobRecord, RecordResult, Resource, StartJobOperation } from '../../operation/operation';
import { holdsNothing, recordFields } from '../../operation/recordFields';
import { readCredits } from '../../operation/webPage';
import { extractJob } from '../../service/jobs/jobKinds';

const extractOutput: INodeProperties = choiceField(
	'output',
	'Output',
	'simplified',
	'What to return for each finished job',
	[
		['Full Record', 'fullRecord', 'All that Firecrawl returns, with tokens, sources, expiry'],
		['Simplified', 'simplified', 'ID, status, the data, its sources'],
	],
	{ send: false },
);

function simplified({ id, state, body }: JobRecord): IDataObject {
	const { data, sources } = body;
	const creditsUsed = readCredits(body);
	return {
		id,
		status: state,
		data: (data ?? null) as IDataObject,
		...(sources !== undefined && { sources: sources as IDataObject }),
		...(creditsUsed !== undefined && { creditsUsed }),
	};
}

function fullRecord(record: JobRecord): IDataObject {
	return { ...simplified(record), ...recordFields(record.body) };
}

/** Credits, or what the tokens cost (docs/reference/service-notes.md#prices: 15 tokens are a credit). */
function creditsOf(body: JobRecord['body']): number | undefined {
	const { tokensUsed } = body;
	return readCredits(body) ?? (typeof tokensUsed === 'number' ? Math.ceil(tokensUsed / 15) : undefined);
}

/** Converts extract jobs to items. */
const extractResult: RecordResult = {
	toItems: (record, choice) => [{ json: choice === 'fullRecord' ? fullRecord(record) : simplified(record) }],
	toStartedItem: (id, { urls, prompt }) => ({
		id,
		...(Array.isArray(urls) && { urls: urls as string[] }),
		...(typeof prompt === 'string' && { prompt }),
	}),
	remarks: ({ data }) => (holdsNothing(data) ? ['gave no data'] : []),
	usage: (body) => ({
		amount: 1,
		credits: creditsOf(body),
		expiresAt: typeof body.expiresAt === 'string' ? body.expiresAt : undefined,
	}),
	collectWith: 'Extract · Get',
	usageUnit: ['result', 'results'],
};

const get = getJob(
	extractJob,
	{
		action: 'Get extracted data (deprecated)',
		description: 'Get the result of an extract by its job ID',
	},
	{ result: extractResult, fields: getRecordFields(extractOutput) },
);

/** Most addresses of one job (recording extract-62). */
const MAX_URLS = 10;
const MAX_PROMPT_LENGTH = 10_000;

// The price of a job is only known when it has ended (docs/reference/service-notes.md#prices), and no field of the
// request sets a bound to it: Max Credits (This Run) could do nothing but refuse every run, so it is not offered.
const deprecatedNotice: INodeProperties = noticeField(
	'extractNotice',
	'1 credit for 15 tokens without a cap. Deprecated: use Agent.',
);

const urls: INodeProperties = textField(
	'urls',
	'URLs',
	`Pages to read, one address per line, at most ${MAX_URLS}. A * at the end takes all pages below. Either URLs or a prompt is needed.`,
	{
		typeOptions: { sentAs: 'urls', maxItems: MAX_URLS },
		placeholder: 'e.g. https://example.com/products/*',
	},
);

const prompt: INodeProperties = textField(
	'prompt',
	'Prompt',
	`What to extract, in plain words, at most ${MAX_PROMPT_LENGTH} characters`,
	{
		typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
		placeholder: 'e.g. Name and price of each product',
	},
);

const options: INodeProperties[] = [
	choiceField(
		'agent',
		'Browsing Agent',
		'FIRE-1',
		'Agent that clicks and types to reach the data',
		[['FIRE-1', 'FIRE-1']],
		{ send: 'agent.model' },
	),
	switchField('allowExternalLinks', 'Follow External Links', false, 'Whether to follow links to other sites'),
	switchField('ignoreInvalidURLs', 'Skip Invalid URLs', true, 'Whether to skip URLs that Firecrawl refuses'),
	switchField('ignoreSitemap', 'Ignore Sitemap', false, 'Whether to find pages by links only, without the sitemap'),
	switchField('includeSubdomains', 'Include Subdomains', true, 'Whether to read pages on subdomains as well'),
	switchField(
		'enableWebSearch',
		'Search the Web',
		false,
		'Whether to search the web for data that is not on the given URLs',
	),
	switchField('showSources', 'Show Sources', false, 'Whether to return the page that each field comes from'),
	textField('systemPrompt', 'System Prompt', `Role and rules for the model, at most ${MAX_PROMPT_LENGTH} characters`, {
		typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
		placeholder: 'e.g. Leave out what is out of stock',
	}),
];

/** One field: a deprecated operation does not get the fifty of Page · Scrape. */
const scrapeOptions: INodeProperties = jsonField(
	'scrapeOptions',
	'Scrape Options (JSON)',
	'{}',
	'How each page is fetched, as a JSON object with the names of the API, such as { "waitFor": 1000 }',
	{ placeholder: 'e.g. { "waitFor": 1000 }' },
);

const start: StartJobOperation = {
	kind: 'startJob',
	value: 'start',
	name: 'Start',
	action: 'Extract data from pages (deprecated)',
	description: 'Collect structured data from several pages or a whole site',
	request: { method: 'POST', path: '/v2/extract', bucket: 'agent' },
	job: extractJob,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: extractResult,
	worstCase: extractPrice,
	fields: [
		deprecatedNotice,
		urls,
		prompt,
		...structureFields,
		waitChoice,
		{ ...extractOutput, displayOptions: { show: { waitForCompletion: WAITS } } },
		optionList(
			...options,
			scrapeOptions,
			whenWaitedFor(waitOptions()),
			onUnclearStart,
			webhook,
			onlyPrice,
			rareOptions(threatProtection),
			additionalFields,
		),
	],
};

export const extract: Resource = {
	value: 'extract',
	name: 'Extract',
	description: 'Deprecated: structured data from several pages. Take Page with JSON, or Agent, instead.',
	operations: [start, get],
};
