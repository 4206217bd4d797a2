import type { Resource } from '../../operation/operation';
import { cancel } from './cancel';
import { get } from './get';
import { getErrors } from './getErrors';
import { start } from './start';

export const batchScrape: Resource = {
	value: 'batchScrape',
	name: 'Batch Scrape',
	description: 'Many pages, given by their URLs, in one job',
	operations: [start, get, getErrors, cancel],
};
