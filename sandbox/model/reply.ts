import type { ChatRequest } from './chatRequest.ts';
import type { Reply } from './chatAnswer.ts';
import { researchReply } from './research/researchReply.ts';
import { plainReply } from './plainReply.ts';
import { toolCallFor } from './tools.ts';

/**
 * What the model says. It is no language model: it picks sentences from what it is sent, and calls the first tool
 * that it is offered.
 */
export function replyTo(request: ChatRequest, newId: () => string): Reply {
	const { messages, tools = [] } = request;
	const toolCall = toolCallFor(messages, tools, newId);
	return toolCall ?? { content: researchReply(messages) ?? plainReply(messages) };
}
