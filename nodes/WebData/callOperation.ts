import { callOnce } from '../run/calls/callOnce';
import type { ServiceClient } from '../service/client';
import type { JsonObject } from '../service/http/transport';
import { findOperation } from './resources';

/** An operation of Web Data, as its panel would hold it. */
export interface AskedOperation {
	resource: string;
	operation: string;
	/** Values of its fields by name; one that is left out has its default. */
	parameters: JsonObject;
	/** The job that it reads, where the service has named it: then one that it denies is waited for. */
	startedJob?: string;
}

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
