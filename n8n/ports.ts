import { createServer } from 'node:net';

/** Tries to listen on a loopback port for a moment; 0 asks the system for a free one. */
async function tryPort(port: number): Promise<number | undefined> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.unref();
		server.once('error', () => resolve(undefined));
		server.listen(port, '127.0.0.1', () => {
			const address = server.address();
			const given = typeof address === 'object' && address !== null ? address.port : undefined;
			server.close(() => resolve(given));
		});
	});
}

/**
 * A loopback port that nothing listens on: `preferred` when it is free, else one that the system
 * gives.
 */
export async function freePort(preferred = 0): Promise<number> {
	const port = (await tryPort(preferred)) ?? (await tryPort(0));
	if (port === undefined) throw new Error('No free port on 127.0.0.1.');
	return port;
}
