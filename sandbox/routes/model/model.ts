import type { FastifyInstance } from 'fastify';
import { withKey, applyFault, deliver } from '../../control/faultyAnswer.ts';
import type { Delivery } from '../../control/faultyAnswer.ts';
import { refuseKey, bodyOf } from '../../http/requestChecks.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { chatError, tokensOf, completion, streamed, usageOf, replyTo } from '../../model/chat.ts';
import { promptText, readChatRequest } from '../../model/chatRequest.ts';
import type { ChatRequest } from '../../model/chatRequest.ts';
import { readModelName, spoil } from '../../model/modelFault.ts';
import type { ModelFault } from '../../model/modelFault.ts';
import type { Phase, Fault } from '../../control/faultBook.ts';
import { jsonAnswer } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import type { Service } from '../../service/service.ts';
import { readResponsesRequest, response, streamedResponse } from '../../model/responses.ts';
import { asBase64, embeddingOf, readEmbeddingRequest } from '../../model/embedding.ts';
import type { EmbeddingRequest } from '../../model/embedding.ts';

/** A kind of call: how it is read, and what answers it. */
interface ModelCall<Asked extends { model: string }> {
	read: (body: unknown) => { asked: Asked } | { wrong: string };
	/** All text that is sent: it is counted, and fault rules look for words in it. */
	textOf: (asked: Asked) => string;
	answer: (asked: Asked, faults: ReadonlySet<ModelFault>) => Answer;
}

/** The refusals of a model's server, in the order in which OpenAI's gives them. */
function refuse(faults: ReadonlySet<ModelFault>, tokens: number): Answer | undefined {
	if (faults.has('rateLimit')) {
		const text = 'Rate limit reached for requests. Please try again in 1s.';
		return chatError(429, text, 'rate_limit_exceeded', { 'retry-after': '1' });
	}
	if (!faults.has('contextTooLong')) return undefined;
	return chatError(
		400,
		`This model's maximum context length is ${tokens - 1} tokens. However, your messages resulted in ${tokens} tokens.`,
		'context_length_exceeded',
	);
}

/** Answers a call of a model, or does what a fault rule or the name of the model says. */
async function answerModelCall<Asked extends { model: string }>(
	service: Service,
	authorization: string | undefined,
	body: ReadBody,
	call: ModelCall<Asked>,
): Promise<Delivery> {
	const plain = (answer: Answer): Delivery => ({ how: 'answer', answer });
	const unauthorized = refuseKey(authorization, service.options);
	if (unauthorized) return plain(chatError(401, 'Incorrect API key provided.', 'invalid_api_key'));
	const read = body.malformed ? { wrong: 'The body is not JSON.' } : call.read(body.value);
	if ('wrong' in read) return plain(chatError(400, read.wrong, null));
	const { asked } = read;
	const model = readModelName(asked.model);
	if (!model) {
		const text = `The model '${asked.model}' does not exist.`;
		return plain(chatError(404, text, 'model_not_found'));
	}
	const sent = call.textOf(asked);
	const strike = (phase: Phase): Fault | undefined => {
		const fault = service.faults.strike('model', sent, phase);
		if (!fault) return undefined;
		service.statistics.countFault(fault.kind);
		return withKey(fault, authorization);
	};
	const before = strike('before');
	if (before?.kind === 'slow') await service.waits.pause(before.ms);
	else if (before) return applyFault(before, undefined);
	if (model.slowMs > 0) await service.waits.pause(model.slowMs / service.options.speed);
	const struck = strike('model');
	const faults = new Set(model.faults);
	if (struck?.kind === 'model') faults.add(struck.fault);
	const answer = refuse(faults, tokensOf(sent)) ?? call.answer(asked, faults);
	const after = answer.status < 300 ? strike('after') : undefined;
	return after ? applyFault(after, answer) : plain(answer);
}

/** What the model says, and what every form of the answer names. */
function replied(service: Service, request: ChatRequest, faults: ReadonlySet<ModelFault>) {
	const prompt = promptText(request);
	const reply = spoil(
		replyTo(request, () => service.newId()),
		[...faults],
	);
	const facts = { id: service.newId(), model: request.model, atMs: service.now(), usage: usageOf(prompt, reply) };
	return { reply, facts };
}

/** OpenAI's Responses API, which n8n's OpenAI Chat Model uses by default from its version 1.3 on. */
function answerResponses(service: Service, request: ChatRequest, faults: ReadonlySet<ModelFault>): Answer {
	if (faults.has('noResponses')) return jsonAnswer(404, { detail: 'Not Found' });
	const { reply, facts } = replied(service, request, faults);
	return request.stream === true ? streamedResponse(reply, facts) : response(reply, facts);
}

function answerChat(service: Service, request: ChatRequest, faults: ReadonlySet<ModelFault>): Answer {
	const { reply, facts: own } = replied(service, request, faults);
	const facts = { ...own, id: `chatcmpl-${own.id}` };
	if (request.stream !== true) return completion(reply, facts);
	const wantsUsage = request.stream_options?.include_usage === true;
	return streamed(reply, wantsUsage ? facts : { ...facts, usage: undefined });
}

const textOf = ({ texts }: EmbeddingRequest): string => texts.join('\n\n');

function answerEmbeddings(asked: EmbeddingRequest): Answer {
	const { model, texts, dimensions, isBase64 } = asked;
	const data = texts.map((text, index) => {
		const vector = embeddingOf(text, dimensions);
		return { object: 'embedding', index, embedding: isBase64 ? asBase64(vector) : vector };
	});
	const tokens = tokensOf(textOf(asked));
	const usage = { prompt_tokens: tokens, total_tokens: tokens };
	return jsonAnswer(200, { object: 'list', data, model, usage });
}

/**
 * A chat model and embeddings with OpenAI's requests and answers, so that nodes of n8n that need a model have one: its
 * address is the service's and `/v1`. It is no part of the service: it takes the same keys, but no credits and no
 * limits count.
 */
export function modelRoutes(app: FastifyInstance, service: Service): void {
	const post = <Asked extends { model: string }>(path: string, call: ModelCall<Asked>): void => {
		app.post(path, async (request, reply) => {
			service.statistics.countCall('model', undefined);
			const { authorization } = request.headers;
			const delivery = await answerModelCall(service, authorization, bodyOf(request.body), call);
			await deliver(request, reply, delivery, service);
			return reply;
		});
	};
	const models = [{ id: 'sandbox', object: 'model', created: 0, owned_by: 'sandbox' }];
	app.get('/v1/models', () => ({ object: 'list', data: models }));
	post('/v1/chat/completions', {
		read: readChatRequest,
		textOf: promptText,
		answer: (asked, faults) => answerChat(service, asked, faults),
	});
	post('/v1/responses', {
		read: readResponsesRequest,
		textOf: promptText,
		answer: (asked, faults) => answerResponses(service, asked, faults),
	});
	post('/v1/embeddings', { read: readEmbeddingRequest, textOf, answer: answerEmbeddings });
}
