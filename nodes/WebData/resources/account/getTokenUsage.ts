import type { CallOperation } from '../../operation/operation';
import { balanceItems } from './balance';

export const getTokenUsage: CallOperation = {
	kind: 'call',
	value: 'getTokenUsage',
	name: 'Get Token Usage',
	action: 'Get token usage',
	description: 'Tokens left for Extract and those of the plan in this billing period',
	request: { method: 'GET', path: '/v2/team/token-usage', bucket: 'agentStatus' },
	toItems: balanceItems('tokens'),
	fields: [],
};
