import type { IExecuteFunctions } from 'n8n-workflow';

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
