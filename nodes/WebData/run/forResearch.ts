import type { IDataObject } from 'n8n-workflow';
import { executionStopped, ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import type { ServiceClient } from '../../service/limits/client';
import { findOperation } from '../resources';
import { runCallOperation } from './calls/runCallOperation';
import type { RunContext } from './connection/runContext';
import { asOneItem } from './fromTrigger';
import type { AskedOperation } from './fromTrigger';

export { logStop } from './ending/unexpectedError';
export { isRetryComing, isToolCall, keepsFailedItems, readItem } from './input/readFields';
export { CreditAccount } from './ledger/creditAccount';
export { callsBeforeCrash, isAfterCrash, noteCutOffCalls, researchStore, runIndexOf } from './ledger/crash';
export { InFlightStarts } from './ledger/entries';
export { count, sentences } from './output/hints';
export { hint, withMore } from '../operation/hint';
export { errorItem, runError } from './output/itemError';
export type { ItemFailure } from './output/itemError';
export { itemsInOrder, mapConcurrently } from './output/outputItem';
export { runNode } from './runNode';
export { LinkedFiles } from './output/outputItem';

/**
 * Carries out a call operation of Web Data, by the code that runs it there: its limits, repetitions, pauses and
 * the search for answers that were lost. `memory` is its own part of what the node remembers in the execution:
 * the same one in a retry collects what was paid for.
 * Resolves with the json of its first item. Throws a ServiceFailure.
 */
export async function callOperation(
	ctx: RunContext,
	client: ServiceClient,
	{ resource, operation: name, parameters }: AskedOperation,
	memory: JsonObject,
): Promise<IDataObject> {
	const operation = findOperation(resource, name)?.operation;
	if (operation?.kind !== 'call') throw new Error(`${resource}.${name} is no call operation.`);
	const execution = asOneItem(ctx, parameters, {
		// A node that is a tool for agents, or that is tried again, is so as a whole.
		getNode: () => ({ ...ctx.getNode(), type: 'webResearch', parameters: {}, retryOnFail: false }),
		getContext: () => memory as IDataObject,
		getExecutionId: () => ctx.getExecutionId(),
		getExecutionCancelSignal: () => ctx.getExecutionCancelSignal(),
		continueOnFail: () => true,
		addExecutionHints: () => undefined,
	});
	let failure: ServiceFailure | undefined;
	const onFailure = (one: ServiceFailure) => (failure = one);
	const [item] = await runCallOperation(execution, operation, client, onFailure).catch((error: unknown) => {
		if (client.stopped) throw executionStopped('maybe');
		throw error;
	});
	return resultOf(item?.json ?? {}, failure);
}

/** Throws for the item of a call that failed, with what is known of the failure: whether it arrived, and its status. */
function resultOf(json: IDataObject, failure: ServiceFailure | undefined): IDataObject {
	const { error } = json;
	if (typeof error !== 'string') return json;
	const { kind = 'job', reached = 'maybe', httpCode } = failure ?? {};
	throw new ServiceFailure({
		kind: kind === 'job' ? 'http' : kind,
		reached,
		message: error,
		...(httpCode !== undefined && { httpCode }),
	});
}
