import type { Resource } from '../../operation/operation';
import { rateJob } from './rateJob';
import { rateSearch } from './rateSearch';

export const feedback: Resource = {
	value: 'feedback',
	name: 'Feedback',
	description: 'Rate a result to help Firecrawl improve; a rated search may refund a credit',
	operations: [rateSearch, rateJob],
	defaultOperation: 'rateSearch',
};
