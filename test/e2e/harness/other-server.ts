import fastify from 'fastify';

/** A server that is not the service: what people reach when the address is wrong. */
export interface OtherServer {
	/** `/unknown` answers 404, `/page` with a web page, `/json` with JSON of its own. */
	baseUrl: string;
	stop(): Promise<void>;
}

/** Starts one on a free loopback port. */
export async function startOtherServer(): Promise<OtherServer> {
	const app = fastify();
	const page = '<!doctype html><html><head><title>Sign in</title></head><body>Hello</body></html>';
	app.get('/page/*', async (_request, reply) => await reply.type('text/html').send(page));
	app.get('/json/*', async () => ({ name: 'some other server', ok: true }));
	const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
	return { baseUrl, stop: () => app.close() };
}
