import { pagedByOffset } from '../../../service/results/listParts';
import { returnAllOrLimit } from '../../fields/basic/list';
import { choiceOf } from '../../operation/choice';
import type { ListOperation } from '../../operation/operation';
import { dataList } from './monitorItem';

export const getMany: ListOperation = {
	kind: 'list',
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many monitors',
	description: 'The monitors of your team, one item each',
	unit: 'monitor',
	request: { method: 'GET', path: '/v2/monitor', bucket: 'crawlStatus' },
	readList: dataList,
	paging: pagedByOffset,
	choices: {
		of: (one) => choiceOf(one, one.name, one.status === 'active' ? '' : one.status),
	},
	fields: returnAllOrLimit,
};
