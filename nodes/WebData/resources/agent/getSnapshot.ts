import { fromList } from '../../fields/basic/fromList';
import { pathId } from '../../fields/basic/pathId';
import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';

function toItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	const { snapshot } = body;
	if (typeof snapshot !== 'string') return undefined;
	return [
		{ json: { id: values.jobId, snapshotId: values.snapshotId, snapshot } as ItemDraft['json'] },
	];
}

export const getSnapshot: CallOperation = {
	kind: 'call',
	value: 'getSnapshot',
	name: 'Get Snapshot',
	action: 'Get agent snapshot',
	description: 'What an agent saw at one step of its trace. Not on every server.',
	request: {
		method: 'GET',
		path: '/v2/agent/{jobId}/snapshots/{snapshotId}',
		bucket: 'agentStatus',
	},
	about: {
		id: 'snapshotId',
		what: 'snapshot',
		orElse: 'its Job ID is wrong or expired',
		from: 'Get Trace',
	},
	toItems,
	fields: [
		fromList(
			pathId('Job ID', 'jobId', 'ID of the agent job (a UUID), from the output of Start'),
			'agentGetMany',
		),
		pathId('Snapshot ID', 'snapshotId', 'ID of the snapshot, which Get Trace names'),
	],
};
