import type { INodeProperties } from 'n8n-workflow';

import { threatProtection } from '../../fields/scrape/threatProtection';
import { additionalFields } from '../../fields/basic/additionalFields';
import { optionList } from '../../fields/basic/optionList';
import type { CallOperation } from '../../operation/operation';
import { policyItems } from './threatPolicy';

/** The lists are those of a single request, told as rules for the whole organization. */
const ruleFields = ['whitelist', 'blacklist', 'blockedTlds', 'riskScoreThreshold', 'failurePolicy'];
const rules = (threatProtection.options ?? []).filter(
	(option): option is INodeProperties => 'type' in option && ruleFields.includes(option.name),
);

const mode: INodeProperties = {
	displayName: 'Mode',
	name: 'mode',
	type: 'options',
	options: [
		{ name: 'Normal', value: 'normal', description: 'Scan each URL, for 2 more credits each' },
		{ name: 'Off', value: 'off', description: 'No scan' },
	],
	default: 'normal',
	required: true,
	description: 'How URLs are scanned before they are fetched',
	routing: { send: { type: 'body', property: 'mode' } },
};

const replaceNotice: INodeProperties = {
	displayName: 'This replaces the whole policy of the organization: what you leave out is reset.',
	name: 'replaceNotice',
	type: 'notice',
	default: '',
};

const policyRules: INodeProperties = {
	displayName: 'Rules',
	name: 'rules',
	type: 'collection',
	placeholder: 'Add rule',
	default: {},
	description: 'The rules of the new policy. What is not added is reset to its default.',
	options: [
		{
			displayName: 'Allow Request Overrides',
			name: 'allowRequestOverrides',
			type: 'boolean',
			default: true,
			description: 'Whether a single request may use its own rules',
			routing: { send: { type: 'body', property: 'allowRequestOverrides' } },
		},
		...rules,
	],
};

export const updateThreatProtection: CallOperation = {
	kind: 'call',
	value: 'updateThreatProtection',
	name: 'Update Threat Protection',
	action: 'Replace threat protection policy',
	description: 'Replace the URL safety policy of your whole organization (enterprise only)',
	request: { method: 'PUT', path: '/v2/team/threat-protection', bucket: 'other' },
	toItems: policyItems,
	fields: [replaceNotice, mode, policyRules, optionList(additionalFields)],
};
