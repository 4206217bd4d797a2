import type { Resource } from '../../operation/operation';
import { ask } from './ask';
import { searchDocs } from './searchDocs';

export const support: Resource = {
	value: 'support',
	name: 'Support',
	description: 'Ask the service about a failing job, or its documentation',
	operations: [ask, searchDocs],
	defaultOperation: 'ask',
};
