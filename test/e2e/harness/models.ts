import type { StoredCredential } from '../../../tools/n8n/client.ts';
import { apiKey, type Product } from './product.ts';
import type { TestNode } from './workflows.ts';

export const langchain = '@n8n/n8n-nodes-langchain';

/** A credential for the models of the sandbox, as for any service with OpenAI's interface. */
export async function modelCredential({ n8n, sandbox }: Product): Promise<StoredCredential> {
	return await n8n.client.createCredential('Sandbox', 'openAiApi', { apiKey, url: `${sandbox.baseUrl}/v1` });
}

/** Of OpenAI Chat Model: from 1.3 on it uses the Responses API by default. */
export const CHAT_MODEL_VERSIONS = [1.2, 1.3];

/** The newest model node that an agent takes: n8n's agent 2 refuses the Responses API. */
export function modelVersionFor(agentVersion: number): number {
	return agentVersion < 3 ? 1.2 : 1.3;
}

/** n8n's OpenAI Chat Model with this model of the sandbox, plugged into a node, as the panel makes it. */
export function chatModel(
	credential: StoredCredential,
	name: string,
	to: string,
	{ model = 'sandbox', input = 0, version = 1.3 } = {},
): TestNode {
	return {
		name,
		type: `${langchain}.lmChatOpenAi`,
		typeVersion: version,
		parameters: { model: { __rl: true, mode: 'id', value: model }, options: {} },
		credential,
		connection: 'ai_languageModel',
		to: [to],
		input,
	};
}
