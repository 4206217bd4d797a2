import type { Resource } from '../../operation/operation';
import { get } from './get';
import { start } from './start';

export const deepResearch: Resource = {
	value: 'deepResearch',
	name: 'Deep Research',
	description: 'Question in, written analysis with sources out (legacy v1, alpha)',
	operations: [start, get],
};
