import type { INodeType } from 'n8n-workflow';
import { NodeConnectionTypes } from './n8n.ts';

/** What a chat model of n8n is told, as far as nodes use it. */
interface PlainMessage {
	role: string;
	content: string;
}

/** An error as OpenAI's client throws it. */
class ChatError extends Error {
	readonly status: number;
	readonly headers: Headers;

	constructor(status: number, message: string, headers: Headers) {
		super(`${status} ${message}`);
		this.status = status;
		this.headers = headers;
	}
}

interface ChatAnswer {
	choices?: Array<{ message?: { content?: unknown } }>;
	usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
	error?: { message?: string };
}

async function complete(baseUrl: string, model: string, messages: readonly PlainMessage[]) {
	const response = await fetch(`${baseUrl}/chat/completions`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization: 'Bearer fc-sandbox' },
		body: JSON.stringify({ model, messages, stream: false }),
	});
	const { choices, usage, error } = (await response.json()) as ChatAnswer;
	if (!response.ok) throw new ChatError(response.status, error?.message ?? '', response.headers);
	return {
		content: choices?.[0]?.message?.content ?? '',
		...(usage && {
			usage_metadata: {
				input_tokens: usage.prompt_tokens,
				output_tokens: usage.completion_tokens,
				total_tokens: usage.total_tokens,
			},
		}),
	};
}

/**
 * Stands where n8n's OpenAI Chat Model stands (lmChatOpenAi, version 1.2): the same parameters, a model that takes
 * plain messages, ignores an aborted signal as LangChain does, and throws errors with a status. n8n's own cannot be
 * installed beside n8n-core here; the tests in a whole n8n run it.
 */
export const chatModelNode: INodeType = {
	description: {
		displayName: 'OpenAI Chat Model',
		name: 'lmChatOpenAi',
		group: [],
		version: [1, 1.1, 1.2],
		description: '',
		defaults: {},
		inputs: [],
		outputs: [NodeConnectionTypes.AiLanguageModel],
		properties: [
			{
				displayName: 'Model',
				name: 'model',
				type: 'resourceLocator',
				default: { mode: 'id', value: '' },
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				default: {},
				options: [{ displayName: 'Base URL', name: 'baseURL', type: 'string', default: '' }],
			},
		],
	},
	async supplyData(itemIndex) {
		const model = this.getNodeParameter('model', itemIndex, '', { extractValue: true });
		const baseUrl = this.getNodeParameter('options.baseURL', itemIndex, '');
		return {
			response: {
				invoke: async (messages: readonly PlainMessage[]) => await complete(String(baseUrl), String(model), messages),
			},
		};
	},
};

/** Its full name, for `otherNodeTypes`. */
export const CHAT_MODEL_TYPE = '@n8n/n8n-nodes-langchain.lmChatOpenAi';
