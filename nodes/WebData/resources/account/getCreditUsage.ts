import type { CallOperation } from '../../operation/operation';
import { balanceItems } from './balance';

export const getCreditUsage: CallOperation = {
	kind: 'call',
	value: 'getCreditUsage',
	name: 'Get Credit Usage',
	action: 'Get credit usage',
	description: 'Credits left and those of the plan in this billing period',
	request: { method: 'GET', path: '/v2/team/credit-usage', bucket: 'crawlStatus' },
	toItems: balanceItems('credits'),
	fields: [],
};
