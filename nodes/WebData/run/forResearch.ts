import type { JsonObject } from '../../service/http/transport';
import type { ServiceClient } from '../../service/limits/client';
import { findOperation } from '../resources';
import { callOnce } from './calls/callOnce';
import type { AskedOperation } from './fromTrigger';

export { logStop } from './errors/unexpectedError';
export { isRetryComing, isToolCall, keepsFailedItems, readItem } from './input/readFields';
export { CreditAccount } from './ledger/creditAccount';
export { callsBeforeCrash, isAfterCrash, researchStore, runIndexOf } from './ledger/crash';
export { InFlightStarts } from './ledger/entries';
export { sentences } from './output/hints';
export { hint, withMore } from '../operation/hint';
export { errorItem, runError } from './output/itemError';
export type { ItemFailure } from './output/itemError';
export { itemsInOrder, mapConcurrently } from './output/outputItem';
export { runNode } from './runNode';
export { LinkedFiles } from './output/outputItem';

/**
 * One call of Web Data, with its limits, repetitions and the search for an answer that was lost. `parameters` are those
 * of its panel; `memory` is kept until it is answered: the same one in a retry reads what was paid for. Resolves with
 * the json of its first item. Throws a ServiceFailure.
 */
export async function callOperation(
	client: ServiceClient,
	{ resource, operation: name, parameters }: AskedOperation,
	memory?: JsonObject,
): Promise<JsonObject> {
	const operation = findOperation(resource, name)?.operation;
	if (operation?.kind !== 'call') throw new Error(`${resource}.${name} is no call operation.`);
	return await callOnce(client, operation, parameters, memory);
}
