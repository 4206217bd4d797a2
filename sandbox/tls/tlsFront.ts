import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Stands before a server with https and hands its bytes on, so that it can spoil them on their way. */
interface TlsFront {
	port: number;
	/** Spoils the encryption of the connection that reaches the server from this port. */
	breakTls(fromPort: number): void;
	stop(): void;
}

/** A TLS record of application data that no key of the connection has made. */
const SPOILED_RECORD = Buffer.from([0x17, 0x03, 0x03, 0x00, 0x20, ...Array<number>(32).fill(0x5a)]);

/** Starts one on the port (0: a free one) before the server that listens on `behind`. */
export async function startTlsFront(port: number, behind: number): Promise<TlsFront> {
	const clients = new Map<number, Socket>();
	const server = createServer((client) => {
		const upstream = connect({ port: behind, host: '127.0.0.1' });
		upstream.once('connect', () => {
			// A connection that is closed no longer tells its port.
			const { localPort = 0 } = upstream;
			clients.set(localPort, client);
			upstream.once('close', () => clients.delete(localPort));
		});
		for (const [from, to] of [
			[client, upstream],
			[upstream, client],
		] as const) {
			from.on('error', () => to.destroy());
			from.on('close', () => to.destroy());
		}
		client.pipe(upstream);
		upstream.pipe(client);
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => resolve());
	});
	const address = server.address();
	return {
		port: isAddress(address) ? address.port : port,
		breakTls(fromPort) {
			const client = clients.get(fromPort);
			client?.unpipe();
			// What nobody reads from is not seen to end: both of its connections would stay for ever.
			client?.resume();
			client?.write(SPOILED_RECORD);
		},
		stop() {
			server.close();
			for (const client of clients.values()) client.destroy();
		},
	};
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
	return typeof address === 'object' && address !== null;
}

/** A key and a certificate for this machine's own address, both PEM. */
export interface Certificate {
	key: string;
	cert: string;
}

/**
 * Makes a certificate that signs itself, good for a day, with openssl. Throws an Error in one sentence
 * where openssl is not installed.
 */
export function selfSigned(): Certificate {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-tls-'));
	const keyFile = join(folder, 'key.pem');
	const certFile = join(folder, 'cert.pem');
	try {
		execFileSync(
			'openssl',
			[
				...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
				...['-days', '1', '-subj', '/CN=127.0.0.1', '-keyout', keyFile, '-out', certFile],
				...['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
			],
			{ stdio: 'ignore' },
		);
		return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
	} catch {
		throw new Error('A sandbox with https needs openssl on this machine.');
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
