import { jsonAnswer } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';

/** What the model says: a text or parts, or the tools it wants to be called. */
export interface Reply {
	content: string | null | ReadonlyArray<Record<string, unknown>>;
	toolCalls?: ReadonlyArray<{ id: string; name: string; arguments: string }>;
}

export interface Usage {
	prompt_tokens: number;
	completion_tokens: number;
	total_tokens: number;
}

/** What every form of an answer names. */
export interface AnswerFacts {
	id: string;
	model: string;
	/** Milliseconds since 1970. */
	atMs: number;
	/** Left out where a model counts none. */
	usage?: Usage | undefined;
}

const CHARS_A_TOKEN = 4;
const CHUNK_CHARS = 40;

/** About how many tokens a text has. */
export function tokensOf(text: string): number {
	return Math.ceil(text.length / CHARS_A_TOKEN);
}

/** The tokens of a call. */
export function usageOf(prompt: string, { content, toolCalls = [] }: Reply): Usage {
	const written = typeof content === 'string' ? content : JSON.stringify(content ?? '');
	const called = toolCalls.map((call) => call.name + call.arguments).join('');
	const prompt_tokens = tokensOf(prompt);
	const completion_tokens = tokensOf(written + called);
	return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

function toolCallsOf({ toolCalls = [] }: Reply): object[] {
	return toolCalls.map(({ id, name, arguments: args }, index) => ({
		index,
		id,
		type: 'function',
		function: { name, arguments: args },
	}));
}

function finishReason({ toolCalls = [] }: Reply): string {
	return toolCalls.length > 0 ? 'tool_calls' : 'stop';
}

/** The answer in one piece. */
export function completion(reply: Reply, { id, model, atMs, usage }: AnswerFacts): Answer {
	const calls = toolCallsOf(reply);
	return jsonAnswer(200, {
		id,
		object: 'chat.completion',
		created: Math.floor(atMs / 1000),
		model,
		choices: [
			{
				index: 0,
				message: {
					role: 'assistant',
					content: reply.content,
					...(calls.length > 0 && { tool_calls: calls }),
				},
				finish_reason: finishReason(reply),
			},
		],
		...(usage && { usage }),
	});
}

function piecesOf(text: string): string[] {
	return text.match(new RegExp(`[^]{1,${CHUNK_CHARS}}`, 'gu')) ?? [];
}

/** The answer as server-sent events, the usage last. Parts come as one text: a stream has no parts. */
export function streamed(reply: Reply, { id, model, atMs, usage }: AnswerFacts): Answer {
	const { content } = reply;
	const text =
		typeof content === 'string'
			? content
			: (content ?? []).map((part) => String(part.text ?? '')).join('');
	const base = { id, object: 'chat.completion.chunk', created: Math.floor(atMs / 1000), model };
	const chunk = (delta: object, finish_reason: string | null = null): object => ({
		...base,
		choices: [{ index: 0, delta, finish_reason }],
	});
	const calls = toolCallsOf(reply);
	const chunks = [
		chunk({ role: 'assistant', content: '' }),
		...piecesOf(text).map((piece) => chunk({ content: piece })),
		...(calls.length > 0 ? [chunk({ tool_calls: calls })] : []),
		chunk({}, finishReason(reply)),
		...(usage ? [{ ...base, choices: [], usage }] : []),
	];
	const events = chunks.map((event) => `data: ${JSON.stringify(event)}\n\n`);
	return {
		status: 200,
		contentType: 'text/event-stream; charset=utf-8',
		body: `${events.join('')}data: [DONE]\n\n`,
	};
}

/** A failure in OpenAI's envelope. */
export function chatError(
	status: number,
	message: string,
	code: string | null,
	headers?: Record<string, string>,
): Answer {
	const type =
		status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'server_error';
	return jsonAnswer(status, { error: { message, type, param: null, code } }, headers);
}
