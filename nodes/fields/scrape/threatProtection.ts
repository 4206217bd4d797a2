import type { INodeProperties } from 'n8n-workflow';
import { choiceField, groupField, numberField, textField } from '../field';

/** Most entries of each list (shape `threatProtection`). */
const MAX_ENTRIES = 1000;

/** Overrides the organization's URL safety policy. Also an option of Map and Search. */
export const threatProtection: INodeProperties = groupField(
	'threatProtection',
	'Threat Protection',
	'Add threat protection option',
	'Rules that replace those of your organization for this request. Enterprise only.',
	[
		textField(
			'whitelist',
			'Allow Domains',
			`Domains or patterns to allow whatever other rules say, separated by commas. At most ${MAX_ENTRIES}.`,
			{
				typeOptions: { sentAs: 'list', maxItems: MAX_ENTRIES },
				placeholder: 'e.g. example.com, *.example.org',
			},
		),
		textField(
			'blacklist',
			'Block Domains',
			`Domains or patterns to block always, separated by commas. At most ${MAX_ENTRIES}.`,
			{ typeOptions: { sentAs: 'list', maxItems: MAX_ENTRIES }, placeholder: 'e.g. example.net' },
		),
		textField(
			'blockedTlds',
			'Block TLDs',
			`Top-level domains to block, in lower case, without the dot, separated by commas. At most ${MAX_ENTRIES}.`,
			{ typeOptions: { sentAs: 'list', maxItems: MAX_ENTRIES }, placeholder: 'e.g. zip, mov' },
		),
		choiceField('mode', 'Mode', 'normal', 'How URLs are scanned', [
			['Manual Only', 'manual-only', 'Only your own lists count'],
			['Normal', 'normal', 'Scan each URL. Costs 2 more credits for each.'],
			['Off', 'off', 'No scan'],
			['Zscaler', 'zscaler', 'Ask Zscaler'],
		]),
		choiceField('failurePolicy', 'On Scan Failure', 'closed', 'What to do with URLs while they cannot be scanned', [
			['Allow', 'open', 'Let URLs through'],
			['Block', 'closed', 'Block URLs'],
		]),
		numberField(
			'riskScoreThreshold',
			'Risk Threshold',
			75,
			'Risk score from which a URL is blocked, 0 to 100; lower is stricter',
			{ min: 0, max: 100 },
		),
	],
	{ send: 'threatProtection' },
);
