import { jsonAnswer, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { llmsTxtRecord, llmsTxtResult, llmsTxtRequestSchema } from '../../llmsTxt/llmsTxtRecord.ts';
import { acceptBody } from '../../requests/answerRequest.ts';
import type { Service } from '../../service/service.ts';
import type { Asked, Route } from '../../requests/routes.ts';
import { answerRoutes, startAnswer } from './answerRoutes.ts';

const PATH = '/v1/llmstxt';

function start(service: Service, { body, started: told }: Asked): Answer {
	const request = acceptBody(service, body, llmsTxtRequestSchema);
	const id = startAnswer(service, {
		kind: 'llmsTxt',
		query: request.url,
		target: request.url,
		result: llmsTxtResult(request),
	});
	told(id);
	return jsonAnswer(200, { success: true, id });
}

function status(service: Service, id: string): Answer {
	const nowMs = service.now();
	const job = service.answers.find(id, 'llmsTxt', nowMs);
	// An id that is no UUID is just as unknown (recording llms-21).
	if (!job) return refusal(404, 'llmsTxt generation job not found');
	return jsonAnswer(200, llmsTxtRecord(job, nowMs));
}

/** Texts for language models: start (counts as scrape) and status (as crawl status). */
export const llmsTxtRoutes = (service: Service): Route[] =>
	answerRoutes(service, {
		kind: 'llmsTxt',
		path: PATH,
		start: {
			step: 'llmsTxtStart',
			bucket: 'scrape',
			asked: ['url'],
			work: (asked) => start(service, asked),
		},
		status: {
			step: 'llmsTxtStatus',
			bucket: 'crawlStatus',
			work: (id) => status(service, id),
		},
		deprecated: { advice: ' and will not be replaced' },
	});
