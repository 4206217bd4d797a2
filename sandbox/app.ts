import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { HTML_TYPE, JSON_TYPE, bodyText, routeNotFound, refusal } from './http/answer.ts';
import { readBodies, tokenIn } from './http/requestChecks.ts';
import { CONTROL_PREFIX, controlRoutes } from './routes/control.ts';
import { addRoutes } from './routes/resources.ts';
import type { Service } from './service/service.ts';

/** Its routes are there only then. */
async function ready(app: FastifyInstance): Promise<FastifyInstance> {
	await app.ready();
	return app;
}

function httpStatusOf(error: unknown): number {
	const hasStatus = typeof error === 'object' && error !== null && 'statusCode' in error;
	return hasStatus && typeof error.statusCode === 'number' ? error.statusCode : 500;
}

/**
 * The HTTP side of the service, in which what has a key of another account is answered by that one. Nothing of it
 * logs, and no header is kept.
 */
export async function buildApp(service: Service, others: readonly Service[] = []): Promise<FastifyInstance> {
	const apps = await Promise.all(
		others.map(async (other) => ({ keys: other.options.keys, app: await buildApp(other).then(ready) })),
	);
	const app = fastify({
		forceCloseConnections: true,
		// Longer than a client's pause between two polls, so that a reused connection is not cut just then.
		keepAliveTimeout: 70_000,
		// A path that cannot be decoded never reaches a route.
		frameworkErrors: (_error, _request, reply) => {
			reply.hijack();
			reply.raw.writeHead(400, { 'content-type': JSON_TYPE });
			reply.raw.end(bodyText(refusal(400, 'Bad Request')));
		},
		// The router's own bound would make a long id an unknown route.
		routerOptions: { maxParamLength: 4096 },
	});
	readBodies(app);

	app.addHook('onRequest', async ({ raw, headers }, reply) => {
		const other = apps.find(({ keys }) => keys.has(tokenIn(headers.authorization ?? '') ?? ''));
		if (!other) return;
		reply.hijack();
		other.app.routing(raw, reply.raw);
	});
	app.addHook('onRequest', async (request) => {
		if (!request.url.startsWith(CONTROL_PREFIX)) service.statistics.countRequest(service.now());
	});
	app.addHook('onRequest', async (request, reply) => {
		if (request.url.startsWith(CONTROL_PREFIX)) return;
		// The socket's end, not the framework's: faults write past the framework.
		reply.raw.once('close', () => {
			service.statistics.noteAnswer({
				atMs: service.now(),
				method: request.method,
				path: request.url.split('?', 1)[0] ?? '',
				status: reply.raw.headersSent ? reply.raw.statusCode : 0,
			});
		});
	});
	app.addHook('onSend', async (_request, reply) => {
		reply.header('date', new Date(service.now()).toUTCString());
	});
	app.setNotFoundHandler((request, reply) => {
		const answer = routeNotFound(request.method, request.url);
		return reply.code(answer.status).type(HTML_TYPE).send(answer.body);
	});
	app.setErrorHandler((error, _request, reply) => {
		const status = httpStatusOf(error);
		const text = status < 500 && error instanceof Error ? error.message : 'An unexpected error occurred on the server.';
		return reply.code(status).send(refusal(status, text).body);
	});

	addRoutes(app, service);
	controlRoutes(app, service);
	return app;
}
