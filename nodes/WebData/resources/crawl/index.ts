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
	description: 'Crawl a site: one address in, all pages below it out',
	operations: [start, get, getErrors, getActive, previewOptions, cancel],
};
