import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import type { CallOperation, SentFile } from '../../operation/operation';
import type { RunContext } from '../connection/runContext';
import { readyFiles } from '../files/uploads';
import { readItem } from '../input/parameters';
import { requestOf } from '../input/requestOf';

/** One request that is to be sent for an input item. */
export interface CallPlan {
	item: number;
	/** Which one of the item's requests it is, from 0. */
	part: number;
	request: ServiceRequest;
	/** Body and query together. */
	sent: JsonObject;
	values: JsonObject;
	/** The file that it sends, of an operation with an `upload`. */
	file?: SentFile;
}

/** What is to be sent for one input item, and what of it is not. */
export interface ItemPlan {
	calls: CallPlan[];
	/** Names of files that the service does not take. */
	leftOut: string[];
}

/**
 * Reads and checks one item's parameters: one request for the item, or one for each of its files. Sends
 * nothing. Throws a ServiceFailure of kind badInput.
 */
export async function planCalls(
	ctx: RunContext,
	operation: CallOperation,
	item: number,
): Promise<ItemPlan> {
	const fields = readItem(ctx, operation.fields, item);
	const { body, query, values } = fields;
	const request = requestOf(operation.request, fields);
	const plan: CallPlan = { item, part: 0, request, sent: { ...query, ...body }, values };
	const { upload } = operation;
	if (!upload) return { calls: [plan], leftOut: [] };
	const { files, leftOut } = await readyFiles(ctx, upload, values, item);
	const calls = files.map(({ toSend, ...file }, part) => {
		const form = { file: toSend, parts: upload.parts };
		return { ...plan, part, request: { ...request, form }, file };
	});
	return { calls, leftOut };
}
