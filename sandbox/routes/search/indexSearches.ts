import { jsonAnswer, badSearch } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { acceptBody, queryOf } from '../../requests/answerRequest.ts';
import type { Asked, Route } from '../../requests/routes.ts';
import { developerRequestSchema, developerSearch } from '../../search/developerSearch.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v2/search/developer';

function search(service: Service, body: ReadBody): Answer {
	const answer = developerSearch(acceptBody(service, body, developerRequestSchema, badSearch));
	const hits = Array.isArray(answer.results) ? answer.results.length : 0;
	service.credits.charge(2 * Math.ceil(hits / 10));
	return jsonAnswer(200, answer);
}

/** The developer search by query or body. */
export function developerSearchRoutes(service: Service): Route[] {
	const by = (on: string, given: (asked: Asked) => ReadBody): Route => ({
		on,
		step: 'developerSearch',
		bucket: 'search',
		credits: 1,
		query: (asked) => queryOf(given(asked), 'query'),
		work: (asked) => search(service, given(asked)),
	});
	return [
		by(`GET ${PATH}`, ({ query }) => ({ malformed: false, value: query })),
		by(`POST ${PATH}`, ({ body }) => body),
	];
}
