import { createServer, request as send } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { endsLater } from '../../helpers/lifetime';

/**
 * A moment of a run: `POST /v2/crawl #2, before` is the one in which its second start of a crawl has left n8n and not
 * arrived, `after` the one in which the service has answered it and n8n does not know that yet.
 */
export interface Point {
	request: string;
	when: 'before' | 'after';
}

/** What a process waits for that is dead. */
const NEVER = new Promise<never>(() => undefined);

export const nameOf = ({ request, when }: Point): string => `${request}, ${when}`;

/** What happens at a point, and from then on. */
interface Trap {
	point: Point;
	/**
	 * `swallow`: this process hears nothing from there any more, and nothing of it arrives. `pass`: all goes on.
	 * `break`: the connection breaks, once. `refuse`: nothing more arrives, and everything is answered 503.
	 */
	then: 'swallow' | 'pass' | 'break' | 'refuse';
	/** Told at the point. */
	reached: () => void;
	/**
	 * What becomes of the next request that may cost, once, after the point or after `open`: `deny` answers 402 in its
	 * stead, `break` lets it arrive and breaks the connection.
	 */
	second?: Second;
}

/** The second trouble. */
export type Second = 'deny' | 'break';

/** A request that may cost, and none for the model of a research. */
const MAY_COST = /^POST \/v[12]\/(?!team\/|chat\/)/;

/** A way to a service on which each request is a point. It passes everything as it is: headers, states, bytes. */
export interface PointProxy {
	baseUrl: string;
	/** Requests in their order, numbered by kind. */
	requests: string[];
	/** Sets a trap, which strikes once. */
	arm(trap: Trap): void;
	/** Whether the second trouble has struck. */
	hasStruckTwice(): boolean;
	/** Ends what was swallowed; from now on all goes through. */
	open(): void;
	/** A point of n8n's own, as a call of its tables: it is numbered among the requests, and trapped as they are. */
	visit(kind: string, when: Point['when']): Promise<void>;
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

export async function startPointProxy(serviceUrl: string): Promise<PointProxy> {
	const { port: servicePort } = new URL(serviceUrl);
	const counts = new Map<string, number>();
	const swallowed = new Set<Socket>();
	let trap: Trap | undefined;
	let isClosed = false;
	let isRefusing = false;
	let second: Second | undefined;
	let hasStruckTwice = false;
	const requests: string[] = [];

	const numbered = (kind: string): string => {
		const count = (counts.get(kind) ?? 0) + 1;
		counts.set(kind, count);
		const name = `${kind} #${count}`;
		requests.push(name);
		return name;
	};
	const nameRequest = ({ method = '', url = '' }: IncomingMessage): string =>
		numbered(`${method} ${url.split('?', 1)[0]?.replace(UUID, '{id}')}`);
	const isAt = (request: string, when: Point['when']) => trap?.point.request === request && trap.point.when === when;
	/** Springs the trap; true where the request has ended with it. */
	const strike = (socket?: Socket): boolean => {
		const { then, reached, second: next } = trap ?? {};
		trap = undefined;
		second = next;
		if (then === 'swallow') {
			isClosed = true;
			if (socket) swallowed.add(socket);
		}
		if (then === 'break') socket?.destroy();
		if (then === 'refuse') isRefusing = true;
		reached?.();
		return then === 'swallow' || then === 'break';
	};

	const pass = async (request: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
		await new Promise((resolve, reject) => {
			const { method, url: path, headers } = request;
			const passed = send({ host: '127.0.0.1', port: servicePort, method, path, headers }, resolve);
			passed.on('error', reject);
			passed.end(body);
		});

	const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const { socket } = request;
		if (isClosed) return void swallowed.add(socket);
		const name = nameRequest(request);
		const body = await buffer(request);
		if (isAt(name, 'before') && strike(socket)) return;
		if (isRefusing) {
			response.writeHead(503, { 'content-type': 'application/json' });
			return void response.end('{"success":false,"error":"The service is down"}');
		}
		const strikes = MAY_COST.test(name) ? second : undefined;
		if (strikes) {
			second = undefined;
			hasStruckTwice = true;
		}
		if (strikes === 'deny') {
			response.writeHead(402, { 'content-type': 'application/json' });
			return void response.end('{"success":false,"error":"Insufficient credits"}');
		}
		const answer = await pass(request, body);
		const content = await buffer(answer);
		if (isClosed) return void swallowed.add(socket);
		if (strikes === 'break') return void socket.destroy();
		if (isAt(name, 'after') && strike(socket)) return;
		response.writeHead(answer.statusCode ?? 502, answer.headers).end(content);
	};

	const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	endsLater({
		stop() {
			server.closeAllConnections();
			server.close();
		},
	});
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		arm: (next) => void (trap = next),
		hasStruckTwice: () => hasStruckTwice,
		async visit(kind, when) {
			if (isClosed) await NEVER;
			const name = when === 'before' ? numbered(kind) : `${kind} #${counts.get(kind)}`;
			if (isAt(name, when) && strike()) {
				if (isClosed) await NEVER;
				throw new Error('The connection to the database broke');
			}
		},
		open() {
			isClosed = false;
			isRefusing = false;
			for (const socket of swallowed) socket.destroy();
			swallowed.clear();
		},
	};
}
