import type { Resource } from '../../operation/operation';
import { rateJob } from './rateJob';
import { rateSearch } from './rateSearch';

export const feedback: Resource = {
	value: 'feedback',
	name: 'Feedback',
	description: 'Rate a result so that the service gets better; a rated search may refund a credit',
	operations: [rateSearch, rateJob],
	defaultOperation: 'rateSearch',
};
