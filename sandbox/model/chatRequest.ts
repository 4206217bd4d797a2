import { z } from 'zod/v4';
import type { ZodError } from 'zod/v4';

const part = z.object({ type: z.string(), text: z.string().optional() }).passthrough();

const toolCall = z.object({
	id: z.string(),
	function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z
	.object({
		role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
		content: z.union([z.string(), z.array(part), z.null()]).optional(),
		tool_calls: z.array(toolCall).optional(),
		tool_call_id: z.string().optional(),
	})
	.passthrough();

const tool = z.object({
	type: z.literal('function'),
	function: z.object({
		name: z.string(),
		description: z.string().optional(),
		parameters: z.unknown(),
	}),
});

const chatRequest = z
	.object({
		model: z.string().min(1),
		messages: z.array(message).min(1),
		stream: z.boolean().nullish(),
		stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
		tools: z.array(tool).optional(),
	})
	.passthrough();

/** A request to the chat route, in OpenAI's form; settings such as the temperature are passed over. */
export type ChatRequest = z.output<typeof chatRequest>;
export type ChatMessage = ChatRequest['messages'][number];
export type ChatTool = z.output<typeof tool>;

/** Reads the body of a chat request, or says what is wrong with it. */
export function readChatRequest(body: unknown): { asked: ChatRequest } | { wrong: string } {
	const read = chatRequest.safeParse(body);
	return read.success ? { asked: read.data } : { wrong: firstIssue(read.error) };
}

/** The text of a message, its parts one after the other. */
export function messageText({ content }: ChatMessage): string {
	if (typeof content === 'string') return content;
	return (content ?? []).map(({ text }) => text ?? '').join('\n');
}

/** All that is sent, as one text. */
export function promptText({ messages }: ChatRequest): string {
	return messages.map(messageText).join('\n\n');
}

/** What is wrong with a request, in the words of OpenAI. */
export function firstIssue({ issues: [issue] }: ZodError): string {
	return `Invalid '${issue?.path.join('.') ?? 'body'}': ${issue?.message ?? 'invalid'}`;
}
