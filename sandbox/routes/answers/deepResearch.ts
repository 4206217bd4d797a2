import { lightResult, research } from '../../deepResearch/researcher.ts';
import { researchRecord, researchRequestSchema } from '../../deepResearch/researchJobs.ts';
import { jsonAnswer, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { acceptBody } from '../../requests/answerRequest.ts';
import type { Asked, Route } from '../../requests/routes.ts';
import type { Service } from '../../service/service.ts';
import { answerRoutes, startAnswer } from './answerRoutes.ts';

function start(service: Service, { body, started: told }: Asked): Answer {
	const request = acceptBody(service, body, researchRequestSchema);
	const { query, maxDepth, timeLimit } = request;
	const found = service.options.lightWork ? lightResult(request) : research(request);
	// One credit for each URL analysed (docs/reference/service-notes.md#deep-research).
	const credits = found.steps.filter((step) => 'source' in step).length;
	const result = { fields: { found, maxDepth }, credits };
	const id = startAnswer(service, { kind: 'deepResearch', query, target: query, timeLimit, result });
	told(id);
	return jsonAnswer(200, { success: true, id });
}

function status(service: Service, id: string): Answer {
	const nowMs = service.now();
	const job = service.answers.find(id, 'deepResearch', nowMs);
	// An id that is no UUID is just as unknown (recordings dr-40, dr-41, dr-45).
	return job ? jsonAnswer(200, researchRecord(job, nowMs)) : refusal(404, 'Deep research job not found');
}

/** Deep research: start (counts as crawl) and status (counts as crawl status; docs/reference/service-notes.md#requests-a-minute). */
export const deepResearchRoutes = (service: Service): Route[] =>
	answerRoutes(service, {
		kind: 'deepResearch',
		path: '/v1/deep-research',
		start: {
			step: 'researchStart',
			bucket: 'crawl',
			asked: ['topic', 'query'],
			work: (asked) => start(service, asked),
		},
		status: { step: 'researchStatus', bucket: 'crawlStatus', work: (id) => status(service, id) },
		deprecated: { replacement: '/v2/search' },
	});
