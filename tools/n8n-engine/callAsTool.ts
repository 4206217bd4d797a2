import type { IDataObject, INode, INodeParameters, IPinData, WorkflowExecuteMode } from 'n8n-workflow';
import { NodeConnectionTypes } from './n8n.ts';
import { invokingAgent, requestingAgent } from './agentNode.ts';
import { retryFromStored } from './continueStored.ts';
import { runWorkflow } from './runWorkflow.ts';
import type { Execution, ExecutionOptions } from './execution.ts';
import type { NodeOverride, WorkflowFile } from './workflowFile.ts';

export interface ToolCallOptions extends Omit<ExecutionOptions, 'workflow' | 'nodeOverrides'> {
	/** Short name of a node that is usable as a tool, for example `webData`, or of one that is a tool, without `Tool`. */
	nodeName: string;
	/** The tool node's parameters; what the agent fills in is `={{ $fromAI('query') }}`. */
	parameters: INodeParameters;
	/** What the agent fills in, by the keys of $fromAI; a list for several calls, one after the other. */
	args: IDataObject | IDataObject[];
	/** On path `invoke`: so many calls in the same moment, as when a model asks for them in one turn, then the others. */
	atOnce?: number;
	/**
	 * On path `invoke`: how many of those others run beside one another. When one has ended the next begins, as where two
	 * agents share a tool. Default: 1.
	 */
	lanes?: number;
	/** The agent fails after its calls, as when its model does. */
	modelFails?: boolean;
	/** The failed execution that this one retries, as n8n's Retry does. */
	retryOf?: Pick<Execution, 'executionId' | 'stored'>;
	/**
	 * `invoke` (default): the tool runs inside the agent, as with AI Agent up to version 2.
	 * `request`: the engine runs the tool's node for the agent, as with AI Agent version 3.
	 */
	path?: 'invoke' | 'request';
	/** Default `manual`. */
	mode?: WorkflowExecuteMode;
	/** What the workflow begins with, by node name: `Trigger`. */
	pinData?: IPinData;
	/** Settings of the tool node, for example retryOnFail. */
	tool?: NodeOverride;
	/** Connected to the model inputs of the tool, in their order. */
	models?: INode[];
}

export interface ToolCall {
	/** What the agent sees of its last call. When the call fails on path `invoke`, the message of the error. */
	text: string;
	/** The same for each call. */
	texts: string[];
	/** Name and description under which the agent was offered the tool; empty if it failed before. */
	name: string;
	description: string;
	execution: Execution;
}

/** The tool node's name in the workflow that callAsTool runs, for execution.context() and the like. */
export const TOOL_NODE = 'Tool';

/** The same for its agent. */
export const AGENT_NODE = 'Agent';

/**
 * Calls a node of the package as an AI agent's tool, through n8n-core's own code: create-node-as-tool.js
 * and get-input-connection-data.js of n8n-core 2.41, on path `request` also requests-response.js. Only
 * the agent is a stand-in; it has no model and calls the tool as it is told to.
 */
export async function callAsTool(options: ToolCallOptions): Promise<ToolCall> {
	const agent = options.path === 'request' ? requestingAgent : invokingAgent;
	const { retryOf, ...others } = options;
	const run = {
		...others,
		workflow: workflowOf(options),
		nodeOverrides: { [TOOL_NODE]: options.tool ?? {} },
		otherNodeTypes: { ...options.otherNodeTypes, [AGENT_TYPE]: agent },
	};
	const execution = retryOf ? await retryFromStored(retryOf, run) : await runWorkflow(run);
	const { name = '', description = '', texts: seen } = execution.items('Agent')[0]?.json ?? {};
	const texts = Array.isArray(seen) ? seen.map(String) : [];
	return {
		text: texts.at(-1) ?? execution.error?.message ?? '',
		texts,
		name: String(name),
		description: String(description),
		execution,
	};
}

const AGENT_TYPE = 'engine.agent';

const AI_MODEL = NodeConnectionTypes.AiLanguageModel;

function workflowOf(options: ToolCallOptions): WorkflowFile {
	const { package: builtPackage, nodeName, parameters, args } = options;
	const { atOnce = 1, lanes = 1, modelFails = false, models = [] } = options;
	const calls = { args: JSON.stringify([args].flat()), atOnce, lanes, modelFails };
	const [credentialType] = builtPackage.credentialTypes.keys();
	const node = (name: string, type: string, rest: Partial<INode>): INode => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...rest,
	});
	return {
		name: 'Tool call',
		nodes: [
			...models,
			node('Trigger', 'n8n-nodes-base.manualTrigger', {}),
			node(AGENT_NODE, AGENT_TYPE, { parameters: calls }),
			node(TOOL_NODE, `${builtPackage.name}.${nodeName}Tool`, {
				parameters,
				...(options.credential &&
					credentialType !== undefined && {
						credentials: { [credentialType]: { id: null, name: 'In use' } },
					}),
			}),
		],
		connections: {
			...Object.fromEntries(
				models.map(({ name }, index) => [name, { ai_languageModel: [[{ node: TOOL_NODE, type: AI_MODEL, index }]] }]),
			),
			Trigger: { main: [[{ node: 'Agent', type: NodeConnectionTypes.Main, index: 0 }]] },
			[TOOL_NODE]: { ai_tool: [[{ node: 'Agent', type: NodeConnectionTypes.AiTool, index: 0 }]] },
		},
	};
}
