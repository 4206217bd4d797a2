import type { FastifyInstance } from 'fastify';
import { ZodError } from 'zod/v4';
import { FILES_PATH } from '../files/storedFiles.ts';
import { bodyOf } from '../http/requestChecks.ts';
import type { Service } from '../service/service.ts';

/** Everything under it is the sandbox's own and no part of the service's contract. */
export const CONTROL_PREFIX = '/_sandbox';

/** Faults and statistics over HTTP. The server listens on the loopback address only. */
export function controlRoutes(app: FastifyInstance, service: Service): void {
	app.get(`${CONTROL_PREFIX}/stats`, () => service.stats());

	app.get<{ Params: { name: string } }>(`${FILES_PATH}/:name`, async (request, reply) => {
		const file = service.files.find(request.params.name);
		if (!file) return reply.code(404).send({ error: 'There is no such file.' });
		return reply.type(file.contentType).send(file.bytes);
	});

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
