import type { FastifyInstance, FastifyReply } from 'fastify';
import { z, ZodError } from 'zod';
import { FILES_PATH } from '../files/storedFiles.ts';
import { bodyOf } from '../http/requestChecks.ts';
import type { Service } from '../service/service.ts';
import type { DeliveryRule } from '../webhooks/webhooks.ts';

/** Everything under it is the sandbox's own and no part of the service's contract. */
export const CONTROL_PREFIX = '/_sandbox';

const forgerySchema = z
	.object({
		url: z.string().url(),
		body: z.union([z.record(z.unknown()), z.string()]),
		headers: z.record(z.string()).default({}),
		sign: z.enum(['wrong', 'none', 'right']).default('none'),
	})
	.strict();

/** Carries out what was asked for, or says in which way it makes no sense. */
async function orRefuse(reply: FastifyReply, work: () => unknown): Promise<unknown> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ZodError)) throw error;
		return reply.code(400).send({ error: 'This makes no sense.', details: error.issues });
	}
}

/** The calls of webhooks: what came of them, what goes wrong with them, and forged ones. */
function webhookControl(app: FastifyInstance, { webhooks }: Service): void {
	const path = `${CONTROL_PREFIX}/webhooks`;
	const { control } = webhooks;
	const given = (body: unknown): unknown => {
		const read = bodyOf(body);
		return read.malformed ? undefined : read.value;
	};
	app.get(path, () => control.sent());
	app.post(`${path}/rules`, async (request, reply) =>
		orRefuse(reply, () => {
			control.add(given(request.body) as DeliveryRule);
			return { success: true };
		}),
	);
	app.post(`${path}/forge`, async (request, reply) =>
		orRefuse(reply, async () => ({
			status: await control.forge(forgerySchema.parse(given(request.body))),
		})),
	);
	app.delete(path, async (_request, reply) => {
		control.clear();
		return reply.code(204).send();
	});
}

/** Faults and statistics over HTTP. The server listens on the loopback address only. */
export function controlRoutes(app: FastifyInstance, service: Service): void {
	app.get(`${CONTROL_PREFIX}/stats`, () => service.stats());

	app.get(`${CONTROL_PREFIX}/requests`, () => service.statistics.latestRequests());

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

	webhookControl(app, service);

	app.post(`${CONTROL_PREFIX}/reset`, async (_request, reply) => {
		service.reset();
		return reply.code(204).send();
	});
}
