import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import { pathId } from '../../fields/basic/pathId';
import { withIsoDates } from '../../operation/recordFields';
import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';

function toItems({ body: { thread } }: CallAnswer): ItemDraft[] | undefined {
	return isJsonObject(thread) ? [{ json: withIsoDates(thread) as IDataObject }] : undefined;
}

export const getThread: CallOperation = {
	kind: 'call',
	value: 'getThread',
	name: 'Get Thread',
	action: 'Get agent thread',
	description: 'A conversation with an agent and its runs. Not on every server.',
	request: { method: 'GET', path: '/v2/agent/threads/{threadId}', bucket: 'agentStatus' },
	about: {
		id: 'threadId',
		what: 'thread',
		orElse: 'it is gone',
		from: 'Start and Get (as threadId)',
	},
	toItems,
	fields: [
		pathId(
			'Thread ID',
			'threadId',
			'ID of the conversation: threadId in the output of Start or Get',
		),
		{
			displayName: 'Include Data',
			name: 'includeData',
			type: 'boolean',
			default: false,
			description: 'Whether to return what each run found',
			routing: { send: { type: 'query', property: 'includeData' } },
		},
	],
};
