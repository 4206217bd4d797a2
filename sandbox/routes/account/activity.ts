import type { FastifyInstance } from 'fastify';

import { ENDPOINT_FILTERS, activityLimit } from '../../team/activity.ts';
import { jsonAnswer } from '../../http/answer.ts';
import { refusal } from '../../http/refusals.ts';
import { answerList } from '../../requests/answerList.ts';
import type { Answer } from '../../http/answer.ts';
import type { Service } from '../../service/service.ts';

type Query = Record<string, string | string[] | undefined>;

const FAILED = 'Failed to fetch activity.';

function textOf(value: string | string[] | undefined): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

function page(service: Service, query: Query): Answer {
	const endpoint = textOf(query.endpoint);
	if (endpoint !== undefined && !ENDPOINT_FILTERS.some((known) => known === endpoint)) {
		return refusal(400, `Invalid endpoint filter. Must be one of: ${ENDPOINT_FILTERS.join(', ')}`);
	}
	const limit = activityLimit(textOf(query.limit));
	const asked = { limit, endpoint, cursor: textOf(query.cursor) };
	const found = service.activity.page(asked, service.now(), service.options.listsLagMs());
	if (found.how === 'badCursor') return refusal(400, 'Invalid cursor.');
	return found.how === 'failed' ? refusal(500, FAILED) : jsonAnswer(200, found.body);
}

/** The feed of what was started in the last 24 hours (recordings team-20 to team-29c of 2026). */
export function activityRoutes(app: FastifyInstance, service: Service): void {
	app.get<{ Querystring: Query }>('/v2/team/activity', (request, reply) =>
		answerList(service, request, reply, {
			state: service.options.lists.activity,
			step: 'activity',
			bucket: null,
			broken: () => refusal(500, FAILED),
			list: () => page(service, request.query),
		}),
	);
}
