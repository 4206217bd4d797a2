import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../../service/limits/client';
import { asFailure, ServiceFailure } from '../../../service/http/failure';
import type { ListOperation } from '../../operation/operation';
import { errorItem, runError } from '../output/itemError';
import { keepsFailedItems, readItem } from '../input/parameters';

/** Carries out a list operation: one request for each input item, one output item for each element. */
export async function runList(
	ctx: IExecuteFunctions,
	operation: ListOperation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	for (let item = 0; item < ctx.getInputData().length; item++) {
		try {
			const { values, body, query } = readItem(ctx, operation.fields, item);
			const answer = await client.call({
				...operation.request,
				...(Object.keys(body).length > 0 && { body }),
				...(Object.keys(query).length > 0 && { query }),
			});
			const list = operation.readList(answer);
			if (!list) throw withoutList(client.baseUrl);
			const limit = values.returnAll === true ? list.length : Number(values.limit);
			output.push(...list.slice(0, limit).map((json) => ({ json, pairedItem: { item } })));
		} catch (error) {
			const { kind, message, httpCode } = asFailure(error);
			const itemFailure = { item, kind, message, httpCode };
			if (!keepsFailedItems(ctx) || kind === 'aborted') throw runError(ctx, itemFailure, []);
			output.push(errorItem(ctx, itemFailure));
		}
	}
	return output;
}

function withoutList(baseUrl: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'notJson',
		reached: 'maybe',
		message: `${baseUrl} answered without a list: check that the base URL in the Web Data API credential is that of the service.`,
	});
}
