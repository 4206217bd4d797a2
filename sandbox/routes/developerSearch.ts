import type { FastifyInstance } from 'fastify';

import { acceptBody } from '../acceptBody.ts';
import { jsonAnswer } from '../answer.ts';
import { exchange } from '../exchange.ts';
import { bodyOf } from '../jsonBody.ts';
import { developerRequestSchema, developerSearch } from '../search/developerSearch.ts';
import { badSearch } from '../refusals.ts';
import { queryOf } from './callFacts.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../exchange.ts';
import type { ReadBody } from '../jsonBody.ts';
import type { Service } from '../service.ts';

const PATH = '/v2/search/developer';

function search(service: Service, body: ReadBody): Answer {
	const read = acceptBody(service, body, developerRequestSchema, badSearch);
	if ('refused' in read) return read.refused;
	const answer = developerSearch(read.request);
	const hits = Array.isArray(answer.results) ? answer.results.length : 0;
	service.credits.charge(2 * Math.ceil(hits / 10));
	return jsonAnswer(200, answer);
}

/** The developer search by query or body. A server of 2025 has no such route (CONTRACT section 15). */
export function developerSearchRoutes(app: FastifyInstance, service: Service): void {
	if (service.options.generation === 2025) return;
	const callOf = (body: ReadBody): Call => ({
		step: 'developerSearch',
		bucket: 'search',
		creditsNeeded: 1,
		query: queryOf(body, 'query'),
		jobId: () => undefined,
		work: () => search(service, body),
	});
	app.get(PATH, (request, reply) =>
		exchange(service, request, reply, callOf({ malformed: false, value: request.query })),
	);
	app.post(PATH, (request, reply) =>
		exchange(service, request, reply, callOf(bodyOf(request.body))),
	);
}
