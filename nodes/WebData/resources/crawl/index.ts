import type { Resource } from '../operation';
import { getActive } from './getActive';

export const crawl: Resource = {
	value: 'crawl',
	name: 'Crawl',
	description: 'Whole sites, page by page',
	operations: [getActive],
};
