import type { FastifyInstance } from 'fastify';

import { deliver } from '../../control/deliver.ts';
import { jsonAnswer } from '../../http/answer.ts';
import { bodyOf } from '../../http/jsonBody.ts';
import { completion, streamed, usageOf } from '../../model/chatAnswer.ts';
import { promptText, readChatRequest } from '../../model/chatRequest.ts';
import { replyTo } from '../../model/reply.ts';
import { spoil } from '../../model/spoiledReply.ts';
import { answerModelCall } from './modelCall.ts';
import type { Answer } from '../../http/answer.ts';
import type { ChatRequest } from '../../model/chatRequest.ts';
import type { ModelFault } from '../../model/modelFault.ts';
import type { Service } from '../../service/service.ts';

function answerChat(
	service: Service,
	request: ChatRequest,
	faults: ReadonlySet<ModelFault>,
): Answer {
	const prompt = promptText(request);
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
		const delivery = await answerModelCall(
			service,
			request.headers.authorization,
			bodyOf(request.body),
			{
				read: readChatRequest,
				textOf: promptText,
				answer: (asked, faults) => answerChat(service, asked, faults),
			},
		);
		await deliver(request, reply, delivery, service);
		return reply;
	});
}
