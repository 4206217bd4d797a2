import type { Resource } from '../../operation/operation';
import { getActivity } from './getActivity';
import { getConcurrency } from './getConcurrency';
import { getCreditHistory } from './getCreditHistory';
import { getCreditUsage } from './getCreditUsage';
import { getQueueStatus } from './getQueueStatus';
import { getThreatProtection } from './getThreatProtection';
import { getTokenHistory } from './getTokenHistory';
import { getTokenUsage } from './getTokenUsage';
import { updateThreatProtection } from './updateThreatProtection';

export const account: Resource = {
	value: 'account',
	name: 'Account',
	description: 'Look up credits left, what ran in the last 24 hours, and the queue',
	operations: [
		getCreditUsage,
		getCreditHistory,
		getActivity,
		getQueueStatus,
		getConcurrency,
		getTokenUsage,
		getTokenHistory,
		getThreatProtection,
		updateThreatProtection,
	],
	defaultOperation: 'getCreditUsage',
};
