import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { CERTIFICATE_FILE, pipeBoth, startTlsFront } from '../../sandbox/tlsFront.ts';

/** How an n8n reaches the sandbox under the address of the hosted service. */
export interface HostedAddress {
	/** For the environment of n8n. */
	env: Record<string, string>;
	stop(): void;
}

/**
 * A proxy that leads to a sandbox whoever asks for the hosted service, and nobody anywhere else: what a node without a
 * credential sends never leaves this machine.
 */
export async function asHosted(sandboxUrl: string): Promise<HostedAddress> {
	const front = await startTlsFront(sandboxUrl);
	const proxy = createServer((_request, response) => void response.writeHead(502).end());
	proxy.on('connect', ({ url }, client: Socket) => {
		if (url !== 'api.firecrawl.dev:443') return void client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
		client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		pipeBoth(client, connect(front.port, '127.0.0.1'));
	});
	await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
	const { port } = proxy.address() as AddressInfo;
	return {
		env: {
			HTTPS_PROXY: `http://127.0.0.1:${port}`,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE,
		},
		stop() {
			proxy.closeAllConnections();
			proxy.close();
			front.stop();
		},
	};
}
