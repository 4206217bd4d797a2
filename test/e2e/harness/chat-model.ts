import fastify from 'fastify';
import { z } from 'zod';

const message = z
	.object({
		role: z.string(),
		content: z
			.union([z.string(), z.array(z.object({ text: z.string().optional() }).passthrough()), z.null()])
			.optional(),
	})
	.passthrough();
const tool = z.object({
	function: z.object({
		name: z.string(),
		description: z.string().optional(),
		parameters: z.unknown(),
	}),
});
const chatRequest = z
	.object({
		model: z.string(),
		stream: z.boolean().optional(),
		messages: z.array(message),
		tools: z.array(tool).optional(),
	})
	.passthrough();

/** What an agent sent to its model. */
export type ChatRequest = z.infer<typeof chatRequest>;

/** A chat model that runs nowhere: it calls one tool, then repeats what the tool said. */
export interface ChatModel {
	/** Base URL for an OpenAI credential. */
	baseUrl: string;
	/** Every request so far, oldest first. */
	requests: ChatRequest[];
	/** The text of every tool answer that it was given. */
	toolAnswers(): string[];
	/** While this is true, it refuses every conversation in which a tool has answered. */
	failsAfterTool: boolean;
	stop(): Promise<void>;
}

/** What the model is to do: the tool to call and what with. */
export interface ChatScript {
	/** Part of the tool's name; the first tool when absent. */
	tool?: string;
	arguments: Record<string, unknown>;
}

function textOf({ content }: ChatRequest['messages'][number]): string {
	if (Array.isArray(content)) return content.map((part) => part.text ?? '').join('');
	return content ?? '';
}

function decide(request: ChatRequest, script: ChatScript, call: number): Record<string, unknown> {
	const last = request.messages.at(-1);
	if (last?.role === 'tool') return { role: 'assistant', content: `The tool says: ${textOf(last)}` };
	const wanted = request.tools?.find((entry) => script.tool === undefined || entry.function.name.includes(script.tool));
	if (wanted === undefined) return { role: 'assistant', content: 'There is no tool to call.' };
	const { name } = wanted.function;
	const toolCall = {
		id: `call_${call}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(script.arguments) },
	};
	return { role: 'assistant', content: null, tool_calls: [toolCall] };
}

/** The same answer as a stream of server-sent events, for agents that ask for one. */
function asEvents(frame: object, answer: Record<string, unknown>, finish: string): string {
	const calls = answer.tool_calls;
	const delta = Array.isArray(calls)
		? { ...answer, tool_calls: calls.map((call: object, index) => ({ index, ...call })) }
		: answer;
	const chunks = [
		{
			...frame,
			object: 'chat.completion.chunk',
			choices: [{ index: 0, delta, finish_reason: null }],
		},
		{
			...frame,
			object: 'chat.completion.chunk',
			choices: [{ index: 0, delta: {}, finish_reason: finish }],
		},
	];
	return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

/**
 * Starts an OpenAI-compatible chat model on loopback. To every conversation it answers with a call
 * of the script's tool, and once it has the tool's answer, with that answer.
 */
export async function startChatModel(script: ChatScript): Promise<ChatModel> {
	const requests: ChatRequest[] = [];
	const app = fastify({ bodyLimit: 20_000_000 });
	app.get('/v1/models', async () => ({
		object: 'list',
		data: [{ id: 'stub', object: 'model', owned_by: 'tests' }],
	}));
	app.post('/v1/chat/completions', async (incoming, reply) => {
		const request = chatRequest.parse(incoming.body);
		requests.push(request);
		if (model.failsAfterTool && request.messages.at(-1)?.role === 'tool')
			return await reply.code(400).send({ error: { message: 'The model has no more credits.' } });
		const answer = decide(request, script, requests.length);
		const finish = answer.tool_calls === undefined ? 'stop' : 'tool_calls';
		const frame = {
			id: `chat-${requests.length}`,
			created: Math.floor(Date.now() / 1000),
			model: request.model,
		};
		if (request.stream) return await reply.type('text/event-stream').send(asEvents(frame, answer, finish));
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		return {
			...frame,
			object: 'chat.completion',
			choices: [{ index: 0, message: answer, finish_reason: finish }],
			usage,
		};
	});
	const model: ChatModel = {
		baseUrl: '',
		requests,
		failsAfterTool: false,
		toolAnswers: () => requests.flatMap(({ messages }) => messages.filter(({ role }) => role === 'tool').map(textOf)),
		stop: () => app.close(),
	};
	model.baseUrl = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`;
	return model;
}
