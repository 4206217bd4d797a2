import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Sandbox } from '../../sandbox/server.ts';

/** A request as it came, and as it is to be passed on. */
export interface PassedRequest {
	method: string;
	path: string;
	query: URLSearchParams;
	body: string;
}

export interface PassedAnswer {
	status: number;
	body: unknown;
}

/** What becomes of a request: `pass` asks the sandbox. */
export type Interposing = (request: PassedRequest, pass: () => Promise<PassedAnswer>) => Promise<PassedAnswer>;

/** A server in front of the sandbox that may change, hold or refuse what goes through it. */
export interface ServiceInBetween {
	baseUrl: string;
	/** What it does from now on. */
	interpose: Interposing;
	/** `GET /v2/monitor`, in the order in which they came. */
	asked: string[];
	stop(): Promise<void>;
}

export async function startInBetween(sandbox: Sandbox): Promise<ServiceInBetween> {
	const service: ServiceInBetween = {
		baseUrl: '',
		interpose: async (_request, pass) => await pass(),
		asked: [],
		stop: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => void server.close(() => resolve()));
		},
	};
	const pass = async (
		{ method, path, query, body }: PassedRequest,
		headers: Record<string, string>,
	): Promise<PassedAnswer> => {
		const text = query.size === 0 ? '' : `?${query}`;
		const response = await fetch(`${sandbox.baseUrl}${path}${text}`, {
			method,
			headers,
			...(body !== '' && { body }),
		});
		return { status: response.status, body: await response.json() };
	};
	const server = createServer((incoming, outgoing) => {
		const parts: Buffer[] = [];
		incoming.on('data', (part: Buffer) => parts.push(part));
		incoming.on('end', () => {
			const url = new URL(incoming.url ?? '/', 'http://localhost');
			const request: PassedRequest = {
				method: incoming.method ?? 'GET',
				path: url.pathname,
				query: url.searchParams,
				body: Buffer.concat(parts).toString(),
			};
			service.asked.push(`${request.method} ${request.path}`);
			const { authorization = '', 'content-type': type } = incoming.headers;
			const headers = { authorization, ...(type !== undefined && { 'content-type': type }) };
			service
				.interpose(request, async () => await pass(request, headers))
				.then(({ status, body }) => {
					outgoing.writeHead(status, { 'content-type': 'application/json' });
					outgoing.end(JSON.stringify(body));
				})
				.catch(() => outgoing.destroy());
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	service.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return service;
}
