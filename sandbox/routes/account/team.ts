import type { FastifyInstance } from 'fastify';

import { jsonAnswer } from '../../http/answer.ts';
import { answerRequest } from '../../requests/answerRequest.ts';
import type { Service } from '../../service/service.ts';

/** What a server without accounts says is left (recording other-01). */
const WITHOUT_LIMIT = 99_999_999;

/** The credit balance: free, and in no counter of requests a minute that the contract names. */
export function teamRoutes(app: FastifyInstance, service: Service): void {
	app.get('/v2/team/credit-usage', (request, reply) =>
		answerRequest(service, request, reply, {
			step: 'other',
			bucket: null,
			creditsNeeded: 0,
			query: undefined,
			jobId: () => undefined,
			work() {
				service.countRunning(service.now());
				const remainingCredits = Math.min(WITHOUT_LIMIT, service.credits.left());
				return jsonAnswer(200, { success: true, data: { remainingCredits } });
			},
		}),
	);
}
