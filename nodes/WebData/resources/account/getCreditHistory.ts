import type { CallOperation } from '../../operation/operation';
import { byApiKey, historyItems } from './balance';

export const getCreditHistory: CallOperation = {
	kind: 'call',
	value: 'getCreditHistory',
	name: 'Get Credit History',
	action: 'Get credit history',
	description: 'Credits used in each billing period, one item each',
	request: { method: 'GET', path: '/v2/team/credit-usage/historical', bucket: 'crawlStatus' },
	toItems: historyItems('credits'),
	fields: [byApiKey],
};
