/** n8n's own engine around the built package: for the demo, the tests and the benchmarks. */
export { binaryText } from './binary.ts';
export { callAsTool, TOOL_NODE } from './callAsTool.ts';
export { resumeWaiting, retryFromStored } from './continueStored.ts';
export { dataNodes } from './dataNodes.ts';
export { recoveredFromCrash } from './crash.ts';
export { flowNodes } from './flowNodes.ts';
export { loadBuiltPackage } from './loadedPackage.ts';
export { runWorkflow } from './runWorkflow.ts';
export { searchList } from './searchList.ts';
export { startWebhookNode } from './webhookNode.ts';
export { readWorkflowFile } from './workflowFile.ts';
export type { ToolCall, ToolCallOptions } from './callAsTool.ts';
export type { Execution, ExecutionOptions } from './execution.ts';
export type { BuiltPackage } from './loadedPackage.ts';
export type { SearchOptions } from './searchList.ts';
export type { RunOptions } from './runWorkflow.ts';
export type { WebhookNode, WebhookNodeOptions } from './webhookNode.ts';
export type { NodeOverride, WorkflowFile } from './workflowFile.ts';
