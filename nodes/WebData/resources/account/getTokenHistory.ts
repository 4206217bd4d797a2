import type { CallOperation } from '../../operation/operation';
import { byApiKey, historyItems } from './balance';

export const getTokenHistory: CallOperation = {
	kind: 'call',
	value: 'getTokenHistory',
	name: 'Get Token History',
	action: 'Get token history',
	description: 'Tokens used in each billing period, one item each',
	request: { method: 'GET', path: '/v2/team/token-usage/historical', bucket: 'agentStatus' },
	toItems: historyItems('tokens'),
	fields: [byApiKey],
};
