import type { IBinaryData, IDataObject, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import { CHAT_MODEL_TYPE, chatModelNode, retryFromStored, runWorkflow } from '../../tools/n8n-engine/index.ts';
import type { Execution, ExecutionOptions, NodeOverride, WorkflowFile } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { builtPackage, ITEMS_NODE, KEY, withoutCredentials } from './run';

/** Name of the node under test in the workflows of this file. */
export const RESEARCH = 'Web Research';

interface ResearchSettings extends Pick<
	ExecutionOptions,
	'onProgress' | 'onWorker' | 'processed' | 'signal' | 'tables'
> {
	parameters?: INodeParameters;
	/** Name of the sandbox's model on Chat Model. Default: `sandbox`. Null: nothing is connected. */
	chat?: string | null;
	/** The same on Reading Model. Default: nothing is connected. */
	reading?: string;
	node?: NodeOverride;
	items?: IDataObject[];
	/** Files of each item. */
	files?: Record<string, IBinaryData>;
	/** Default: KEY. Null: the node has no credential. */
	apiKey?: string | null;
	/** Default: manual. */
	mode?: WorkflowExecuteMode;
	/** What n8n has stored with the workflow before. */
	staticData?: IDataObject | undefined;
	/** Retry with the original workflow: n8n goes on with what it stored, and gives no static data. */
	original?: boolean;
}

/** OpenAI Chat Model with one of the sandbox's models. */
export function modelNode(name: string, model: string, sandbox: Sandbox) {
	return {
		id: name,
		name,
		type: CHAT_MODEL_TYPE,
		typeVersion: 1.3,
		position: [200, 200] as [number, number],
		parameters: {
			model: { __rl: true, mode: 'id', value: model },
			options: { baseURL: `${sandbox.baseUrl}/v1` },
		},
	};
}

function workflowWith(sandbox: Sandbox, settings: ResearchSettings): WorkflowFile {
	const { chat = 'sandbox', reading, parameters = {} } = settings;
	const connected = { node: RESEARCH, type: 'ai_languageModel' as const };
	return {
		name: 'Research',
		nodes: [
			ITEMS_NODE,
			...(chat === null ? [] : [modelNode('Chat', chat, sandbox)]),
			...(reading === undefined ? [] : [modelNode('Reading', reading, sandbox)]),
			{
				id: 'research',
				name: RESEARCH,
				type: 'n8n-nodes-web-data.webResearch',
				typeVersion: 1,
				position: [200, 0],
				parameters: { query: '={{ $json.q }}', ...parameters },
				credentials: { webDataApi: { id: '1', name: 'Web Data API' } },
			},
		],
		connections: {
			Items: { main: [[{ node: RESEARCH, type: 'main', index: 0 }]] },
			...(chat !== null && { Chat: { ai_languageModel: [[{ ...connected, index: 0 }]] } }),
			...(reading !== undefined && {
				Reading: { ai_languageModel: [[{ ...connected, index: 1 }]] },
			}),
		},
	};
}

async function optionsOf(sandbox: Sandbox, settings: ResearchSettings) {
	const { apiKey = KEY, signal, onProgress, staticData, onWorker, tables, processed } = settings;
	return {
		package: await builtPackage(),
		...(apiKey === null
			? { workflow: withoutCredentials(workflowWith(sandbox, settings)) }
			: { workflow: workflowWith(sandbox, settings), credential: { baseUrl: sandbox.baseUrl, apiKey } }),
		otherNodeTypes: { [CHAT_MODEL_TYPE]: chatModelNode },
		...(settings.original !== true && { nodeOverrides: { [RESEARCH]: settings.node ?? {} } }),
		...(signal && { signal }),
		...(onProgress && { onProgress }),
		...(staticData && { staticData }),
		...(onWorker && { onWorker }),
		...(tables && { tables }),
		...(processed && { processed }),
	};
}

export const QUESTION = 'How much does a cargo bike battery cost and how long does it last?';

/** Runs the node in n8n's own engine against the sandbox, with the sandbox's chat model. */
export async function runResearch(sandbox: Sandbox, settings: ResearchSettings = {}): Promise<Execution> {
	const { items = [{ q: QUESTION }], files } = settings;
	return await runWorkflow({
		...(await optionsOf(sandbox, settings)),
		pinData: { Items: items.map((json) => ({ json, ...(files && { binary: files }) })) },
		...(settings.mode && { mode: settings.mode }),
	});
}

/** n8n's Retry of a failed execution. */
export async function retryResearch(
	sandbox: Sandbox,
	failed: Pick<Execution, 'executionId' | 'stored'>,
	settings: ResearchSettings = {},
): Promise<Execution> {
	return await retryFromStored(failed, await optionsOf(sandbox, settings));
}

/** What the sandbox was asked for, by kind. */
export function callsOf(sandbox: Sandbox) {
	const { calls, creditsUsed } = sandbox.stats();
	const { model = 0, search = 0, scrape = 0 } = calls;
	return { model, search, scrape, creditsUsed };
}
