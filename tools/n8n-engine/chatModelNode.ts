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

/** An answer of the Responses API. */
interface ResponsesAnswer {
	output?: Array<{ type: string; content?: Array<{ type: string; text?: string }> }>;
	usage?: { input_tokens: number; output_tokens: number; total_tokens: number };
	error?: { message?: string } | null;
}

async function post<T>(address: string, body: object): Promise<{ response: Response; answer: T }> {
	const response = await fetch(address, {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization: 'Bearer fc-sandbox' },
		body: JSON.stringify(body),
	});
	return { response, answer: (await response.json()) as T };
}

/** As version 1.3 answers: the content is a list of parts, of which those of type `text` are what the model says. */
async function respond(baseUrl: string, model: string, messages: readonly PlainMessage[]) {
	const asked = { model, input: messages, stream: false };
	const { response, answer } = await post<ResponsesAnswer>(`${baseUrl}/responses`, asked);
	const { output = [], usage, error } = answer;
	if (!response.ok) throw new ChatError(response.status, error?.message ?? '', response.headers);
	const said = output.flatMap(({ content = [] }) => content);
	return {
		content: [
			{ type: 'reasoning', reasoning: 'I think about {"claims": "none yet"}.' },
			...said.map(({ type, text = '' }) => ({ type: type === 'output_text' ? 'text' : type, text, annotations: [] })),
		],
		...(usage && { usage_metadata: usage }),
	};
}

async function complete(baseUrl: string, model: string, messages: readonly PlainMessage[]) {
	const asked = { model, messages, stream: false };
	const { response, answer } = await post<ChatAnswer>(`${baseUrl}/chat/completions`, asked);
	const { choices, usage, error } = answer;
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
 * Stands where n8n's OpenAI Chat Model stands (lmChatOpenAi, versions 1.2 and 1.3): the same parameters, a model that takes
 * plain messages, ignores an aborted signal as LangChain does, and throws errors with a status. n8n's own cannot be
 * installed beside n8n-core here; the tests in a whole n8n run it.
 */
export const chatModelNode: INodeType = {
	description: {
		displayName: 'OpenAI Chat Model',
		name: 'lmChatOpenAi',
		group: [],
		version: [1, 1.1, 1.2, 1.3],
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
				displayName: 'Use Responses API',
				name: 'responsesApiEnabled',
				type: 'boolean',
				default: true,
				displayOptions: { show: { '@version': [{ _cnd: { gte: 1.3 } }] } },
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
		const responds = this.getNodeParameter('responsesApiEnabled', itemIndex, false) === true;
		const ask = responds ? respond : complete;
		return {
			response: {
				invoke: async (messages: readonly PlainMessage[]) => await ask(String(baseUrl), String(model), messages),
			},
		};
	},
};

/** Its full name, for `otherNodeTypes`. */
export const CHAT_MODEL_TYPE = '@n8n/n8n-nodes-langchain.lmChatOpenAi';
