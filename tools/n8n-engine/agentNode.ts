import type {
	EngineRequest,
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from './n8n.ts';

/** What n8n's code hands to an agent for a connected tool: a LangChain tool. */
interface OfferedTool {
	name: string;
	description: string;
	invoke(args: IDataObject): Promise<unknown>;
}

const description: INodeTypeDescription = {
	displayName: 'Agent',
	name: 'agent',
	group: [],
	version: 1,
	description: '',
	defaults: {},
	inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool],
	outputs: [NodeConnectionTypes.Main],
	properties: [
		{ displayName: 'Args', name: 'args', type: 'json', default: '[]' },
		{ displayName: 'At Once', name: 'atOnce', type: 'number', default: 1 },
		{ displayName: 'Lanes', name: 'lanes', type: 'number', default: 1 },
		{ displayName: 'Model Fails', name: 'modelFails', type: 'boolean', default: false },
	],
};

async function offeredTool(agent: IExecuteFunctions): Promise<OfferedTool> {
	const offered = await agent.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
	const [tool] = offered as OfferedTool[];
	if (tool === undefined) throw new Error('No tool is connected.');
	return tool;
}

/** What each call fills in. */
function argsOf(agent: IExecuteFunctions): IDataObject[] {
	return JSON.parse(String(agent.getNodeParameter('args', 0))) as IDataObject[];
}

/** Puts out what the tool said. Throws where the model is to fail after its calls. */
function answer(agent: IExecuteFunctions, tool: OfferedTool, texts: string[]): INodeExecutionData[][] {
	if (agent.getNodeParameter('modelFails', 0) === true) throw new Error('The model failed.');
	return [[{ json: { name: tool.name, description: tool.description, texts } }]];
}

/**
 * An agent without a model that calls its tool as often as it has args for it, as n8n's AI Agent up to
 * version 2 does: the tool runs inside the agent's own execution, `isToolExecution()` is true there.
 */
export const invokingAgent: INodeType = {
	description,
	async execute() {
		const tool = await offeredTool(this);
		const calls = argsOf(this).map((args) => async () => String(await tool.invoke(args)));
		// What a model asks for in one turn is called at once.
		const ofTurn = calls.splice(0, Number(this.getNodeParameter('atOnce', 0)));
		const texts = await Promise.all(ofTurn.map((call) => call()));
		const later = [...calls.entries()];
		const inLane = async (): Promise<void> => {
			for (let next = later.shift(); next; next = later.shift()) {
				const [index, call] = next;
				texts[ofTurn.length + index] = await call();
			}
		};
		await Promise.all(Array.from({ length: Number(this.getNodeParameter('lanes', 0)) }, inLane));
		return answer(this, tool, texts);
	},
};

/**
 * The same for AI Agent version 3: it asks the engine to run the tool's node, which then runs as a node
 * of its own, and is resumed with the outcome. The text is made as in n8n's agent
 * (nodes-langchain/utils/agent-execution/buildSteps.ts, n8n 2.40).
 */
export const requestingAgent: INodeType = {
	description,
	async execute(response?: EngineResponse): Promise<INodeExecutionData[][] | EngineRequest> {
		const tool = await offeredTool(this);
		const results = response?.actionResponses ?? [];
		if (results.length > 0) {
			return answer(
				this,
				tool,
				results.map(({ data }) => observation(data)),
			);
		}
		return {
			actions: argsOf(this).map((input, index) => ({
				actionType: 'ExecutionNodeAction',
				nodeName: 'Tool',
				input,
				type: NodeConnectionTypes.AiTool,
				id: `call-${index + 1}`,
				metadata: { itemIndex: 0 },
			})),
			metadata: {},
		};
	},
};

function observation({ data, error }: EngineResponse['actionResponses'][number]['data']): string {
	const items = data?.[NodeConnectionTypes.AiTool]?.[0] ?? [];
	if (items.length > 0) return JSON.stringify(items.map(({ json }) => json));
	return JSON.stringify(error === undefined ? '' : { error: error.message, errorType: error.name });
}
