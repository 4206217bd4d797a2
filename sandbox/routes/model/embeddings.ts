import type { FastifyInstance } from 'fastify';

import { deliver } from '../../control/deliver.ts';
import { jsonAnswer } from '../../http/answer.ts';
import { bodyOf } from '../../http/jsonBody.ts';
import { tokensOf } from '../../model/chatAnswer.ts';
import { asBase64, embeddingOf } from '../../model/embedding.ts';
import { readEmbeddingRequest } from '../../model/embeddingRequest.ts';
import { answerModelCall } from './modelCall.ts';
import type { Answer } from '../../http/answer.ts';
import type { EmbeddingRequest } from '../../model/embeddingRequest.ts';
import type { Service } from '../../service/service.ts';

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

/** Embeddings with OpenAI's requests and answers, beside the chat model and with its keys and faults. They cost no credits. */
export function embeddingRoutes(app: FastifyInstance, service: Service): void {
	app.post('/v1/embeddings', async (request, reply) => {
		service.statistics.countCall('model', undefined);
		const { authorization } = request.headers;
		const delivery = await answerModelCall(service, authorization, bodyOf(request.body), {
			read: readEmbeddingRequest,
			textOf,
			answer: answerEmbeddings,
		});
		await deliver(request, reply, delivery, service);
		return reply;
	});
}
