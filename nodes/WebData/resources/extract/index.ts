import type { Resource } from '../../operation/operation';
import { get } from './get';
import { start } from './start';

export const extract: Resource = {
	value: 'extract',
	name: 'Extract',
	description:
		'Deprecated: structured data from several pages. Take Page with JSON, or Agent, instead.',
	operations: [start, get],
};
