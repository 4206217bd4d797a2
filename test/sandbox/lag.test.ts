import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';

let sandbox: Sandbox;
let nowMs = Date.UTC(2026, 10, 21);

afterEach(async () => await sandbox.stop());

async function serve(options: SandboxOptions): Promise<void> {
	nowMs = Date.UTC(2026, 10, 21);
	sandbox = await startSandbox({
		lightWork: true,
		now: () => nowMs,
		jobDurationMs: 5000,
		...options,
	});
}

const headers = { authorization: 'Bearer fc-sandbox', 'content-type': 'application/json' };

async function get(path: string) {
	const response = await fetch(sandbox.baseUrl + path, { headers });
	const body = (await response.json()) as Record<string, unknown>;
	return { status: response.status, body, date: Date.parse(String(response.headers.get('date'))) };
}

async function start(path: string, body: object): Promise<string> {
	const init = { method: 'POST', headers, body: JSON.stringify(body) };
	const response = await fetch(sandbox.baseUrl + path, init);
	return String(((await response.json()) as { id: string }).id);
}

const url = 'http://site.example/';

it.each([
	['/v2/crawl', { url, limit: 2 }, 'scraping'],
	['/v2/batch/scrape', { urls: [url] }, 'scraping'],
	['/v1/deep-research', { query: 'tides' }, 'processing'],
	['/v2/agent', { prompt: 'tides' }, 'processing'],
])('shows the status of a job as it was: %s', async (path, body, running) => {
	await serve({ statusLagMs: 3000 });
	const id = await start(path, body);
	const states: unknown[] = [];
	for (const atMs of [0, 2999, 3000, 5000, 7999, 8000]) {
		nowMs = Date.UTC(2026, 10, 21) + atMs;
		const answer = await get(`${path}/${id}`);
		states.push(answer.status === 200 ? answer.body.status : answer.status);
	}
	expect(states).toEqual([404, 404, running, running, running, 'completed']);
});

it('asks for another lag with each request where it is a function', async () => {
	const lags = [0, 10_000, 0];
	await serve({ statusLagMs: () => lags.shift() ?? 0 });
	const id = await start('/v2/agent', { prompt: 'tides' });
	lags.splice(0, 3, 0, 0, 10_000, 10_000, 0, 0);
	const codes: number[] = [];
	for (let count = 0; count < 3; count++) codes.push((await get(`/v2/agent/${id}`)).status);
	expect(codes).toEqual([200, 404, 200]);
});

it('lists what was started later', async () => {
	await serve({ listsLagMs: 6000 });
	const id = await start('/v2/crawl', { url, limit: 2 });
	const listed = async () => [
		(await get('/v2/team/activity')).body.data,
		(await get('/v2/crawl/active')).body.crawls,
	];
	nowMs += 4999;
	expect(await listed()).toEqual([[], []]);
	nowMs += 1001;
	expect(await listed()).toMatchObject([[{ id }], []]);
});

it('makes ids by a clock that is ahead of the Date header', async () => {
	await serve({ idClockAheadMs: 3500 });
	const id = await start('/v1/deep-research', { query: 'tides' });
	const { body, date } = await get('/v2/team/activity');
	expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(date + 3500);
	expect(body.data).toMatchObject([{ id, created_at: '2026-11-21 00:00:03.5+00' }]);
});

it.each([
	['/v2/crawl', { url, limit: 2 }, 'scraping'],
	['/v2/agent', { prompt: 'tides' }, 'processing'],
])('shows the end of a job later than its webhook tells it: %s', async (path, body, running) => {
	await serve({ webhookLeadMs: 200 });
	const id = await start(path, body);
	const states: unknown[] = [];
	for (const atMs of [0, 5000, 5199, 5200]) {
		nowMs = Date.UTC(2026, 10, 21) + atMs;
		states.push((await get(`${path}/${id}`)).body.status);
	}
	expect(states).toEqual([running, running, running, 'completed']);
});
