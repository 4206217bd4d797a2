import type { INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../../service/limits/client';
import { readListParts } from '../../../service/results/listParts';
import type { RunContext } from '../connection/runContext';
import { unknownThing } from '../output/unknownThing';
import type { ListOperation } from '../../operation/operation';
import { readItem } from '../input/parameters';
import { runEachItem } from './eachItem';
import { requestOf } from '../input/requestOf';

/** Carries out a list operation: the list of each input item, part by part, an item for each element. */
export async function runList(
	ctx: RunContext,
	operation: ListOperation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	const plan = (item: number) => {
		const fields = readItem(ctx, operation.fields, item);
		const most = fields.values.returnAll === true ? Infinity : Number(fields.values.limit);
		return { most, request: requestOf(operation.request, fields), values: fields.values };
	};
	return await runEachItem(
		ctx,
		plan,
		async ({ most, request }) => {
			const { elements, answer } = await readListParts(operation, request, client, most);
			return { elements, what: `${operation.unit}s`, answer };
		},
		(failure, { request, values }) => unknownThing(operation.about, values, failure, request),
	);
}
