import type { INodeProperties } from 'n8n-workflow';

import { crawlJob } from '../../../service/jobs/jobKinds';
import { formats } from '../../fields/formats/formats';
import { maxCredits } from '../../fields/basic/maxCredits';
import { optionListNamed } from '../../fields/basic/optionList';
import { crawlPrice } from '../../cost/prices';
import { additionalFields } from '../../fields/basic/additionalFields';
import { rareOptions } from '../../fields/basic/rareOptions';
import { storePagesAsFiles } from '../../fields/job/files';
import { pagesOutput, optionsOfPagesStart } from '../../fields/job/pages';
import { scrapeOptions } from '../../fields/scrape/scrapeOptions';
import { url } from '../../fields/basic/url';
import { USUAL_MAX_WAIT_SECONDS, waitChoice, WAITS } from '../../fields/job/wait';
import { webhook } from '../../fields/job/webhook';
import type { StartJobOperation } from '../../operation/operation';
import { pathPatternFault } from './pathPatterns';
import { crawlResult } from './result';
import { crawlOptions, rareCrawlOptions } from './scope';

// Required, so that it is always sent: without it the service takes 10,000 and refuses the start with
// 402 when the credits do not cover that many (docs/service-notes.md#prices).
const pageLimit: INodeProperties = {
	displayName: 'Page Limit',
	name: 'pageLimit',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 100,
	required: true,
	description:
		'How many pages to crawl at most. Each costs at least one credit. With fewer credits left than this, Firecrawl crawls fewer pages or refuses to start.',
	routing: { send: { type: 'body', property: 'limit' } },
};

export const start: StartJobOperation = {
	kind: 'startJob',
	value: 'start',
	name: 'Start',
	action: 'Crawl website and get all pages',
	description: 'Scrape a site page by page, following its links',
	request: { method: 'POST', path: '/v2/crawl', bucket: 'crawl' },
	job: crawlJob,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: crawlResult,
	worstCase: crawlPrice,
	faultIn: pathPatternFault,
	fields: [
		url(
			'Address to start at. Only pages below it are crawled, unless an option says otherwise.',
			'e.g. https://example.com/docs',
			'https://example.com',
		),
		pageLimit,
		...formats('scrapeOptions'),
		waitChoice,
		{ ...pagesOutput, displayOptions: { show: { waitForCompletion: WAITS } } },
		scrapeOptions('scrapeOptions', {
			// A crawl has zero data retention for all of its pages at once.
			without: ['zeroDataRetention'],
			more: [storePagesAsFiles],
		}),
		optionListNamed(
			'Crawl Options',
			...crawlOptions,
			...optionsOfPagesStart,
			webhook,
			maxCredits,
			rareOptions(...rareCrawlOptions),
			additionalFields,
		),
	],
};
