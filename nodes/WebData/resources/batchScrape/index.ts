import type { Resource } from '../../operation/operation';
import { cancel } from './cancel';
import { get } from './get';
import { getErrors } from './getErrors';
import { start } from './start';

export const batchScrape: Resource = {
	value: 'batchScrape',
	name: 'Batch Scrape',
	description: 'Scrape many pages whose URLs you have, in one job',
	operations: [start, get, getErrors, cancel],
};
