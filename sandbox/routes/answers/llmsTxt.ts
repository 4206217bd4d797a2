import type { FastifyInstance } from 'fastify';

import { jsonAnswer } from '../../http/answer.ts';
import { withDeprecation } from '../../http/deprecation.ts';
import { bodyOf } from '../../http/jsonBody.ts';
import { refusal } from '../../http/refusals.ts';
import { llmsTxtRecord, llmsTxtResult } from '../../llmsTxt/llmsTxtRecord.ts';
import { llmsTxtRequestSchema } from '../../llmsTxt/llmsTxtRequest.ts';
import { acceptBody } from '../../requests/acceptBody.ts';
import { answerRequest } from '../../requests/answerRequest.ts';
import { queryOf } from '../../requests/callFacts.ts';
import { startAnswer } from './startAnswer.ts';
import type { Answer } from '../../http/answer.ts';
import type { ReadBody } from '../../http/jsonBody.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v1/llmstxt';

function noting(path: string, answer: Answer): Answer {
	return withDeprecation(answer, { path, advice: ' and will not be replaced' });
}

function start(service: Service, body: ReadBody, onStarted: (id: string) => void): Answer {
	const read = acceptBody(service, body, llmsTxtRequestSchema);
	if ('refused' in read) return read.refused;
	const { request } = read;
	const started = startAnswer(service, {
		kind: 'llmsTxt',
		query: request.url,
		target: request.url,
		result: llmsTxtResult(request),
		hookData: () => undefined,
	});
	if ('refused' in started) return started.refused;
	onStarted(started.id);
	return jsonAnswer(200, { success: true, id: started.id });
}

function status(service: Service, id: string): Answer {
	const nowMs = service.now();
	const job = service.answers.find(id, 'llmsTxt', nowMs);
	// An id that is no UUID is just as unknown (recording llms-21).
	if (!job) return refusal(404, 'llmsTxt generation job not found');
	return jsonAnswer(200, llmsTxtRecord(job, nowMs));
}

/** Texts for language models: start (counts as scrape) and status (as crawl status). */
export function llmsTxtRoutes(app: FastifyInstance, service: Service): void {
	if (service.options.generation === 2025) return;
	app.post(PATH, (request, reply) => {
		const body = bodyOf(request.body);
		let startedId: string | undefined;
		return answerRequest(service, request, reply, {
			step: 'llmsTxtStart',
			bucket: 'scrape',
			creditsNeeded: 1,
			query: queryOf(body, 'url'),
			jobId: () => startedId,
			work() {
				const answer = start(service, body, (id) => (startedId = id));
				return body.malformed ? answer : noting(PATH, answer);
			},
		});
	});

	app.get<{ Params: { id: string } }>(`${PATH}/:id`, (request, reply) => {
		const { id } = request.params;
		if (id === '') return reply.callNotFound();
		service.statistics.countPoll(id);
		return answerRequest(service, request, reply, {
			step: 'llmsTxtStatus',
			bucket: 'crawlStatus',
			creditsNeeded: 0,
			query: service.answers.find(id, 'llmsTxt', service.now())?.query,
			jobId: () => id,
			work: () => noting(`${PATH}/:jobId`, status(service, id)),
		});
	});
}
