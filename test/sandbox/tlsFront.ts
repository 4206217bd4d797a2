import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';

/** For localhost and for the address of the hosted service; nothing but tests trusts it. */
export const CERTIFICATE_FILE = join(import.meta.dirname, '../fixtures/tls/certificate.pem');
const KEY_FILE = join(import.meta.dirname, '../fixtures/tls/key.pem');

/** Joins two connections; what goes wrong with one ends the other. */
export function pipeBoth(one: Socket, other: Socket): void {
	for (const [from, to] of [
		[one, other],
		[other, one],
	] as const) {
		from.on('error', () => to.destroy());
		from.on('close', () => to.destroy());
		from.pipe(to);
	}
}

/** A sandbox behind TLS, as the hosted service is. */
export async function startTlsFront(baseUrl: string): Promise<{ port: number; stop(): void }> {
	const service = Number(new URL(baseUrl).port);
	const front = tls.createServer({ cert: readFileSync(CERTIFICATE_FILE), key: readFileSync(KEY_FILE) }, (client) =>
		pipeBoth(client, connect(service, '127.0.0.1')),
	);
	front.listen(0, '127.0.0.1');
	await once(front, 'listening');
	const { port } = front.address() as AddressInfo;
	return { port, stop: () => void front.close() };
}
