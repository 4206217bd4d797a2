import type { CallOperation } from '../../operation/operation';
import { policyItems } from './threatPolicy';

export const getThreatProtection: CallOperation = {
	kind: 'call',
	value: 'getThreatProtection',
	name: 'Get Threat Protection',
	action: 'Get threat protection policy',
	description: 'The URL safety policy of your organization (enterprise only)',
	request: { method: 'GET', path: '/v2/team/threat-protection', bucket: 'other' },
	toItems: policyItems,
	fields: [],
};
