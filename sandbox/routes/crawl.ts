import type { FastifyInstance } from 'fastify';

import { jsonAnswer } from '../answer.ts';
import { exchange } from '../exchange.ts';
import type { Service } from '../service.ts';

// The second is an alias (recording crawl-03b).
const ACTIVE_PATHS = ['/v2/crawl/active', '/v2/crawl/ongoing'];

/** The list of active crawls; counts as crawl status (recordings auth-31, auth-32). */
export function crawlRoutes(app: FastifyInstance, service: Service): void {
	for (const path of ACTIVE_PATHS) {
		app.get(path, (request, reply) =>
			exchange(service, request, reply, {
				step: 'active',
				bucket: 'crawlStatus',
				costsCredits: false,
				query: undefined,
				jobId: () => undefined,
				work: () => jsonAnswer(200, { success: true, crawls: service.crawls.list() }),
			}),
		);
	}
}
