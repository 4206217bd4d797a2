import type { Resource } from '../../operation/operation';
import { ask } from './ask';
import { searchDocs } from './searchDocs';

export const support: Resource = {
	value: 'support',
	name: 'Support',
	description: 'Ask why a job failed, or search the documentation of the service',
	operations: [ask, searchDocs],
	defaultOperation: 'ask',
};
