import { storeAsFiles } from '../../fields/job/files';
import { optionList } from '../../fields/basic/optionList';
import type { CallOperation } from '../../operation/operation';
import { pageOutput, pagesOf, pageUsage, toPageItems } from './output';

export const get: CallOperation = {
	kind: 'call',
	value: 'get',
	name: 'Get',
	action: 'Get earlier scrape',
	description: 'Collect the result of an earlier scrape, without paying for it again',
	request: { method: 'GET', path: '/v2/scrape/{scrapeId}', bucket: 'crawlStatus' },
	toItems: toPageItems,
	pagesOf,
	usage: { ...pageUsage, read: () => ({ amount: 1, credits: undefined }) },
	fields: [
		{
			displayName: 'Scrape ID',
			name: 'scrapeId',
			type: 'string',
			typeOptions: { sentAs: 'id' },
			default: '',
			required: true,
			placeholder: 'e.g. 910303bc-a5d4-4d11-b2ce-061623f7695b',
			description: 'ID of the scrape: the scrapeId that Scrape, Crawl and Batch Scrape put out',
		},
		pageOutput,
		optionList(storeAsFiles),
	],
};
