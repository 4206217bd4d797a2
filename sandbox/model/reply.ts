import type { ChatRequest } from './chatRequest.ts';
import type { Reply } from './chatAnswer.ts';
import { plainReply } from './plainReply.ts';
import { toolCallFor } from './tools.ts';

/**
 * What the model says. It is no language model: it picks sentences from what it is sent, and calls the first tool
 * that it is offered.
 */
export function replyTo(request: ChatRequest, newId: () => string): Reply {
	const { messages, tools = [] } = request;
	return toolCallFor(messages, tools, newId) ?? { content: plainReply(messages) };
}
