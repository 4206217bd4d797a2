import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * What an operation needs of n8n, and all that it may ask of it. An execution of the node has it; a trigger, a
 * sub-node and a research make theirs of what they have (fromTrigger.ts). What is optional only an execution has.
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
	Partial<Pick<IExecuteFunctions, 'getExecuteData' | 'putExecutionToWait'>> & {
		helpers: RunHelpers;
	};

/** What it needs of n8n's helpers: requests and files. */
export type RunHelpers = Pick<
	IExecuteFunctions['helpers'],
	| 'getBinaryMetadata'
	| 'getBinaryStream'
	| 'getSecureEgressFilter'
	| 'httpRequest'
	| 'httpRequestWithAuthentication'
	| 'prepareBinaryData'
>;
