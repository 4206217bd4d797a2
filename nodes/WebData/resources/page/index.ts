import type { Resource } from '../../operation/operation';
import { get } from './get';
import { scrape } from './scrape';

export const page: Resource = {
	value: 'page',
	name: 'Page',
	description: 'Scrape one page: URL in, clean content out',
	operations: [scrape, get],
	defaultOperation: 'scrape',
};
