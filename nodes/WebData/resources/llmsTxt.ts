import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { llmsTxtPrice } from '../../cost/prices';
import { additionalFields, costLimits, optionList, url } from '../../fields/basic';
import { choiceField, noticeField, numberField, switchField } from '../../fields/field';
import {
	USUAL_MAX_WAIT_SECONDS,
	WAITS,
	getRecordFields,
	onUnclearStart,
	waitChoiceWithoutCall,
	waitOptions,
	whenWaitedFor,
} from '../../fields/job/wait';
import { getJob } from '../../operation/jobOperations';
import type { FileDraft, JobRecord, RecordResult, Resource, StartJobOperation } from '../../operation/operation';
import { isJsonObject } from '../../service/http/answer';
import { llmsTxtJob } from '../../service/jobs/jobKinds';

const llmsTxtOutput: INodeProperties = choiceField(
	'output',
	'Output',
	'text',
	'How to return the text',
	[
		['Files', 'files', 'In the binary fields llmstxt and llmsfulltxt'],
		['Text', 'text', 'In the fields llmstxt and llmsfulltxt'],
	],
	{ send: false },
);

const FILES = [
	{ field: 'llmstxt', fileName: 'llms.txt' },
	{ field: 'llmsfulltxt', fileName: 'llms-full.txt' },
];

/** Both texts as they came; the long one only when it was asked for. */
function textsOf({ body }: JobRecord): IDataObject {
	const data = isJsonObject(body.data) ? body.data : {};
	const found = FILES.filter(({ field }) => typeof data[field] === 'string' && data[field] !== '');
	return Object.fromEntries(found.map(({ field }) => [field, data[field]])) as IDataObject;
}

/** The text has one line for each page that was read (recording llms-11). */
function pagesOf({ data }: JobRecord['body']): number {
	const text = isJsonObject(data) && typeof data.llmstxt === 'string' ? data.llmstxt : '';
	return text.split('\n- [').length - 1;
}

/** Converts the jobs to items: the text, or two files. */
const llmsTxtResult: RecordResult = {
	toItems: (record, choice, asText) => {
		const { id, state, body, sent } = record;
		const texts = textsOf(record);
		const common: IDataObject = {
			id,
			status: state,
			...(typeof sent?.url === 'string' && { url: sent.url }),
			...(typeof body.expiresAt === 'string' && { expiresAt: body.expiresAt }),
		};
		if (choice !== 'files' || asText) return [{ json: { ...common, ...texts } }];
		const files = FILES.filter(({ field }) => field in texts).map(({ field, fileName }): FileDraft => ({
			field,
			fileName,
			mimeType: 'text/plain',
			text: String(texts[field]),
		}));
		return [{ json: common, files }];
	},
	toStartedItem: (id, { url }) => ({ id, url: String(url) }),
	// A site that cannot be read ends well all the same, with a heading (recordings llms-15, llms-51).
	remarks: (body) => (pagesOf(body) === 0 ? ['found no pages'] : []),
	usage: (body) => {
		const pages = pagesOf(body);
		const { expiresAt } = body;
		return {
			amount: pages,
			// Each page is a credit (docs/reference/service-notes.md#prices).
			credits: pages,
			expiresAt: typeof expiresAt === 'string' ? expiresAt : undefined,
		};
	},
	collectWith: 'LLMs.txt · Get',
	usageUnit: ['page', 'pages'],
};

const get = getJob(
	llmsTxtJob,
	{ action: 'Get llms.txt (legacy)', description: 'Get the files of a job by its job ID' },
	{ result: llmsTxtResult, fields: getRecordFields(llmsTxtOutput) },
);

const legacyNotice: INodeProperties = noticeField(
	'llmsTxtNotice',
	'Legacy (v1), without a successor. Each page costs 1 credit.',
);

// Required, so that it is always sent: sources name 2 and 10 as the service's own
// (docs/reference/service-notes.md#where-servers-differ).
const maxUrls: INodeProperties = numberField(
	'maxUrls',
	'Max Pages',
	10,
	'How many pages to read at most, 1 to 5000. Each costs one credit.',
	{ min: 1, max: 5000, required: true },
);

const start: StartJobOperation = {
	kind: 'startJob',
	value: 'start',
	name: 'Start',
	action: 'Create llms.txt of website (legacy)',
	description: 'Generate a llms.txt file for a site',
	request: { method: 'POST', path: '/v1/llmstxt', bucket: 'scrape' },
	job: llmsTxtJob,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: llmsTxtResult,
	worstCase: llmsTxtPrice,
	fields: [
		legacyNotice,
		url('Address of the site to describe', 'e.g. https://example.com'),
		maxUrls,
		switchField(
			'showFullText',
			'Full Text Too',
			false,
			'Whether to write llms-full.txt as well, with the text of all pages',
		),
		waitChoiceWithoutCall,
		{ ...llmsTxtOutput, displayOptions: { show: { waitForCompletion: WAITS } } },
		optionList(
			switchField('cache', 'Use Cache', true, 'Whether to accept a file that Firecrawl generated earlier'),
			whenWaitedFor(waitOptions()),
			onUnclearStart,
			...costLimits,
			additionalFields,
		),
	],
};

export const llmsTxt: Resource = {
	value: 'llmsTxt',
	name: 'LLMs.txt',
	description: 'Legacy: generate a llms.txt file, which tells language models what a site has',
	operations: [start, get],
};
