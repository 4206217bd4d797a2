import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { scraped, serve, service } from './pageService';
import { after, crawlStart, errorText, runNode } from './run';

const SCREENSHOTS = 40;

let store: Server;
/** When each file was asked for. */
let askedAtMs: number[];

beforeEach(async () => {
	askedAtMs = [];
	store = createServer((request, response) => {
		askedAtMs.push(Date.now());
		response.writeHead(200, { 'content-type': 'image/png' });
		response.write('x');
		// One that never ends, others that take a while.
		if (request.url !== '/endless') setTimeout(() => response.end(), 200);
	});
	await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
	await serve({
		instead: ({ body }) => {
			const origin = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
			const isEndless = String(body.url).endsWith('endless');
			const screenshots = Array.from({ length: SCREENSHOTS }, (_unused, index) =>
				isEndless ? `${origin}/endless` : `${origin}/${index}.png`,
			);
			return { body: { success: true, data: { actions: { screenshots } } } };
		},
	});
});
afterEach(async () => {
	store.closeAllConnections();
	store.close();
});

it.each(['between files', 'during an endless'])('Stop %s ends the fetching of files within a second', async (what) => {
	const stop = new AbortController();
	const url = `https://x.example/${what.split(' ').at(-1)}`;
	const running = runNode(
		service,
		{
			resource: 'page',
			operation: 'scrape',
			url,
			scrapeOptions: { storeAsFiles: ['screenshot'] },
		},
		{ signal: stop.signal },
	);
	const before = url.endsWith('endless') ? 1 : 3;
	while (askedAtMs.length < before) await after(10);
	const stoppedAtMs = Date.now();
	stop.abort();
	const execution = await running;
	expect(execution.run.status).toBe('canceled');
	await after(1500);
	expect(askedAtMs.filter((atMs) => atMs > stoppedAtMs + 1000)).toEqual([]);
	expect(askedAtMs.length).toBeLessThan(before + 3);
	const open = await new Promise<number>((resolve) => {
		store.getConnections((_error, count) => resolve(count));
	});
	expect(open).toBe(0);
});

it('Stop while the files of a crawl are fetched names the crawl, which is paid for', async () => {
	await service.stop();
	const { port } = store.address() as AddressInfo;
	const pages = Array.from({ length: 20 }, (_unused, index) => ({
		...scraped(`https://site.example/${index}`),
		screenshot: `http://127.0.0.1:${port}/${index}.png`,
	}));
	await serve({ job: () => ({ pages }) });
	const stop = new AbortController();
	const running = runNode(
		service,
		crawlStart({
			formats: ['markdown', 'screenshot'],
			scrapeOptions: { storeAsFiles: ['screenshot'] },
		}),
		{ signal: stop.signal },
	);
	while (askedAtMs.length < 2) await after(10);
	stop.abort();
	const stoppedAtMs = Date.now();
	const execution = await running;
	expect(Date.now() - stoppedAtMs).toBeLessThan(1000);
	expect(execution.run.status).toBe('canceled');
	expect(errorText(execution)).toContain('Had ended before (Crawl · Get collects them): job-0');
	await after(1500);
	expect(askedAtMs.filter((atMs) => atMs > stoppedAtMs + 1000)).toEqual([]);
});
