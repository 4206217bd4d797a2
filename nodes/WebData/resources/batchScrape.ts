import type { INodeProperties } from 'n8n-workflow';
import { batchPrice } from '../../cost/prices';
import { additionalFields, costLimits, optionListNamed } from '../../fields/basic';
import { choiceField, switchField, textField } from '../../fields/field';
import { formats } from '../../fields/formats';
import { getPagesFields, optionsOfPages, optionsOfPagesStart, pagesOutput } from '../../fields/job/pages';
import { USUAL_MAX_WAIT_SECONDS, WAITS, maxConcurrency, waitChoice, webhook } from '../../fields/job/wait';
import { scrapeOptions } from '../../fields/scrape/scrapeOptions';
import { cancelJob, getErrorsOfJob, getJob } from '../../operation/jobOperations';
import type { Resource, StartJobOperation } from '../../operation/operation';
import { pagesResult } from '../../operation/pages';
import { batchScrapeJob } from '../../service/jobs/jobKinds';

const cancel = cancelJob(batchScrapeJob, {
	action: 'Cancel batch scrape',
	description: 'Stop a running batch scrape; Get still returns the pages that are done',
});

/** Converts batch scrapes to items. The first answer names the URLs that the service skipped. */
const batchScrapeResult = pagesResult('Batch Scrape · Get', ['invalidURLs']);

const get = getJob(
	batchScrapeJob,
	{
		action: 'Get pages of batch scrape',
		description: 'Get the pages of a batch scrape by its job ID, such as one started with Do Not Wait',
	},
	{ result: batchScrapeResult, fields: getPagesFields() },
);

const getErrors = getErrorsOfJob(batchScrapeJob, {
	action: 'Get failed pages of batch scrape',
	description: 'List the pages that a batch scrape failed on, with the reason, one item each',
});

/** Most URLs in one job. The contract names no limit; a request of this size stays small. */
const MAX_URLS = 1000;

const urlsFrom: INodeProperties = choiceField(
	'urlsFrom',
	'URLs From',
	'items',
	'Where the URLs to scrape come from',
	[
		['A List', 'list', 'Each input item has a list of URLs and becomes one job'],
		['Input Items', 'items', `Each input item has one URL and gets its own page back; up to ${MAX_URLS} share a job`],
	],
	{ send: false },
);

const url: INodeProperties = textField('url', 'URL', 'Address of the page to scrape, one for each input item', {
	default: '={{ $json.url }}',
	typeOptions: { sentAs: 'url' },
	required: true,
	placeholder: 'e.g. https://example.com/page',
	displayOptions: { show: { urlsFrom: ['items'] } },
	send: 'urls',
});

const urls: INodeProperties = textField(
	'urls',
	'URLs',
	'Addresses of the pages to scrape, one per line or separated by commas, or a list from an expression',
	{
		typeOptions: { rows: 5, sentAs: 'urls', skipsInvalid: 'ignoreInvalidURLs' },
		required: true,
		placeholder: 'e.g. https://example.com/page',
		displayOptions: { show: { urlsFrom: ['list'] } },
	},
);

// Always sent: servers differ in what they do without it (docs/reference/service-notes.md#where-servers-differ, recording
// batch-05b).
const ignoreInvalidUrls: INodeProperties = switchField(
	'ignoreInvalidURLs',
	'Skip Invalid URLs',
	true,
	'Whether to leave out what is no web address, and let Firecrawl skip URLs that it refuses, instead of refusing the whole job',
	{ typeOptions: { whenNotAdded: true } },
);

const appendToId: INodeProperties = textField(
	'appendToId',
	'Append to Job ID',
	'ID of a batch scrape to add the URLs to, instead of starting a new one. Returns all pages of that job. Stopping the execution does not cancel it.',
	{ typeOptions: { sentAs: 'id' }, placeholder: 'e.g. fd35809c-…' },
);

const start: StartJobOperation = {
	kind: 'startJob',
	value: 'start',
	name: 'Start',
	action: 'Scrape list of pages to text or structured data',
	description: 'Scrape many pages by their URLs in one job',
	request: { method: 'POST', path: '/v2/batch/scrape', bucket: 'crawl' },
	job: batchScrapeJob,
	groupBy: { property: 'urls', mostInOneJob: MAX_URLS },
	addsTo: 'appendToId',
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: batchScrapeResult,
	worstCase: batchPrice,
	fields: [
		urlsFrom,
		url,
		urls,
		...formats(),
		waitChoice,
		{ ...pagesOutput, displayOptions: { show: { waitForCompletion: WAITS } } },
		scrapeOptions(undefined, { more: optionsOfPages }),
		optionListNamed(
			'Batch Options',
			maxConcurrency,
			...optionsOfPagesStart,
			appendToId,
			ignoreInvalidUrls,
			webhook,
			...costLimits,
			additionalFields,
		),
	],
};

export const batchScrape: Resource = {
	value: 'batchScrape',
	name: 'Batch Scrape',
	description: 'Scrape many pages whose URLs you have, in one job',
	operations: [start, get, getErrors, cancel],
};
