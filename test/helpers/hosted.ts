import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import type { Sandbox } from '../../sandbox/server.ts';
import { endsLater } from './lifetime';

const HOSTED = 'api.firecrawl.dev';

const pem = (name: string) => readFileSync(join(__dirname, '../fixtures/tls', name));

/**
 * Until the end of the test, this process reaches the sandbox under the address of the hosted service, which is that of
 * a node without a credential. Everything else about the connection is n8n's own.
 */
export async function asHosted({ baseUrl }: Pick<Sandbox, 'baseUrl'>): Promise<void> {
	const [cert, key] = [pem('certificate.pem'), pem('key.pem')];
	const front = tls.createServer({ cert, key }, (client) => {
		const service = connect(Number(new URL(baseUrl).port), '127.0.0.1');
		for (const [one, other] of [
			[client, service],
			[service, client],
		] as const) {
			one.on('error', () => other.destroy());
			one.on('close', () => other.destroy());
			one.pipe(other);
		}
	});
	front.listen(0, '127.0.0.1');
	await once(front, 'listening');
	endsLater({ stop: () => front.close() });
	const { port } = front.address() as AddressInfo;
	const { connect: original } = tls;
	const here = { host: '127.0.0.1', port, ca: cert, checkServerIdentity: () => undefined };
	jest
		.spyOn(tls, 'connect')
		.mockImplementation(
			((...[options, ...rest]: unknown[]) =>
				Reflect.apply(original, tls, [
					isForHosted(options) ? { ...options, ...here } : options,
					...rest,
				]) as unknown) as typeof tls.connect,
		);
}

function isForHosted(options: unknown): options is tls.ConnectionOptions {
	return typeof options === 'object' && options !== null && 'host' in options && options.host === HOSTED;
}
