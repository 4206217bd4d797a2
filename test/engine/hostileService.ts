import { setInterval as everyTrueMs } from 'node:timers/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import type { Execution, NodeOverride } from '../../tools/n8n-engine/index.ts';
import { listen } from '../helpers/script';
import type { Listening } from '../helpers/script';
import { runNode } from './run';

/** Writes whatever it likes in answer to a request; `request.socket` takes what is no HTTP at all. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on the loopback address that keeps no contract. */
export interface HostileService extends Listening {
	/** What it does from now on. */
	answer: Answering;
	/** The headers of every request that has come in. */
	seen: IncomingHttpHeaders[];
}

export async function startHostileService(): Promise<HostileService> {
	const server = await listen((request, response) => {
		service.seen.push(request.headers);
		request.resume();
		for (const one of [request.socket, response]) one.on('error', () => undefined);
		service.answer(request, response);
	});
	const service: HostileService = { ...server, answer: (_request, response) => void response.end('{}'), seen: [] };
	return service;
}

/** JSON with this status. */
export function json(body: unknown, status = 200): Answering {
	return text(JSON.stringify(body), status);
}

/** A body as it is. */
export function text(body: string | Buffer, status = 200, headers: Record<string, string> = {}): Answering {
	return (_request, response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(body);
	};
}

/** Bytes in place of a whole answer, status line and headers too. */
export function raw(bytes: string): Answering {
	return ({ socket }) => void socket.end(bytes, 'latin1');
}

/** Writes the same again and again until the client has gone; `pauseMs` lies between two. */
export function endless(part: string | Buffer, pauseMs: number, first: string): Answering {
	return ({ socket }) => {
		socket.write(first);
		const more = (): void => {
			if (socket.destroyed) return;
			if (pauseMs > 0) {
				socket.write(part);
				setTimeout(more, pauseMs).unref();
			} else if (socket.write(part)) setImmediate(more);
			else socket.once('drain', more);
		};
		more();
	};
}

export const KEY = 'fc-hostile-8c1f2a9b7d';

/** Runs one operation against the service, in n8n's own engine. */
export async function runAgainst(
	service: HostileService,
	parameters: INodeParameters,
	items: Array<Record<string, string>> = [{}],
	node: NodeOverride = {},
): Promise<Execution> {
	return await runNode(service, parameters, { credential: { baseUrl: service.baseUrl, apiKey: KEY }, items, node });
}

/** A message that a person can read: a sentence of ours, with no trace of a program or of the key. */
export function expectPlain(message: unknown): void {
	expect(message).toMatch(/^[A-Z"h].*[.…]$/);
	expect(String(message).length).toBeLessThan(1200);
	expect(message).not.toMatch(/\p{Cc}|\w+Error\b|undefined|\[object|is not a function|Cannot read/u);
	expect(message).not.toContain(KEY);
}

export interface Costs {
	seconds: number;
	/** Most memory over that before, in megabytes: heap and buffers. */
	megabytes: number;
}

/** Does the work and measures what it takes. */
export async function measured<T>(work: () => Promise<T>): Promise<{ value: T; costs: Costs }> {
	const held = () => {
		const { heapUsed, external } = process.memoryUsage();
		return heapUsed + external;
	};
	const beforeBytes = held();
	let mostBytes = beforeBytes;
	const look = () => (mostBytes = Math.max(mostBytes, held()));
	const isOver = new AbortController();
	const ticks = everyTrueMs(10, undefined, { signal: isOver.signal })[Symbol.asyncIterator]();
	const looking = (async () => {
		while (!(await ticks.next()).done) look();
	})().catch(() => undefined);
	const beganMs = performance.now();
	const value = await work();
	const seconds = (performance.now() - beganMs) / 1000;
	isOver.abort();
	await looking;
	look();
	return { value, costs: { seconds, megabytes: (mostBytes - beforeBytes) / 1024 / 1024 } };
}
