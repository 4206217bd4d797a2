import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { returnAllOrLimit } from '../../fields/basic/list';
import { choiceOf, minuteOf } from '../../operation/choice';
import { withIsoDates } from '../../operation/recordFields';
import type { ListOperation } from '../../operation/operation';

function readList({ agents }: JsonObject): IDataObject[] | undefined {
	if (!Array.isArray(agents)) return undefined;
	return agents.filter(isJsonObject).map((one) => withIsoDates(one) as IDataObject);
}

/** Of the link to the next part only `before` is used, so that the key cannot be led anywhere. */
function next({ next: link }: JsonObject): JsonObject | undefined {
	if (typeof link !== 'string') return undefined;
	const before = /[?&]before=(\d{1,20})(?:&|$)/.exec(link)?.[1];
	return before === undefined ? undefined : { before };
}

export const getMany: ListOperation = {
	kind: 'list',
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many agent jobs',
	description: 'The agent jobs of your team, newest first, one item each. Not on every server.',
	unit: 'agent job',
	request: { method: 'GET', path: '/v2/agent', bucket: 'agentStatus' },
	readList,
	paging: { query: {}, next },
	choices: {
		of: (one, timeZone) =>
			choiceOf(one, one.targetHint, one.status, minuteOf(one.createdAt, timeZone)),
	},
	fields: returnAllOrLimit,
};
