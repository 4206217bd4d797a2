import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { endsLater } from './lifetime';

/** A request as a scripted service has received it, whole. */
export interface ScriptRequest {
	method: string;
	/** As it came, with the query. */
	url: string;
	/** Without the query. */
	path: string;
	query: Record<string, string>;
	/** The body as text. */
	text: string;
	/** The body where it is a JSON object, else empty. */
	body: Record<string, unknown>;
	headers: IncomingHttpHeaders;
	atMs: number;
}

export interface ScriptAnswer {
	status?: number;
	/** A text is sent as it is, anything else as JSON. */
	body: unknown;
	headers?: Record<string, string>;
	/** Milliseconds until it is sent. */
	delayMs?: number;
}

/** What a service answers; `count` is the number of the request, from 1. One that rejects breaks the connection. */
export type Script = (request: ScriptRequest, count: number) => ScriptAnswer | Promise<ScriptAnswer>;

/** A server on the loopback address. */
export interface Listening {
	baseUrl: string;
	/** Cuts every connection, so that endless answers end, too. */
	stop(): Promise<void>;
}

/** A service that answers as its script says. */
export interface ScriptedService extends Listening {
	requests: ScriptRequest[];
	/** What it does from now on. */
	script: Script;
}

/** Starts a server for what no script can say: answers that are no HTTP, or bodies that are read as they come. */
export async function listen(listener?: RequestListener, host = '127.0.0.1'): Promise<Listening> {
	const server = createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	return endsLater({
		baseUrl: `http://${host}:${(server.address() as AddressInfo).port}`,
		async stop() {
			server.closeAllConnections();
			await new Promise<void>((resolve) => void server.close(() => resolve()));
		},
	});
}

/** Starts a service with a script, which may be set again later. */
export async function startScript(script: Script, host?: string): Promise<ScriptedService> {
	const requests: ScriptRequest[] = [];
	const waiting = new Set<NodeJS.Timeout>();
	const server = await listen((message, response) => {
		const answering = async () => {
			const request = await readRequest(message);
			requests.push(request);
			const { status = 200, body, headers, delayMs = 0 } = await service.script(request, requests.length);
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			const timer = setTimeout(() => {
				waiting.delete(timer);
				response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
			}, delayMs);
			waiting.add(timer);
		};
		answering().catch(() => response.destroy());
	}, host);
	const service: ScriptedService = endsLater({
		...server,
		requests,
		script,
		async stop() {
			waiting.forEach(clearTimeout);
			await server.stop();
		},
	});
	return service;
}

async function readRequest(message: IncomingMessage): Promise<ScriptRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString('utf8');
	const { method = '', url = '/' } = message;
	const { pathname, searchParams } = new URL(url, 'http://service.test');
	return {
		method,
		url,
		path: pathname,
		query: Object.fromEntries(searchParams),
		text,
		body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
		headers: message.headers,
		atMs: Date.now(),
	};
}
