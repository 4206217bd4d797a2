import type { Resource } from '../../operation/operation';
import { get } from './get';
import { start } from './start';

export const deepResearch: Resource = {
	value: 'deepResearch',
	name: 'Deep Research',
	description: 'Legacy (v1, alpha): for new workflows use the node Web Research',
	operations: [start, get],
};
