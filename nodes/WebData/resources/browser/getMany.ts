import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { returnAllOrLimit } from '../../fields/basic/list';
import { choiceOf, minuteOf } from '../../operation/choice';
import { withIsoDates } from '../../operation/recordFields';
import type { ListOperation } from '../../operation/operation';

const status: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: [
		{ name: 'Any', value: '' },
		{ name: 'Ended', value: 'destroyed', description: 'Closed or expired' },
		{ name: 'Open', value: 'active', description: 'Sessions that still cost credits' },
	],
	default: '',
	description: 'Which sessions to list',
	routing: { send: { type: 'query', property: 'status' } },
};

function readList({ sessions }: JsonObject): IDataObject[] | undefined {
	if (!Array.isArray(sessions)) return undefined;
	return sessions.filter(isJsonObject).map((one) => withIsoDates(one) as IDataObject);
}

export const getMany: ListOperation = {
	kind: 'list',
	value: 'getMany',
	name: 'Get Many Sessions',
	action: 'Get many browser sessions',
	description: 'The sessions of your team, newest first, one item each',
	unit: 'browser session',
	request: { method: 'GET', path: '/v2/interact', bucket: 'interact' },
	readList,
	choices: {
		query: { status: 'active' },
		of: (session, timeZone) => choiceOf(session, session.id, minuteOf(session.createdAt, timeZone)),
	},
	fields: [status, ...returnAllOrLimit],
};
