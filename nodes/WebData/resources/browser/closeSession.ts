import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';
import { sessionRefusal } from './refusals';
import { endOf, sessionId, sessionUsage } from './session';

function toItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	if (body.success === false) return undefined;
	return [{ json: { closed: true, id: String(values.sessionId), ...endOf(body) } }];
}

export const closeSession: CallOperation = {
	kind: 'call',
	value: 'closeSession',
	name: 'Close Session',
	action: 'Close browser session',
	description: 'End a session, so that it costs no more; its profile is saved',
	request: { method: 'DELETE', path: '/v2/interact/{sessionId}', bucket: 'interact' },
	toItems,
	explain: (failure, values) => sessionRefusal(failure, String(values.sessionId)),
	usage: sessionUsage,
	fields: [sessionId],
};
