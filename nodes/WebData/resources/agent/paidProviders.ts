import type { IDataObject, IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { choiceField, numberField, rowsField, switchField, textField } from '../../../fields/field';
import { isJsonObject } from '../../../service/http/answer';
import { shorten } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';
import { count } from '../../../text/amounts';
import { isText } from '../../../text/values';

/** Most toolkits of one run (docs/reference/service-notes.md#paid-providers-of-the-agent). */
const MAX_TOOLKITS = 5;

// All of it is sent once it is set: what is left out is as in the turn before, which the panel does not show.
const sent = { required: true } as const;

/** Whether an agent may pay data providers, and who agrees to that. An option of Start. */
export const paidProviders: INodeProperties = rowsField(
	'exchange',
	'Paid Data Providers',
	'Set providers',
	'Whether the agent may buy data, which costs credits beside its own. Not on every server.',
	[
		'exchange',
		'Paid Data Providers',
		[
			switchField('enabled', 'Enabled', true, 'Whether the agent may use them', sent),
			switchField(
				'requireApproval',
				'Require Approval',
				true,
				'Whether the run ends before it pays and says what it would buy. Needs the option Mode set to Chat. Approve or Decline goes on.',
				sent,
			),
			numberField('maxCalls', 'Max Calls', 5, 'How many paid calls a run may make', { min: 1, ...sent }),
			choiceField(
				'onTermsRequired',
				'Terms',
				'skip',
				'What to do with a provider whose terms nobody in your organization has accepted',
				[
					['Ask', 'ask', 'End the run and say whose terms they are'],
					['Skip', 'skip', 'Go on without that provider'],
				],
				sent,
			),
			textField('toolkits', 'Toolkits', `Toolkits to use, separated by commas, at most ${MAX_TOOLKITS}. Empty: any.`, {
				typeOptions: { sentAs: 'list', maxItems: MAX_TOOLKITS },
				placeholder: 'e.g. companies, prices',
			}),
		],
	],
	{ send: 'exchange' },
);

// Not "shown for approve": n8n's editor would hide it where an expression decides, which it cannot evaluate yet.
const ifApproved: IDisplayOptions = { hide: { decision: ['decline'] } };

/** The decision on an approval that a run waits for. */
export const decisionFields: INodeProperties[] = [
	textField('threadId', 'Thread ID', 'ID of the conversation that waits: threadId in the output of Start or Get', {
		required: true,
		typeOptions: { sentAs: 'token' },
		placeholder: 'e.g. 910303bc-…',
	}),
	choiceField(
		'decision',
		'Decision',
		'approve',
		'What the agent is to do about the paid calls that it asks for',
		[
			['Approve', 'approve', 'Make the calls, which costs credits, and go on'],
			['Decline', 'decline', 'Go on without them'],
		],
		{ send: false, typeOptions: { isNeeded: true } },
	),
	approvalId('approve'),
	approvalId('decline'),
	textField('callIds', 'Calls', 'IDs of the calls to approve, separated by commas. Empty: all.', {
		typeOptions: { sentAs: 'tokens', isEmptyAll: true },
		placeholder: 'e.g. call-1, call-2',
		displayOptions: ifApproved,
		send: 'exchange.approve.callIds',
	}),
	switchField(
		'always',
		'Approve From Now On',
		false,
		'Whether to ask no more in this conversation: later calls are paid without approval',
		{ displayOptions: ifApproved, send: 'exchange.approve.always' },
	),
];

/** The same field for both decisions: it goes to another place. */
function approvalId(decision: 'approve' | 'decline'): INodeProperties {
	return textField(
		'approvalId',
		'Approval ID',
		'ID of the approval: pendingApproval.id in the output of Start or Get',
		{
			required: true,
			typeOptions: { sentAs: 'token' },
			placeholder: 'e.g. 910303bc-…',
			displayOptions: decision === 'approve' ? ifApproved : { show: { decision: ['decline'] } },
			send: `exchange.${decision}.approvalId`,
		},
	);
}

/**
 * Without Mode → Chat on the same call, nobody says that the service waits for an approval
 * (docs/reference/service-notes.md#paid-providers-of-the-agent): undefined where a start can be sent.
 */
export function approvalFault({ exchange, mode }: JsonObject): string | undefined {
	if (!isJsonObject(exchange)) return undefined;
	const { enabled = true, requireApproval } = exchange;
	if (enabled !== true || requireApproval !== true || mode === 'chat') return undefined;
	return '"Require Approval" holds only with the option "Mode" set to Chat in the same request, also in a conversation that goes on: set it, or turn "Require Approval" off and the agent pays without asking. Nothing was sent.';
}

/** What a record tells of paid calls, and of the approval that it waits for. */
export function exchangeFields({ exchange, pendingApproval }: JsonObject): IDataObject {
	return {
		...(isJsonObject(exchange) && { exchange: exchange as IDataObject }),
		...(isJsonObject(pendingApproval) && { pendingApproval: pendingApproval as IDataObject }),
	};
}

/** The credits that paid calls have cost; 0 where there were none. */
export function exchangeCredits({ exchange }: JsonObject): number {
	const { creditsUsed } = isJsonObject(exchange) ? exchange : {};
	return typeof creditsUsed === 'number' && creditsUsed > 0 ? creditsUsed : 0;
}

/** A sentence about what a run waits for; undefined where it waits for nothing. */
export function approvalText({ pendingApproval }: JsonObject): string | undefined {
	if (!isJsonObject(pendingApproval)) return undefined;
	const { id, kind, calls } = pendingApproval;
	const which = isText(id) ? `, approval ${shorten(id, 80)}` : '';
	const goesOn = 'Agent · Approve or Decline goes on';
	if (kind === 'terms')
		return `waits until a provider's terms are accepted, see pendingApproval.terms${which}: then ${goesOn}`;
	const all = Array.isArray(calls) ? calls.filter(isJsonObject) : [];
	const credits = all.reduce((sum, { creditsEstimate }) => sum + (Number(creditsEstimate) || 0), 0);
	const cost = credits > 0 ? ` (about ${count(credits, 'credit')})` : '';
	return `waits for a decision on ${count(all.length, 'paid call')}${cost}${which}: ${goesOn}`;
}
