import type { IExecuteFunctions } from 'n8n-workflow';

import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import type { CallOperation } from '../../operation/operation';
import { readItem } from '../input/parameters';
import { requestOf } from '../input/requestOf';

/** What is to be sent for one input item. */
export interface CallPlan {
	item: number;
	request: ServiceRequest;
	/** Body and query together. */
	sent: JsonObject;
	values: JsonObject;
}

/** Reads and checks one item's parameters. Sends nothing. Throws a ServiceFailure of kind badInput. */
export function planCall(ctx: IExecuteFunctions, operation: CallOperation, item: number): CallPlan {
	const fields = readItem(ctx, operation.fields, item);
	const { body, query, values } = fields;
	return {
		item,
		request: requestOf(operation.request, fields),
		sent: { ...query, ...body },
		values,
	};
}
