import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../../service/limits/client';
import { ServiceFailure } from '../../../service/http/failure';
import type { ListOperation } from '../../operation/operation';
import { readItem } from '../input/parameters';
import { runEachItem } from './eachItem';

/** Carries out a list operation: one request for each input item, one output item for each element. */
export async function runList(
	ctx: IExecuteFunctions,
	operation: ListOperation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	return await runEachItem(ctx, async (item) => {
		const { values, body, query } = readItem(ctx, operation.fields, item);
		const answer = await client.call({
			...operation.request,
			...(Object.keys(body).length > 0 && { body }),
			...(Object.keys(query).length > 0 && { query }),
		});
		const list = operation.readList(answer);
		if (!list) throw withoutList(client.baseUrl);
		const limit = values.returnAll === true ? list.length : Number(values.limit);
		return { elements: list.slice(0, limit), what: `${operation.unit}s`, answer };
	});
}

function withoutList(baseUrl: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'notJson',
		reached: 'maybe',
		message: `${baseUrl} answered without a list: check that the base URL in the Web Data API credential is that of the service.`,
	});
}
