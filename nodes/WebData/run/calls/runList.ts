import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { notTheService } from '../../../service/http/failure';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import type { ServiceClient } from '../../../service/limits/client';
import { unknownThing } from '../output/unknownThing';
import type { ListOperation } from '../../operation/operation';
import { readItem } from '../input/parameters';
import { runEachItem } from './eachItem';
import { requestOf } from '../input/requestOf';

/** Most parts of one list that are asked for. */
const MAX_PARTS = 1000;

/** Carries out a list operation: the list of each input item, part by part, an item for each element. */
export async function runList(
	ctx: IExecuteFunctions,
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
			const { elements, answer } = await readParts(operation, request, client, most);
			return { elements, what: `${operation.unit}s`, answer };
		},
		(failure, { request, values }) => unknownThing(operation.about, values, failure, request),
	);
}

/**
 * The first `most` elements of a list, and the answer that held the last part. A service that gives the
 * same part again and again is not asked for ever. Throws a ServiceFailure when an answer holds no list.
 */
async function readParts(
	{ readList, paging }: ListOperation,
	request: ServiceRequest,
	client: ServiceClient,
	most: number,
): Promise<{ elements: IDataObject[]; answer: JsonObject }> {
	const elements: IDataObject[] = [];
	const asked = new Set<string>();
	let answer: JsonObject = {};
	let partBefore = '';
	let more: JsonObject | undefined = {};
	while (more && elements.length < most && asked.size < MAX_PARTS) {
		const query = { ...request.query, ...paging?.query, ...more };
		asked.add(JSON.stringify(more));
		answer = await client.call({ ...request, ...(Object.keys(query).length > 0 && { query }) });
		const list = readList(answer);
		if (!list) throw notTheService(client.baseUrl, 'without a list');
		// A service that does not know how to go on in its list begins it again.
		const part = JSON.stringify(list);
		if (part === partBefore) break;
		partBefore = part;
		for (const element of list) elements.push(element);
		more = list.length === 0 ? undefined : paging?.next(answer, elements.length);
		if (more && asked.has(JSON.stringify(more))) more = undefined;
	}
	return { elements: elements.slice(0, most), answer };
}
