import { Pool } from 'undici';

import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { KEY, ask, field, start, startedId, status, until } from './client.ts';

let sandbox: Sandbox;
let nowMs = Date.UTC(2026, 0, 1);

beforeEach(async () => {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 1000, now: () => nowMs });
});
afterEach(() => sandbox.stop());

it('counts starts, polls and requests', async () => {
	const startedAtMs = nowMs;
	const id = await startedId(sandbox, { query: 'one' });
	const other = await startedId(sandbox, { query: 'two' });
	for (let polls = 0; polls < 3; polls += 1) await status(sandbox, id);
	nowMs += 1000;
	await status(sandbox, 'unknown');
	const stats = sandbox.stats();
	expect(stats).toMatchObject({
		starts: {
			total: 2,
			list: [
				{ id, query: 'one', startedAtMs },
				{ id: other, query: 'two', startedAtMs },
			],
		},
		polls: { total: 4, byJob: { [id]: 3, unknown: 1 } },
		mostJobsAtOnce: 2,
		jobsRunning: 0,
		creditsUsed: 2,
		creditsLeft: null,
		requests: 6,
		lastRequestAtMs: nowMs,
	});
	expect((await ask(sandbox, 'GET', '/_sandbox/stats')).body).toEqual(stats);
	expect(sandbox.stats().requests).toBe(6);
});

it('lists the latest requests without a word of their headers', async () => {
	await start(sandbox, { query: 'one' });
	await ask(sandbox, 'GET', '/v2/crawl/active?x=1', { authorization: 'Bearer fc-secret' });
	await ask(sandbox, 'GET', '/nope');
	await until('three requests', () => sandbox.requests().length === 3);
	const { body, text } = await ask(sandbox, 'GET', '/_sandbox/requests');
	expect(body).toEqual([
		{ atMs: nowMs, method: 'POST', path: '/v1/deep-research', status: 200 },
		{ atMs: nowMs, method: 'GET', path: '/v2/crawl/active', status: 401 },
		{ atMs: nowMs, method: 'GET', path: '/nope', status: 404 },
	]);
	expect(text).not.toContain('secret');
	expect(sandbox.requests()).toEqual(body);
});

it('notes requests that got no answer', async () => {
	sandbox.faults.add({ kind: 'reset' });
	await expect(status(sandbox, 'x')).rejects.toThrow();
	await until('a request', () => sandbox.requests().length === 1);
	expect(sandbox.requests()).toMatchObject([{ path: '/v1/deep-research/x', status: 0 }]);
	expect(sandbox.stats().polls.total).toBe(1);
});

it('forgets everything at a reset', async () => {
	const fresh = sandbox.stats();
	const id = await startedId(sandbox, { query: 'one' });
	sandbox.crawls.add({ url: 'http://site.example/' });
	sandbox.faults.add({ kind: 'htmlError', step: 'start' });
	nowMs += 1000;
	expect(sandbox.stats().creditsUsed).toBe(1);
	expect((await ask(sandbox, 'POST', '/_sandbox/reset')).status).toBe(204);
	expect(sandbox.stats()).toEqual(fresh);
	expect((await status(sandbox, id)).status).toBe(404);
	expect(field((await ask(sandbox, 'GET', '/v2/crawl/active')).body, 'crawls')).toEqual([]);
	expect((await start(sandbox, { query: 'two' })).status).toBe(200);
});

it('bears ten thousand jobs', async () => {
	const pool = new Pool(sandbox.baseUrl, { connections: 16, pipelining: 4 });
	const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
	let sent = 0;
	const work = async (): Promise<void> => {
		while (sent < 10_000) {
			sent += 1;
			const body = JSON.stringify({ query: `job ${sent}` });
			const answer = await pool.request({
				method: 'POST',
				path: '/v1/deep-research',
				headers,
				body,
			});
			await answer.body.dump();
		}
	};
	await Promise.all(Array.from({ length: 64 }, work));
	await pool.close();
	expect(sandbox.stats()).toMatchObject({
		starts: { total: 10_000 },
		mostJobsAtOnce: 10_000,
		jobsRunning: 10_000,
	});
	nowMs += 1000;
	expect(sandbox.stats()).toMatchObject({ jobsRunning: 0, creditsUsed: 10_000 });
}, 60_000);
