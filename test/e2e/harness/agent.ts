import type { StoredCredential, WorkflowDefinition } from '../../../n8n/client.ts';
import type { ChatModel } from './chat-model.ts';
import type { Product } from './product.ts';
import { nodeType } from './product.ts';
import { manualTrigger, workflow } from './workflows.ts';

const langchain = '@n8n/n8n-nodes-langchain';

/** Makes a credential for the stub model, as for any OpenAI-compatible service. */
export async function modelCredential({ n8n }: Product, model: ChatModel): Promise<StoredCredential> {
	const data = { apiKey: 'stub', url: model.baseUrl };
	return await n8n.client.createCredential('Stub model', 'openAiApi', data);
}

/** n8n's AI Agent of this version with the stub model and the Web Data node as its one tool. */
export function agentWorkflow(
	{ credential }: Product,
	model: StoredCredential,
	agentVersion: number,
	trigger = manualTrigger,
): WorkflowDefinition {
	const query = "={{ $fromAI('Query', 'what to research', 'string') }}";
	return workflow(`Agent ${agentVersion}`, [
		{ ...trigger, to: ['Agent'] },
		{
			name: 'Agent',
			type: `${langchain}.agent`,
			typeVersion: agentVersion,
			parameters: { promptType: 'define', text: 'Are cargo bikes faster than vans?', options: {} },
			to: [],
		},
		{
			name: 'Model',
			type: `${langchain}.lmChatOpenAi`,
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'stub' }, options: {} },
			credential: model,
			connection: 'ai_languageModel',
			to: ['Agent'],
		},
		{
			name: 'Web Data',
			type: `${nodeType}Tool`,
			typeVersion: 1,
			parameters: { resource: 'deepResearch', operation: 'start', query },
			credential,
			connection: 'ai_tool',
			to: ['Agent'],
		},
	]);
}
