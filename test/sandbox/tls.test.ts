import { request } from 'node:https';

import pWaitFor from 'p-wait-for';

import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { field } from './client.ts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ https: true, lightWork: true, keys: [] });
});
afterAll(() => sandbox.stop());

/** Starts a crawl by Node's own https, as n8n does; rejects where the connection fails. */
function crawl(ca?: string): Promise<unknown> {
	return new Promise((resolve, reject) => {
		const sent = request(`${sandbox.baseUrl}/v2/crawl`, {
			method: 'POST',
			ca,
			headers: { 'content-type': 'application/json' },
		});
		sent.on('error', reject);
		sent.on('response', (answer) => {
			let text = '';
			answer.on('data', (part: Buffer) => (text += part.toString()));
			answer.on('end', () => resolve(JSON.parse(text)));
		});
		sent.end(JSON.stringify({ url: 'http://site.example/', limit: 1 }));
	});
}

it('answers by https to who trusts its certificate, with links of the same kind', async () => {
	expect(String(field(await crawl(sandbox.certificate), 'url'))).toMatch(
		new RegExp(`^${sandbox.baseUrl}/v2/crawl/[\\da-f-]{36}$`),
	);
	await expect(crawl()).rejects.toThrow('self-signed certificate');
});

it('breaks the encryption after a start was taken', async () => {
	const before = sandbox.stats().starts.total;
	sandbox.faults.add({ kind: 'tlsBreak', step: 'start', when: 'after', times: 1 });
	await expect(crawl(sandbox.certificate)).rejects.toMatchObject({
		code: expect.stringMatching(/^(?:ERR_SSL_|EPROTO)/),
	});
	expect(sandbox.stats().starts.total).toBe(before + 1);
	expect(field(await crawl(sandbox.certificate), 'success')).toBe(true);
});

it('keeps no connection whose encryption was broken', async () => {
	const open = () =>
		process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
	const before = open();
	for (let time = 0; time < 10; time++) {
		sandbox.faults.add({ kind: 'tlsBreak', step: 'start', when: 'before', times: 1 });
		await expect(crawl(sandbox.certificate)).rejects.toThrow();
	}
	await pWaitFor(() => open() <= before + 3, { timeout: 5000 });
});
