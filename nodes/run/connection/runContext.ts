import type { IExecuteFunctions } from 'n8n-workflow';
import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';

/**
 * The part of n8n's context that an operation may use. An execution of the node has it; a trigger, a sub-node and a
 * research make theirs of what they have (askedOperation.ts). What is optional only an execution has.
 */
export type RunContext = Pick<
	IExecuteFunctions,
	| 'addExecutionHints'
	| 'continueOnFail'
	| 'getContext'
	| 'getCredentials'
	| 'getExecutionCancelSignal'
	| 'getExecutionId'
	| 'getInputData'
	| 'getMode'
	| 'getNode'
	| 'getNodeParameter'
	| 'getTimezone'
	| 'getWorkflow'
	| 'getWorkflowDataProxy'
	| 'getWorkflowStaticData'
	| 'isToolExecution'
	| 'logger'
> &
	Partial<Pick<IExecuteFunctions, 'executeWorkflow' | 'getExecuteData' | 'getInstanceId' | 'putExecutionToWait'>> & {
		helpers: RunHelpers & MemoryHelpers;
	};

/** What only a memory asks for (run/memory). */
type MemoryHelpers = Partial<
	Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord' | 'getDataTableProxy' | 'removeProcessed'>
>;

/** The part of n8n's helpers that it uses: requests and files. */
export type RunHelpers = Pick<
	IExecuteFunctions['helpers'],
	| 'getBinaryMetadata'
	| 'getBinaryStream'
	| 'getSecureEgressFilter'
	| 'httpRequest'
	| 'httpRequestWithAuthentication'
	| 'prepareBinaryData'
>;

/** The id of the execution; empty where n8n gives none. */
export function executionIdOf(ctx: RunContext): string {
	const id: unknown = ctx.getExecutionId();
	return typeof id === 'string' ? id : '';
}

/** The index of the node's run, from 0: in a loop the same items numbers come again with each. */
export function runIndexOf(ctx: RunContext): number {
	const index = Number(ctx.getWorkflowDataProxy(0).$runIndex);
	return Number.isInteger(index) ? index : 0;
}

/** The node's memory in this execution; an object of its own where n8n has none: then nothing outlives the run. */
export function nodeContext(ctx: RunContext): JsonObject {
	try {
		const context: unknown = ctx.getContext('node');
		return isJsonObject(context) ? context : {};
	} catch {
		return {};
	}
}
