import { messageText } from './chatRequest.ts';
import type { ChatMessage, ChatTool } from './chatRequest.ts';
import type { Reply } from './chatAnswer.ts';

/** Names of arguments that take what the user asked for, best first. */
const QUESTION_ARGUMENTS = ['query', 'question', 'input', 'prompt', 'search', 'text'];

interface Parameters {
	properties?: Record<string, { type?: unknown; enum?: unknown[] } | undefined>;
	required?: string[];
}

function isParameters(value: unknown): value is Parameters {
	return typeof value === 'object' && value !== null;
}

/** The arguments of a call: the question in the one that takes it, the least in others that must be there. */
function argumentsFor({ function: { parameters } }: ChatTool, question: string): object {
	if (!isParameters(parameters)) return {};
	const { properties = {}, required = [] } = parameters;
	const names = Object.keys(properties);
	const texts = names.filter((name) => properties[name]?.type === 'string');
	const asked = texts.find((name) => QUESTION_ARGUMENTS.includes(name.toLowerCase())) ?? texts[0];
	const filled = names.flatMap((name): Array<[string, unknown]> => {
		if (name === asked) return [[name, question]];
		if (!required.includes(name)) return [];
		const { type, enum: choices } = properties[name] ?? {};
		if (choices !== undefined && choices.length > 0) return [[name, choices[0]]];
		if (type === 'number' || type === 'integer') return [[name, 1]];
		if (type === 'boolean') return [[name, false]];
		if (type === 'array') return [[name, []]];
		return [[name, type === 'object' ? {} : question]];
	});
	return Object.fromEntries(filled);
}

/**
 * The call of a tool that answers the user's latest message: the first tool, once. Undefined when no tool is
 * offered, or one has answered already.
 */
export function toolCallFor(
	messages: readonly ChatMessage[],
	tools: readonly ChatTool[],
	newId: () => string,
): Reply | undefined {
	const asked = messages.findLastIndex(({ role }) => role === 'user');
	const hasAnswer = messages.slice(asked + 1).some(({ role }) => role === 'tool');
	const [tool] = tools;
	const question = messages[asked];
	if (hasAnswer || tool === undefined || question === undefined) return undefined;
	const call = {
		id: `call_${newId()}`,
		name: tool.function.name,
		arguments: JSON.stringify(argumentsFor(tool, messageText(question))),
	};
	return { content: null, toolCalls: [call] };
}
