import type { Resource } from '../../operation/operation';
import { get } from './get';
import { start } from './start';

export const deepResearch: Resource = {
	value: 'deepResearch',
	name: 'Deep Research',
	description: 'Ask a question, get a written analysis with sources (legacy v1, alpha)',
	operations: [start, get],
};
