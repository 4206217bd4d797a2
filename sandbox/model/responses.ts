import { z } from 'zod/v4';
import { jsonAnswer } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import { piecesOf } from './chat.ts';
import type { AnswerFacts, Reply } from './chat.ts';
import { firstIssue } from './chatRequest.ts';
import type { ChatMessage, ChatRequest } from './chatRequest.ts';

const part = z.object({ type: z.string(), text: z.string().optional() }).passthrough();

const input = z
	.object({
		type: z.string().optional(),
		role: z.enum(['system', 'developer', 'user', 'assistant']).optional(),
		content: z.union([z.string(), z.array(part)]).optional(),
		call_id: z.string().optional(),
		name: z.string().optional(),
		arguments: z.string().optional(),
		output: z.union([z.string(), z.array(part)]).optional(),
	})
	.passthrough();

const tool = z
	.object({
		type: z.string(),
		name: z.string().optional(),
		description: z.string().optional(),
		parameters: z.unknown(),
	})
	.passthrough();

const responsesRequest = z
	.object({
		model: z.string().min(1),
		input: z.union([z.string(), z.array(input).min(1)]),
		instructions: z.string().nullish(),
		stream: z.boolean().nullish(),
		tools: z.array(tool).nullish(),
	})
	.passthrough();

type ResponsesInput = z.output<typeof input>;

/** Reads the body of a request to OpenAI's Responses API as one to its chat route, or says what is wrong with it. */
export function readResponsesRequest(body: unknown): { asked: ChatRequest } | { wrong: string } {
	const read = responsesRequest.safeParse(body);
	if (!read.success) return { wrong: firstIssue(read.error) };
	const { model, input: given, instructions, stream, tools } = read.data;
	const list = typeof given === 'string' ? [{ role: 'user' as const, content: given }] : given;
	const system = instructions ? [{ role: 'system' as const, content: instructions }] : [];
	return {
		asked: {
			model,
			stream: stream ?? false,
			messages: [...system, ...list.map(asMessage)],
			tools: (tools ?? []).flatMap(({ type, name, description, parameters }) =>
				type === 'function' && name !== undefined
					? [
							{
								type: 'function' as const,
								function: { name, parameters, ...(description !== undefined && { description }) },
							},
						]
					: [],
			),
		},
	};
}

function asMessage({
	type,
	role = 'user',
	content,
	call_id,
	name = '',
	arguments: args = '{}',
	output,
}: ResponsesInput): ChatMessage {
	if (type === 'function_call') {
		const call = { id: call_id ?? '', function: { name, arguments: args } };
		return { role: 'assistant', content: null, tool_calls: [call] };
	}
	if (type === 'function_call_output') return { role: 'tool', content: output ?? '', tool_call_id: call_id };
	return { role, content: content ?? '' };
}

/** The things that a reply consists of: a message, or calls of functions. */
function outputOf({ content, toolCalls = [] }: Reply, id: string): Array<Record<string, unknown>> {
	const message = {
		id: `msg_${id}`,
		type: 'message',
		status: 'completed',
		role: 'assistant',
		content: [{ type: 'output_text', text: content ?? '', annotations: [], logprobs: [] }],
	};
	const calls = toolCalls.map((call, at) => ({
		id: `fc_${id}_${at}`,
		type: 'function_call',
		status: 'completed',
		call_id: call.id,
		name: call.name,
		arguments: call.arguments,
	}));
	return content === null ? calls : [message, ...calls];
}

function responseOf(reply: Reply | undefined, { id, model, atMs, usage }: AnswerFacts): Record<string, unknown> {
	return {
		id: `resp_${id}`,
		object: 'response',
		created_at: Math.floor(atMs / 1000),
		status: reply ? 'completed' : 'in_progress',
		error: null,
		incomplete_details: null,
		instructions: null,
		metadata: {},
		model,
		output: reply ? outputOf(reply, id) : [],
		parallel_tool_calls: true,
		temperature: 1,
		text: { format: { type: 'text' } },
		tool_choice: 'auto',
		tools: [],
		top_p: 1,
		usage:
			reply && usage
				? {
						input_tokens: usage.prompt_tokens,
						input_tokens_details: { cached_tokens: 0 },
						output_tokens: usage.completion_tokens,
						output_tokens_details: { reasoning_tokens: 0 },
						total_tokens: usage.total_tokens,
					}
				: null,
	};
}

/** The answer of the Responses API in one piece. */
export function response(reply: Reply, facts: AnswerFacts): Answer {
	return jsonAnswer(200, responseOf(reply, facts));
}

/** The same as its events: the response begins, each thing comes in pieces, the response is complete. */
export function streamedResponse(reply: Reply, facts: AnswerFacts): Answer {
	const events: Array<Record<string, unknown>> = [
		{ type: 'response.created', response: responseOf(undefined, facts) },
		{ type: 'response.in_progress', response: responseOf(undefined, facts) },
		...outputOf(reply, facts.id).flatMap((item, output_index) => eventsOf(item, output_index)),
		{ type: 'response.completed', response: responseOf(reply, facts) },
	];
	const lines = events.map((event, sequence_number) => {
		return `event: ${String(event.type)}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`;
	});
	return { status: 200, contentType: 'text/event-stream; charset=utf-8', body: lines.join('') };
}

function eventsOf(item: Record<string, unknown>, output_index: number): Array<Record<string, unknown>> {
	const place = { item_id: item.id, output_index };
	const added = (open: object) => ({
		type: 'response.output_item.added',
		output_index,
		item: { ...item, ...open, status: 'in_progress' },
	});
	const done = { type: 'response.output_item.done', output_index, item };
	if (item.type === 'function_call') {
		const args = String(item.arguments);
		return [
			added({ arguments: '' }),
			...piecesOf(args).map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
			{ type: 'response.function_call_arguments.done', ...place, name: item.name, arguments: args },
			done,
		];
	}
	const [text] = item.content as Array<{ text: string }>;
	const of = { ...place, content_index: 0 };
	return [
		added({ content: [] }),
		{ type: 'response.content_part.added', ...of, part: { ...text, text: '' } },
		...piecesOf(text?.text ?? '').map((delta) => ({ type: 'response.output_text.delta', ...of, delta, logprobs: [] })),
		{ type: 'response.output_text.done', ...of, text: text?.text ?? '', logprobs: [] },
		{ type: 'response.content_part.done', ...of, part: text },
		done,
	];
}
