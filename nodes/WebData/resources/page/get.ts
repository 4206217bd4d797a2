import { storeAsFiles } from '../../fields/job/files';
import { optionList } from '../../fields/basic/optionList';
import { pathId } from '../../fields/basic/pathId';
import type { CallOperation } from '../../operation/operation';
import { pageOutput, pagesOf, toPageItems } from './output';

export const get: CallOperation = {
	kind: 'call',
	value: 'get',
	name: 'Get',
	action: 'Get earlier scrape',
	description: 'Collect the result of an earlier scrape, without paying for it again',
	request: { method: 'GET', path: '/v2/scrape/{scrapeId}', bucket: 'crawlStatus' },
	toItems: toPageItems,
	pagesOf,
	usage: { unit: 'page', read: () => ({ amount: 1, credits: undefined }) },
	fields: [
		pathId(
			'Scrape ID',
			'scrapeId',
			'ID of the scrape (a UUID): the scrapeId that Scrape, Crawl and Batch Scrape put out',
		),
		pageOutput,
		optionList(storeAsFiles),
	],
};
