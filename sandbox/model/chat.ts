import { z } from 'zod/v4';
import { jsonAnswer } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import { rankSentences, termsOf } from '../text/rankSentences.ts';
import { messageText } from './chatRequest.ts';
import type { ChatMessage, ChatRequest, ChatTool } from './chatRequest.ts';
import { researchReply } from './researchReply.ts';

/** What the model says, or the tools it wants to be called. */
export interface Reply {
	content: string | null;
	toolCalls?: ReadonlyArray<{ id: string; name: string; arguments: string }>;
}

interface Usage {
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
	const called = toolCalls.map((call) => call.name + call.arguments).join('');
	const prompt_tokens = tokensOf(prompt);
	const completion_tokens = tokensOf((content ?? '') + called);
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

/** A text in pieces, as it is streamed. */
export function piecesOf(text: string): string[] {
	return text.match(new RegExp(`[^]{1,${CHUNK_CHARS}}`, 'gu')) ?? [];
}

/** The answer as server-sent events, the usage last. */
export function streamed(reply: Reply, { id, model, atMs, usage }: AnswerFacts): Answer {
	const base = { id, object: 'chat.completion.chunk', created: Math.floor(atMs / 1000), model };
	const chunk = (delta: object, finish_reason: string | null = null): object => ({
		...base,
		choices: [{ index: 0, delta, finish_reason }],
	});
	const calls = toolCallsOf(reply);
	const chunks = [
		chunk({ role: 'assistant', content: '' }),
		...piecesOf(reply.content ?? '').map((piece) => chunk({ content: piece })),
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
	const type = status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'server_error';
	return jsonAnswer(status, { error: { message, type, param: null, code } }, headers);
}

/** All values in what a tool has answered, which is JSON more often than not, also within its texts. */
function* valuesIn(answer: unknown): Generator<unknown> {
	if (typeof answer === 'string' && /^\s*[[{]/.test(answer)) {
		let read: unknown;
		try {
			read = JSON.parse(answer);
		} catch {
			yield answer;
			return;
		}
		yield* valuesIn(read);
		return;
	}
	yield answer;
	if (typeof answer === 'object' && answer !== null) for (const value of Object.values(answer)) yield* valuesIn(value);
}

const textsIn = (answer: string): string[] =>
	[...valuesIn(answer)]
		.filter((value) => typeof value === 'string')
		.filter((text) => !text.trimStart().startsWith('<'));

/** A link is its label: an address, which may hold a sentence of the page, is none of the text. */
const toldIn = (message: ChatMessage): string =>
	textsIn(messageText(message))
		.join('\n')
		.replace(/\[([^\]]*)\]\([^)\s]*\)/g, '[$1]');

const SENTENCES = 5;
const bounds = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentences of a text, each once. Line ends that JSON has written as `\n` count, too. */
function sentencesOf(text: string): string[] {
	const lines = text.split(/\\n|[\n\r]+/u);
	const found = lines.flatMap((line) => [...bounds.segment(line)].map(({ segment }) => segment.trim()));
	return [...new Set(found.filter((sentence) => /\p{L}.*\s.*\p{L}/u.test(sentence)))];
}

/**
 * A reply to any conversation: the sentences of what it holds besides the latest question that have most of the
 * question's words in them, in the order of their worth. Says so when there are none.
 */
function plainReply(messages: readonly ChatMessage[]): string {
	const asked = messages.findLastIndex(({ role }) => role === 'user');
	const question = messages[asked];
	// n8n 1.123 has the model say "Calling … with input …" before each answer of a tool.
	const isOwnCall = (role: string, index: number) => role === 'assistant' && index > asked;
	const others = messages.filter(({ role }, index) => index !== asked && role !== 'system' && !isOwnCall(role, index));
	const wanted = termsOf(question ? messageText(question) : '');
	const page = { url: '', title: '', description: '', icon: '' };
	const known = [...others.map(toldIn), ...(others.length === 0 && question ? [messageText(question)] : [])];
	// An answer may repeat the question, which answers nothing.
	const asking = question ? messageText(question).trim() : '';
	const sentences = known.flatMap(sentencesOf).filter((sentence) => others.length === 0 || sentence !== asking);
	const found = rankSentences([{ ...page, sentences }], wanted).filter(({ score }) => score > 0);
	if (found.length === 0) {
		const [told] = messages.filter(({ role }) => role === 'tool').slice(-1);
		const first = told ? sentencesOf(toldIn(told)).slice(0, SENTENCES).join(' ') : '';
		return first === '' ? 'I know nothing about that.' : `This is what was found: ${first}`;
	}
	const isAskedFor = (what: RegExp): boolean =>
		messages.some((message) => message.role === 'system' && what.test(messageText(message)));
	const passages = isAskedFor(/Markdown link/) ? others.flatMap((message) => passagesIn(messageText(message))) : [];
	const told = found
		.slice(0, SENTENCES)
		.map(({ text }) => text + linkBehind(text, passages))
		.join(' ');
	return isAskedFor(/sources/i) ? told + sourceList(told, others) : told;
}

/** A passage of a vector store, as n8n's tool gives it. */
const passage = z.object({ pageContent: z.string(), metadata: z.object({ link: z.string(), title: z.string() }) });

/** The passages with a link in what a tool has answered. */
const passagesIn = (answer: string): Array<z.infer<typeof passage>> =>
	[...valuesIn(answer)].flatMap((value) => passage.safeParse(value).data ?? []);

function linkBehind(sentence: string, passages: ReadonlyArray<z.infer<typeof passage>>): string {
	const evened = (text: string): string => text.replace(/\s+/g, ' ');
	const holder = passages.find(({ pageContent }) => evened(pageContent).includes(evened(sentence)));
	return holder === undefined ? '' : ` ([${holder.metadata.title}](${holder.metadata.link}))`;
}

/** The numbered sources in what a tool has answered, as Web Research gives them: those that the text cites, as a list. */
function sourceList(told: string, messages: readonly ChatMessage[]): string {
	const listed = messages.flatMap((message) => [
		...messageText(message).matchAll(/"number":(\d+),"title":"[^"]*","url":"([^"]+)"/g),
	]);
	const cited = listed.filter(([, number]) => told.includes(`[${number}]`));
	return cited.length === 0 ? '' : `\n\nSources:\n${cited.map(([, number, url]) => `${number}. ${url}`).join('\n')}`;
}

/**
 * What the model says. It is no language model: it picks sentences from what it is sent, and calls the first tool
 * that it is offered.
 */
export function replyTo(request: ChatRequest, newId: () => string): Reply {
	const { messages, tools = [] } = request;
	const toolCall = toolCallFor(messages, tools, newId);
	return toolCall ?? { content: researchReply(messages) ?? plainReply(messages) };
}

/** Names of arguments that take what the user asked for, best first. */
const QUESTION_ARGUMENTS = ['query', 'question', 'input', 'prompt', 'search', 'text'];

interface Parameters {
	properties?: Record<string, { type?: unknown; enum?: unknown[] } | undefined>;
	required?: string[];
}

function isParameters(value: unknown): value is Parameters {
	return typeof value === 'object' && value !== null;
}

/**
 * The arguments of a call: the question in the one that takes it, the least in others that must be there. Those of a tool
 * behind a review stand in an object of their own (docs/reference/n8n-internals.md#review-of-an-agents-tool).
 */
function argumentsFor(parameters: unknown, question: string): object {
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
		return [[name, type === 'object' ? argumentsFor(properties[name], question) : question]];
	});
	return Object.fromEntries(filled);
}

/** In a question: all tools are called at once, as models do that are asked for several things. */
const EVERY_TOOL = '[every tool]';

/**
 * The call of a tool that answers the user's latest message: the first tool, once, or all of them at once. Undefined
 * when no tool is offered, or one has answered already.
 */
function toolCallFor(
	messages: readonly ChatMessage[],
	tools: readonly ChatTool[],
	newId: () => string,
): Reply | undefined {
	const asked = messages.findLastIndex(({ role }) => role === 'user');
	const hasAnswer = messages.slice(asked + 1).some(({ role }) => role === 'tool');
	const question = messages[asked];
	if (hasAnswer || tools.length === 0 || question === undefined) return undefined;
	const text = messageText(question);
	const toolCalls = tools.slice(0, text.includes(EVERY_TOOL) ? tools.length : 1).map((tool) => ({
		id: `call_${newId()}`,
		name: tool.function.name,
		arguments: JSON.stringify(argumentsFor(tool.function.parameters, text)),
	}));
	return { content: null, toolCalls };
}
