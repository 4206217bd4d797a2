import type { INodeExecutionData } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import { withoutParkedJob } from './parkedJobField';
import { readSuspended } from './suspendedRecord';
import type { SuspendedRecord } from './suspendedRecord';

/** What the node has noted in an execution that n8n has stored; undefined where it is not suspended. */
export function suspendedIn(executionData: unknown, nodeName: string): SuspendedRecord | undefined {
	const { contextData } = isJsonObject(executionData) ? executionData : {};
	// The key is n8n's: NodeHelpers.getContext of n8n-workflow 1.120 and 2.41.
	return isJsonObject(contextData) ? readSuspended(contextData[`node:${nodeName}`]) : undefined;
}

/**
 * The input that the node continues with. n8n has switched the node off for this resume, as if the call brought
 * its output (disableNode in waiting-webhooks.js, n8n 1.123 and 2.40; for forms it does so only at their
 * end). Switched on again, the node runs as if it had held the execution: the same code reads the jobs, which
 * its ledger knows, and what fails fails there. Where n8n has no such switch, its input goes on as at the
 * deadline, with the jobs in it.
 */
export function resumeInput(
	executionData: unknown,
	nodeName: string,
	{ hidden }: SuspendedRecord,
): INodeExecutionData[] {
	const { nodeExecutionStack } = isJsonObject(executionData) ? executionData : {};
	const entry: unknown = Array.isArray(nodeExecutionStack) ? nodeExecutionStack[0] : undefined;
	const { node, data } = isJsonObject(entry) ? entry : {};
	const main = isJsonObject(data) ? data.main : undefined;
	const input: unknown = Array.isArray(main) ? main[0] : undefined;
	const items = Array.isArray(input) ? (input as INodeExecutionData[]) : [{ json: {} }];
	if (!isJsonObject(node) || node.name !== nodeName) return items;
	node.disabled = false;
	const own = new Map(hidden);
	return items.map((given, item) => withoutParkedJob(given, own.get(item)));
}
