import type { IDataObject } from 'n8n-workflow';

import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';
import { withIsoDates } from '../../operation/recordFields';

function toItems({ body }: CallAnswer): ItemDraft[] | undefined {
	const { success, ...status } = body;
	if (success === false || typeof status.jobsInQueue !== 'number') return undefined;
	return [{ json: withIsoDates(status) as IDataObject }];
}

export const getQueueStatus: CallOperation = {
	kind: 'call',
	value: 'getQueueStatus',
	name: 'Get Queue Status',
	action: 'Get queue status',
	description: 'Jobs running and waiting, and how many may run at once',
	request: { method: 'GET', path: '/v2/team/queue-status', bucket: 'crawlStatus' },
	toItems,
	fields: [],
};
