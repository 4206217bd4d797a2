import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import type { Sandbox } from '../../sandbox/server.ts';
import { endsLater } from './lifetime';
import { CERTIFICATE_FILE, startTlsFront } from '../sandbox/tlsFront.ts';

const HOSTED = 'api.firecrawl.dev';

/**
 * Until the end of the test, this process reaches the sandbox under the address of the hosted service, which is that of
 * a node without a credential. Everything else about the connection is n8n's own.
 */
export async function asHosted({ baseUrl }: Pick<Sandbox, 'baseUrl'>): Promise<void> {
	const { port } = endsLater(await startTlsFront(baseUrl));
	const { connect: original } = tls;
	const here = { host: '127.0.0.1', port, ca: readFileSync(CERTIFICATE_FILE), servername: HOSTED };
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
