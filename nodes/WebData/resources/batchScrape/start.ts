import type { INodeProperties } from 'n8n-workflow';

import { batchScrapeJob } from '../../../service/jobs/jobKinds';
import { formats } from '../../fields/formats/formats';
import { batchPrice } from '../../cost/prices';
import { maxCredits } from '../../fields/basic/maxCredits';
import { additionalFields } from '../../fields/basic/additionalFields';
import { optionListNamed } from '../../fields/basic/optionList';
import { maxConcurrency } from '../../fields/job/maxConcurrency';
import { storePagesAsFiles } from '../../fields/job/files';
import { pagesOutput, optionsOfPagesStart } from '../../fields/job/pages';
import { scrapeOptions } from '../../fields/scrape/scrapeOptions';
import { USUAL_MAX_WAIT_SECONDS, waitChoice, WAITS } from '../../fields/job/wait';
import { webhook } from '../../fields/job/webhook';
import type { StartJobOperation } from '../../operation/operation';
import { batchScrapeResult } from './result';

/** Most URLs in one job. The contract names no limit; a request of this size stays small. */
const MAX_URLS = 1000;

const urlsFrom: INodeProperties = {
	displayName: 'URLs From',
	name: 'urlsFrom',
	type: 'options',
	options: [
		{
			name: 'A List',
			value: 'list',
			description: 'Each input item has a list of URLs and becomes one job',
		},
		{
			name: 'Input Items',
			value: 'items',
			description: `Each input item has one URL and gets its own page back; up to ${MAX_URLS} share a job`,
		},
	],
	default: 'items',
	description: 'Where the URLs to scrape come from',
};

const url: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	typeOptions: { sentAs: 'url' },
	default: '={{ $json.url }}',
	required: true,
	placeholder: 'e.g. https://example.com/page',
	description: 'Address of the page to scrape, one for each input item',
	displayOptions: { show: { urlsFrom: ['items'] } },
	routing: { send: { type: 'body', property: 'urls' } },
};

const urls: INodeProperties = {
	displayName: 'URLs',
	name: 'urls',
	type: 'string',
	typeOptions: { rows: 5, sentAs: 'urls' },
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com/page',
	description:
		'Addresses of the pages to scrape, one per line or separated by commas, or a list from an expression',
	displayOptions: { show: { urlsFrom: ['list'] } },
	routing: { send: { type: 'body', property: 'urls' } },
};

// Always sent: servers differ in what they do without it (docs/service-notes.md#where-servers-differ, recording
// batch-05b).
const ignoreInvalidUrls: INodeProperties = {
	displayName: 'Skip Invalid URLs',
	name: 'ignoreInvalidURLs',
	type: 'boolean',
	default: true,
	typeOptions: { whenNotAdded: true },
	description: 'Whether Firecrawl skips invalid URLs instead of refusing the whole job',
	routing: { send: { type: 'body', property: 'ignoreInvalidURLs' } },
};

const appendToId: INodeProperties = {
	displayName: 'Append to Job ID',
	name: 'appendToId',
	type: 'string',
	typeOptions: { sentAs: 'id' },
	default: '',
	placeholder: 'e.g. fd35809c-…',
	description:
		'ID of a batch scrape to add the URLs to, instead of starting a new one. Returns all pages of that job. Stopping the execution does not cancel it.',
	routing: { send: { type: 'body', property: 'appendToId' } },
};

export const start: StartJobOperation = {
	kind: 'startJob',
	value: 'start',
	name: 'Start',
	action: 'Scrape list of pages to text or structured data',
	description: 'Scrape many pages by their URLs in one job',
	request: { method: 'POST', path: '/v2/batch/scrape', bucket: 'crawl' },
	job: batchScrapeJob,
	joinBy: { property: 'urls', mostInOneJob: MAX_URLS },
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
		scrapeOptions(undefined, { more: [storePagesAsFiles] }),
		optionListNamed(
			'Batch Options',
			maxConcurrency,
			...optionsOfPagesStart,
			appendToId,
			ignoreInvalidUrls,
			webhook,
			maxCredits,
			additionalFields,
		),
	],
};
