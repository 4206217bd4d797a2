import type { FastifyInstance } from 'fastify';
import { jsonAnswer, badSearch } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { bodyOf } from '../../http/requestChecks.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { acceptBody, answerRequest, queryOf } from '../../requests/answerRequest.ts';
import type { Call } from '../../requests/answerRequest.ts';
import { developerRequestSchema, developerSearch } from '../../search/developerSearch.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v2/search/developer';

function search(service: Service, body: ReadBody): Answer {
	const read = acceptBody(service, body, developerRequestSchema, badSearch);
	if ('refused' in read) return read.refused;
	const answer = developerSearch(read.request);
	const hits = Array.isArray(answer.results) ? answer.results.length : 0;
	service.credits.charge(2 * Math.ceil(hits / 10));
	return jsonAnswer(200, answer);
}

/** The developer search by query or body. */
export function developerSearchRoutes(app: FastifyInstance, service: Service): void {
	const callOf = (body: ReadBody): Call => ({
		step: 'developerSearch',
		bucket: 'search',
		creditsNeeded: 1,
		query: queryOf(body, 'query'),
		jobId: () => undefined,
		work: () => search(service, body),
	});
	app.get(PATH, (request, reply) =>
		answerRequest(service, request, reply, callOf({ malformed: false, value: request.query })),
	);
	app.post(PATH, (request, reply) => answerRequest(service, request, reply, callOf(bodyOf(request.body))));
}
