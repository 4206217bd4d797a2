import type { FastifyInstance } from 'fastify';
import { ZodError } from 'zod/v4';
import { bodyOf } from '../http/requestChecks.ts';
import { PICTURE, PICTURE_PATH } from '../scrape/scraper.ts';
import type { Service } from '../service/service.ts';

/** Everything under it is the sandbox's own and no part of the service's contract. */
export const CONTROL_PREFIX = '/_sandbox';

/** Faults and statistics over HTTP. The server listens on the loopback address only. */
export function controlRoutes(app: FastifyInstance, service: Service): void {
	app.get(`${CONTROL_PREFIX}/stats`, () => service.stats());

	app.get(PICTURE_PATH, async (_request, reply) => reply.type('image/png').send(PICTURE));

	app.post(`${CONTROL_PREFIX}/faults`, async (request, reply) => {
		const body = bodyOf(request.body);
		try {
			return { id: service.faults.addUnknown(body.malformed ? undefined : body.value) };
		} catch (error) {
			if (!(error instanceof ZodError)) throw error;
			return reply.code(400).send({ error: 'This is no fault rule.', details: error.issues });
		}
	});

	app.delete(`${CONTROL_PREFIX}/faults`, async (_request, reply) => {
		service.faults.clear();
		return reply.code(204).send();
	});

	app.delete<{ Params: { id: string } }>(`${CONTROL_PREFIX}/faults/:id`, async (request, reply) =>
		reply.code(service.faults.remove(Number(request.params.id)) ? 204 : 404).send(),
	);
}
