import type { IDataObject } from 'n8n-workflow';

import { fromList } from '../../fields/basic/fromList';
import { pathId } from '../../fields/basic/pathId';
import { recordFields, withIsoDates } from '../../operation/recordFields';
import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';

function toItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	if (!Array.isArray(body.events)) return undefined;
	const trace = recordFields(withIsoDates(body));
	return [{ json: { id: values.jobId, ...trace } as IDataObject }];
}

export const getTrace: CallOperation = {
	kind: 'call',
	value: 'getTrace',
	name: 'Get Trace',
	action: 'Get agent trace',
	description: 'What an agent did, step by step (Spark 2). Not on every server.',
	request: { method: 'GET', path: '/v2/agent/{jobId}/trace', bucket: 'agentStatus' },
	about: { id: 'jobId', what: 'agent job', orElse: 'its result has expired', from: 'Start' },
	toItems,
	fields: [
		fromList(
			pathId('Job ID', 'jobId', 'ID of the agent job (a UUID), from the output of Start'),
			'agentGetMany',
		),
		{
			displayName: 'Live View',
			name: 'liveView',
			type: 'boolean',
			default: false,
			description: 'Whether to add links to the browsers that the agent uses now',
			routing: { send: { type: 'query', property: 'liveView' } },
		},
	],
};
