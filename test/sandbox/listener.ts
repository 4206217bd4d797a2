import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';

import { listen } from '../../sandbox/site/server.ts';

/** What a listener answers; nothing at all where it is undefined. */
export interface Reply {
	status?: number;
	type?: string;
	body?: string | Buffer;
}

/** A small server of a test's own. */
export interface Listener {
	url: string;
	stop(): Promise<void>;
}

/** Starts one; robots.txt and sitemap.xml are not there. */
export async function startListener(
	answer: (request: IncomingMessage, body: string) => Reply | undefined,
): Promise<Listener> {
	const server = createServer((request, response) => {
		if (request.url === '/robots.txt' || request.url === '/sitemap.xml') {
			response.writeHead(404).end();
			return;
		}
		let body = '';
		request.on('data', (part: Buffer) => (body += part.toString()));
		request.on('end', () => {
			const reply = answer(request, body);
			if (!reply) return;
			response.writeHead(reply.status ?? 200, {
				'content-type': reply.type ?? 'text/html; charset=utf-8',
			});
			response.end(reply.body ?? '');
		});
	});
	const url = await listen(server);
	return {
		url,
		stop: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
