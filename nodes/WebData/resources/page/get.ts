import { storeAsFiles } from '../../fields/job/files';
import { optionList } from '../../fields/basic/optionList';
import { pathId } from '../../fields/basic/pathId';
import type { CallOperation } from '../../operation/operation';
import { pageIn } from '../../operation/webPage';
import { pageOutput, toPageItems } from './output';

export const get: CallOperation = {
	kind: 'call',
	value: 'get',
	name: 'Get',
	action: 'Get page that was scraped before',
	description: 'Collect the result of an earlier scrape, without paying for it again',
	request: { method: 'GET', path: '/v2/scrape/{scrapeId}', bucket: 'crawlStatus' },
	about: {
		id: 'scrapeId',
		what: 'scrape',
		orElse: 'its result has expired, or this server keeps none',
		from: 'Scrape, Crawl and Batch Scrape (as scrapeId)',
	},
	toItems: toPageItems,
	pagesOf: pageIn,
	usage: { unit: 'page', read: () => ({ amount: 1, credits: undefined }) },
	fields: [
		pathId(
			'Scrape ID',
			'scrapeId',
			'ID of the scrape (a UUID): scrapeId in the output of Scrape, Crawl or Batch Scrape',
		),
		pageOutput,
		optionList(storeAsFiles),
	],
};
