import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';

import type { Execution } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { errorText, KEY, runNode, startParameters, startSandbox } from './run';

// Made with openssl for localhost, 127.0.0.1 and api.firecrawl.dev, valid until 2126. Nothing but tests trusts it.
const pem = (name: string) => readFileSync(join(__dirname, '../fixtures/tls', name));
const [cert, key] = [pem('certificate.pem'), pem('key.pem')];

let sandbox: Sandbox;
const servers: Server[] = [];

beforeAll(async () => {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 100 });
});
beforeEach(() => {
	const { connect: original } = tls;
	// All that n8n's request helper does is left as it is, but that it trusts one certificate more.
	jest
		.spyOn(tls, 'connect')
		.mockImplementation(
			((...[options, ...rest]: unknown[]) =>
				Reflect.apply(original, tls, [
					typeof options === 'object' ? { ...options, ca: cert } : options,
					...rest,
				]) as unknown) as typeof tls.connect,
		);
});
afterEach(() => {
	for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
	servers.push(server);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

/** Joins two connections; what goes wrong with one ends the other. */
function joinEnds(one: Socket, other: Socket): void {
	for (const [from, to] of [
		[one, other],
		[other, one],
	] as const) {
		from.on('error', () => to.destroy());
		from.on('close', () => to.destroy());
	}
}

/** The sandbox behind TLS. Tells when it has done its work. */
async function secureSandbox(options: tls.TlsOptions, onAnswer: () => void): Promise<number> {
	const { port } = new URL(sandbox.baseUrl);
	return await listen(
		tls.createServer({ cert, key, ...options }, (socket) => {
			const service = connect(Number(port), '127.0.0.1');
			joinEnds(socket, service);
			socket.on('data', (data) => service.write(data));
			service.on('data', (data) => {
				onAnswer();
				socket.write(data);
			});
		}),
	);
}

type Spoil = (client: Socket, answer: Buffer) => void;

/** A network that spoils what comes back once the service has done what it was asked to do. */
async function spoiledAfterRequest(options: tls.TlsOptions, spoil: Spoil): Promise<number> {
	let hasWorked = false;
	const port = await secureSandbox(options, () => (hasWorked = true));
	return await listen(
		createServer((client) => {
			const server = connect(port, '127.0.0.1');
			joinEnds(client, server);
			client.on('data', (data) => server.write(data));
			server.on('data', (data) => {
				if (hasWorked) spoil(client, data);
				else client.write(data);
			});
		}),
	);
}

/** Something that is there but does not get through a handshake, for the first connections. */
async function spoiledHandshakes(count: number, spoil: (client: Socket) => void): Promise<number> {
	const port = await secureSandbox({}, () => undefined);
	let left = count;
	return await listen(
		createServer((client) => {
			if (left-- > 0) {
				client.on('error', () => undefined);
				client.once('data', () => spoil(client));
				return;
			}
			const server = connect(port, '127.0.0.1');
			joinEnds(client, server);
			client.pipe(server).pipe(client);
		}),
	);
}

async function runAt(port: number): Promise<Execution> {
	return await runNode(sandbox, startParameters({ waitForCompletion: false }), {
		items: [{ q: 'question' }],
		credential: { baseUrl: `https://127.0.0.1:${port}`, apiKey: KEY },
	});
}

const ALERT = Buffer.from([0x15, 3, 3, 0, 2, 2, 40]);
const flipLastBit = (data: Buffer) => {
	data[data.length - 1] = (data.at(-1) ?? 0) ^ 1;
	return data;
};
const TLS_1_2: tls.TlsOptions = { maxVersion: 'TLSv1.2' };

it('works over TLS as over plain HTTP', async () => {
	const execution = await runAt(await secureSandbox({}, () => undefined));
	expect(execution.error).toBeUndefined();
	expect(sandbox.stats().starts.total).toBe(1);
});

it.each<[string, tls.TlsOptions, Spoil]>([
	['a record is spoiled', {}, (client, data) => client.write(flipLastBit(data))],
	['a record is spoiled (TLS 1.2)', TLS_1_2, (client, data) => client.write(flipLastBit(data))],
	['something answers without TLS', {}, (client) => client.write('HTTP/1.1 502 Bad\r\n\r\n')],
	['an alert comes', TLS_1_2, (client) => client.write(ALERT)],
	['the connection is cut', {}, (client) => client.end()],
	['the connection is reset', {}, (client) => client.resetAndDestroy()],
])('never sends a start twice when after the request %s', async (_name, options, spoil) => {
	const execution = await runAt(await spoiledAfterRequest(options, spoil));
	expect(errorText(execution)).toMatch(/broke before it answered.* may have been started/);
	expect(sandbox.stats().starts.total).toBe(1);
});

it.each<[string, (client: Socket) => void]>([
	['something answers without TLS', (client) => client.end('HTTP/1.1 400 Bad\r\n\r\n')],
	['the server refuses', (client) => client.end(ALERT)],
	['the connection is cut', (client) => client.end()],
	['the connection is reset', (client) => client.resetAndDestroy()],
])('sends a start again that cannot have arrived: in the handshake %s', async (_name, spoil) => {
	const execution = await runAt(await spoiledHandshakes(1, spoil));
	expect(execution.error).toBeUndefined();
	expect(sandbox.stats().starts.total).toBe(1);
});
