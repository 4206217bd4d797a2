import type { Resource } from '../../operation/operation';
import { get } from './get';
import { start } from './start';

export const llmsTxt: Resource = {
	value: 'llmsTxt',
	name: 'LLMs.txt',
	description: 'Legacy: generate a llms.txt file, which tells language models what a site has',
	operations: [start, get],
};
