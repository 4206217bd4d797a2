import type { Resource } from '../../operation/operation';
import { ask } from './ask';
import { searchDocs } from './searchDocs';

export const support: Resource = {
	value: 'support',
	name: 'Support',
	description: 'Ask why a job failed, or search Firecrawl’s documentation',
	operations: [ask, searchDocs],
	defaultOperation: 'ask',
};
