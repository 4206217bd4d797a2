import type { Resource } from '../../operation/operation';
import { cancel } from './cancel';
import { get } from './get';
import { getActive } from './getActive';
import { getErrors } from './getErrors';
import { previewOptions } from './previewOptions';
import { start } from './start';

export const crawl: Resource = {
	value: 'crawl',
	name: 'Crawl',
	description: 'Whole sites, page by page',
	operations: [start, get, getErrors, getActive, previewOptions, cancel],
};
