import type { CallOperation } from '../../operation/operation';
import { aboutMonitor, monitorId, monitorItems } from './monitorItem';

export const get: CallOperation = {
	kind: 'call',
	value: 'get',
	name: 'Get',
	action: 'Get monitor',
	description: 'What a monitor watches, when it runs next and what its last check found',
	request: { method: 'GET', path: '/v2/monitor/{monitorId}', bucket: 'crawlStatus' },
	toItems: monitorItems,
	about: aboutMonitor,
	fields: [monitorId],
};
