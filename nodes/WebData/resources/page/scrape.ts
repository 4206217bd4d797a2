import { additionalFields } from '../../fields/basic/additionalFields';
import { storePagesAsFiles } from '../../fields/job/files';
import { formats } from '../../fields/formats/formats';
import { scrapePrice } from '../../cost/prices';
import { maxCredits } from '../../fields/basic/maxCredits';
import { scrapeOptions } from '../../fields/scrape/scrapeOptions';
import { url } from '../../fields/basic/url';
import { scrapedPage } from '../../../service/jobs/jobKinds';
import type { CallOperation } from '../../operation/operation';
import { pageIn, scrapedUsage, scrapeIdOf } from '../../operation/webPage';
import { get } from './get';
import { pageOutput, toPageItems } from './output';

/** Time that the service has for a page when none is sent (shape `scrapeOptions`). */
const DEFAULT_TIMEOUT_MS = 60_000;

/** The service's own time-out must come first: its answer says what happened. */
const SPARE_MS = 30_000;

export const scrape: CallOperation = {
	kind: 'call',
	value: 'scrape',
	name: 'Scrape',
	action: 'Scrape page to text or structured data',
	description: 'Get a page as clean Markdown, structured data, a screenshot and more',
	request: { method: 'POST', path: '/v2/scrape', bucket: 'scrape' },
	timeoutMs: ({ timeout }) =>
		(typeof timeout === 'number' ? timeout : DEFAULT_TIMEOUT_MS) + SPARE_MS,
	toItems: toPageItems,
	usage: scrapedUsage('page'),
	pagesOf: pageIn,
	worstCase: scrapePrice,
	recall: {
		idOf: scrapeIdOf,
		kind: scrapedPage,
		request: { ...get.request, path: '/v2/scrape/{id}' },
		collectWith: 'Page · Get',
	},
	fields: [
		url('Address of the page to scrape', 'e.g. https://example.com/article', 'https://example.com'),
		...formats(),
		pageOutput,
		scrapeOptions(undefined, {
			more: [storePagesAsFiles, maxCredits],
			last: [additionalFields],
		}),
	],
};
