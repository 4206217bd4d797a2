import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';
import { aboutMonitor, monitorId } from './monitorItem';

function toItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	return body.success === false
		? undefined
		: [{ json: { deleted: true, id: String(values.monitorId) } }];
}

export const deleteMonitor: CallOperation = {
	kind: 'call',
	value: 'delete',
	name: 'Delete',
	action: 'Delete monitor and all its checks for good',
	description: 'Remove a monitor for good, with all of its checks',
	request: { method: 'DELETE', path: '/v2/monitor/{monitorId}', bucket: 'crawl' },
	toItems,
	about: aboutMonitor,
	fields: [monitorId],
};
