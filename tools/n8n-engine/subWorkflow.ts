import type {
	ExecuteWorkflowData,
	INodeTypes,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow, WorkflowExecute } from './n8n.ts';

type ExecuteWorkflow = IWorkflowExecuteAdditionalData['executeWorkflow'];

const MODE: WorkflowExecuteMode = 'integrated';

/**
 * What n8n does where a node runs a workflow that it brings along as code: the caller's id and settings are written into
 * that code, and the data of the last node come back. Source: packages/cli/src/workflow-execute-additional-data.ts, n8n
 * 2.41.
 */
export function runsCode(
	nodeTypes: INodeTypes,
	surroundings: (workflow: IWorkflowBase) => IWorkflowExecuteAdditionalData,
): ExecuteWorkflow {
	return async (info, _additionalData, options): Promise<ExecuteWorkflowData> => {
		const { code } = info;
		if (!code || info.id !== undefined) throw new Error('This engine runs workflows in code only.');
		if (!code.id) code.id = options.parentWorkflowId;
		code.settings ??= options.parentWorkflowSettings ?? {};
		const { id, name, nodes, connections, settings } = code;
		const workflow = new Workflow({ id, name, nodes, connections, active: false, nodeTypes, settings });
		const start = nodes.find(({ type }) => type === 'n8n-nodes-base.executeWorkflowTrigger');
		if (!start) throw new Error('Missing node to start execution');
		const main = [structuredClone(options.inputData ?? [{ json: {} }])];
		const data = createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node: start, data: { main }, source: null }] },
		});
		const run = await new WorkflowExecute(surroundings(code), MODE, data).processRunExecutionData(workflow);
		const { error, runData, lastNodeExecuted = '' } = run.data.resultData;
		// What comes from the data of an execution is no Error any more: n8n makes one of it.
		if (error) throw Object.assign(new Error(error.message), error);
		return { executionId: '', data: runData[lastNodeExecuted]?.at(-1)?.data?.main ?? [null] };
	};
}
