import { badSearch, jsonAnswer } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { acceptBody, queryOf } from '../../requests/answerRequest.ts';
import type { Asked, Route } from '../../requests/routes.ts';
import { developerRequestSchema, developerSearch } from '../../search/developerSearch.ts';
import { badGovernmentSearch, governmentRequestSchema, governmentSearch } from '../../search/governmentSearch.ts';
import type { Service } from '../../service/service.ts';

/** An index of its own kind of documents, asked by query or body. Ten hits begun cost 2 credits. */
function indexRoutes(
	service: Service,
	path: string,
	step: 'developerSearch' | 'governmentSearch',
	search: (body: ReadBody) => { answer: Record<string, unknown>; hits: number },
): Route[] {
	const work = (body: ReadBody): Answer => {
		const { answer, hits } = search(body);
		service.credits.charge(2 * Math.ceil(hits / 10));
		return jsonAnswer(200, answer);
	};
	const by = (on: string, given: (asked: Asked) => ReadBody): Route => ({
		on,
		step,
		bucket: 'search',
		credits: 1,
		query: (asked) => queryOf(given(asked), 'query'),
		work: (asked) => work(given(asked)),
	});
	return [
		by(`GET ${path}`, ({ query }) => ({ malformed: false, value: query })),
		by(`POST ${path}`, ({ body }) => body),
	];
}

/** The searches of the developer index and of the government index. */
export const indexSearchRoutes = (service: Service): Route[] => [
	...indexRoutes(service, '/v2/search/developer', 'developerSearch', (body) =>
		developerSearch(acceptBody(service, body, developerRequestSchema, badSearch)),
	),
	...indexRoutes(service, '/v2/search/gov', 'governmentSearch', (body) =>
		governmentSearch(acceptBody(service, body, governmentRequestSchema, badGovernmentSearch)),
	),
];
