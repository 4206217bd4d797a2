import type { FastifyInstance } from 'fastify';

import { jsonAnswer } from '../../http/answer.ts';
import { withDeprecation } from '../../http/deprecation.ts';
import { refusal } from '../../http/refusals.ts';
import { llmsTxtRecord, llmsTxtResult } from '../../llmsTxt/llmsTxtRecord.ts';
import { llmsTxtRequestSchema } from '../../llmsTxt/llmsTxtRequest.ts';
import { acceptBody } from '../../requests/acceptBody.ts';
import { answerRoutes } from './answerRoutes.ts';
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
	answerRoutes(app, service, {
		kind: 'llmsTxt',
		path: PATH,
		start: {
			step: 'llmsTxtStart',
			bucket: 'scrape',
			asked: 'url',
			work: (body, onStarted) => {
				const answer = start(service, body, onStarted);
				return body.malformed ? answer : noting(PATH, answer);
			},
		},
		status: {
			step: 'llmsTxtStatus',
			bucket: 'crawlStatus',
			work: (id) => noting(`${PATH}/:jobId`, status(service, id)),
		},
	});
}
