import { createServer } from 'node:http';
import type { Server } from 'node:http';

import { listen } from '../../sandbox/site/server.ts';
import { deliveries } from '../../sandbox/webhooks/deliveries.ts';
import type { Deliveries, DeliveryTry } from '../../sandbox/webhooks/deliveries.ts';
import { until } from './client.ts';

const CALL_MS = 1500;

let server: Server;
let calls: Deliveries;
afterEach(async () => {
	await calls.stop();
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

/** Makes so many calls in one moment, of which four are under way at once, and waits until all have ended. */
async function call(count: number, answer: Parameters<typeof createServer>[1]) {
	server = createServer(answer);
	const url = await listen(server, 0);
	calls = deliveries({
		now: () => Date.now(),
		later: () => undefined,
		speed: 1,
		secret: undefined,
		tries: 'once',
		callMs: CALL_MS,
	});
	for (let index = 0; index < count; index += 1) {
		calls.send({ url, headers: {}, body: '{}', event: 'crawl.completed', id: `${index}` });
	}
	return await until('all calls', (): DeliveryTry[] | undefined => {
		const sent = calls.sent();
		return sent.length === count ? sent : undefined;
	});
}

it('gives no call up that waits for its turn', async () => {
	const sent = await call(12, (_request, response) => {
		setTimeout(() => response.writeHead(200).end(), 0.6 * CALL_MS);
	});
	expect(sent.map(({ status }) => status)).toEqual(Array(12).fill(200));
});

it('gives up a call that is not answered in time', async () => {
	const [sent] = await call(1, () => undefined);
	expect(sent?.status).toBe(0);
	expect(sent?.tookMs).toBeGreaterThan(0.9 * CALL_MS);
});
