import type { FastifyInstance, FastifyRequest } from 'fastify';

import { deliver } from '../../control/deliver.ts';
import { withKey } from '../../control/echoedKey.ts';
import { applyFault } from '../../control/faultyAnswer.ts';
import { jsonAnswer } from '../../http/answer.ts';
import { refuseKey } from '../../http/authorization.ts';
import { bodyOf } from '../../http/jsonBody.ts';
import { chatError, completion, streamed, tokensOf, usageOf } from '../../model/chatAnswer.ts';
import { promptText, readChatRequest } from '../../model/chatRequest.ts';
import { readModelName } from '../../model/modelFault.ts';
import { replyTo } from '../../model/reply.ts';
import { spoil } from '../../model/spoiledReply.ts';
import type { Phase } from '../../control/faultBook.ts';
import type { Fault } from '../../control/faultRule.ts';
import type { Delivery } from '../../control/faultyAnswer.ts';
import type { Answer } from '../../http/answer.ts';
import type { ReadBody } from '../../http/jsonBody.ts';
import type { ChatRequest } from '../../model/chatRequest.ts';
import type { ModelFault, NamedModel } from '../../model/modelFault.ts';
import type { Service } from '../../service/service.ts';

type Strike = (phase: Phase) => Fault | undefined;

/** The refusals of a model's server, in the order in which OpenAI's gives them. */
function refuse(
	faults: ReadonlySet<ModelFault>,
	model: NamedModel,
	tokens: number,
): Answer | undefined {
	if (faults.has('serverError'))
		return chatError(500, 'The server had an error while processing your request.', null);
	if (faults.has('rateLimit')) {
		const text = 'Rate limit reached for requests. Please try again in 1s.';
		return chatError(429, text, 'rate_limit_exceeded', { 'retry-after': '1' });
	}
	if (!faults.has('contextTooLong') && tokens <= model.contextTokens) return undefined;
	const most = Math.min(model.contextTokens, tokens - 1);
	return chatError(
		400,
		`This model's maximum context length is ${most} tokens. However, your messages resulted in ${tokens} tokens.`,
		'context_length_exceeded',
	);
}

async function answerChat(
	service: Service,
	request: ChatRequest,
	model: NamedModel,
	strike: Strike,
): Promise<Answer> {
	if (model.slowMs > 0) await service.waits.pause(model.slowMs / service.options.speed);
	const struck = strike('model');
	const faults = new Set(model.faults);
	if (struck?.kind === 'model') faults.add(struck.fault);
	const prompt = promptText(request);
	const refused = refuse(faults, model, tokensOf(prompt));
	if (refused) return refused;
	const reply = spoil(
		replyTo(request, () => service.newId()),
		[...faults],
	);
	const facts = {
		id: `chatcmpl-${service.newId()}`,
		model: request.model,
		atMs: service.now(),
		...(!faults.has('noUsage') && { usage: usageOf(prompt, reply) }),
	};
	if (request.stream !== true) return completion(reply, facts);
	const wantsUsage = request.stream_options?.include_usage === true;
	return streamed(reply, wantsUsage ? facts : { ...facts, usage: undefined });
}

async function answerOrFault(
	service: Service,
	request: FastifyRequest,
	body: ReadBody,
): Promise<Delivery> {
	const plain = (answer: Answer): Delivery => ({ how: 'answer', answer });
	const unauthorized = refuseKey(request.headers.authorization, service.options);
	if (unauthorized) return plain(chatError(401, 'Incorrect API key provided.', 'invalid_api_key'));
	const read = body.malformed ? { wrong: 'The body is not JSON.' } : readChatRequest(body.value);
	if ('wrong' in read) return plain(chatError(400, read.wrong, null));
	const { asked } = read;
	const model = readModelName(asked.model);
	if (!model) {
		const text = `The model '${asked.model}' does not exist.`;
		return plain(chatError(404, text, 'model_not_found'));
	}
	const prompt = promptText(asked);
	const strike: Strike = (phase) => {
		const fault = service.faults.strike('model', prompt, phase);
		if (!fault) return undefined;
		service.statistics.countFault(fault.kind);
		return withKey(fault, request.headers.authorization);
	};
	const before = strike('before');
	if (before?.kind === 'slow') await service.waits.pause(before.ms);
	else if (before) return applyFault(before, undefined);
	const answer = await answerChat(service, asked, model, strike);
	const after = answer.status < 300 ? strike('after') : undefined;
	return after ? applyFault(after, answer) : plain(answer);
}

/**
 * A chat model with OpenAI's requests and answers, so that nodes of n8n that need a model have one: its address is the
 * service's and `/v1`. It is no part of the service: it takes the same keys, but no credits and no limits count.
 */
export function chatRoutes(app: FastifyInstance, service: Service): void {
	app.get(
		'/v1/models',
		() =>
			jsonAnswer(200, {
				object: 'list',
				data: [{ id: 'sandbox', object: 'model', created: 0, owned_by: 'sandbox' }],
			}).body,
	);
	app.post('/v1/chat/completions', async (request, reply) => {
		service.statistics.countCall('model', undefined);
		const delivery = await answerOrFault(service, request, bodyOf(request.body));
		await deliver(request, reply, delivery, service);
		return reply;
	});
}
