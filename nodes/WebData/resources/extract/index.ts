import type { Resource } from '../../operation/operation';
import { get } from './get';
import { start } from './start';

export const extract: Resource = {
	value: 'extract',
	name: 'Extract',
	description:
		'Deprecated: structured data from several pages at once; Scrape with JSON and Agent replace it',
	operations: [start, get],
};
