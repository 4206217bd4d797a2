import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, ended, field, start, startedId, status } from './client.ts';

let sandbox: Sandbox | undefined;
let nowMs = Date.UTC(2026, 0, 1);
const now = (): number => nowMs;
const TEXT = 'Request rate limit exceeded. Please wait and try again later.';

afterEach(async () => {
	await sandbox?.stop();
	sandbox = undefined;
});

it('opens a new window a minute after the first request', async () => {
	sandbox = await startSandbox({ plan: { requestsPerMinute: { crawl: 1 } }, lightWork: true, now });
	await startedId(sandbox, { query: 'a' });
	nowMs += 59_500;
	const refused = await start(sandbox, { query: 'b' });
	expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
	expect(refused.body).toEqual({ success: false, error: TEXT });
	nowMs += 500;
	expect((await start(sandbox, { query: 'b' })).status).toBe(200);
	expect(sandbox.stats().refusals.perMinute).toBe(1);
});

it('divides windows and waits by the speed', async () => {
	sandbox = await startSandbox({
		plan: { requestsPerMinute: { crawl: 1 } },
		lightWork: true,
		now,
		speed: 10,
	});
	await startedId(sandbox, { query: 'a' });
	expect((await start(sandbox, { query: 'b' })).headers.get('retry-after')).toBe('6');
	nowMs += 6000;
	expect((await start(sandbox, { query: 'b' })).status).toBe(200);
});

it('does not say how long to wait where it is told so', async () => {
	sandbox = await startSandbox({ plan: { requestsPerMinute: { crawl: 0 }, retryAfter: 'none' }, now });
	const { headers, body } = await start(sandbox, { query: 'a' });
	expect(headers.get('retry-after')).toBeNull();
	expect(field(body, 'error')).toBe(TEXT);
});

it('keeps the order of the checks: key, requests a minute, credits, body, jobs at once', async () => {
	const plan = { requestsPerMinute: { crawl: 4 }, credits: 1, jobsAtOnce: 1 };
	sandbox = await startSandbox({ plan, lightWork: true, jobDurationMs: 1000, now });
	const path = '/v1/deep-research';
	expect((await ask(sandbox, 'POST', path, { body: '{', authorization: null })).status).toBe(401);
	await startedId(sandbox, { query: 'a' });
	expect((await start(sandbox, {})).status).toBe(400);
	expect(field((await start(sandbox, { query: 'b' })).body, 'error')).toBe(TEXT);
	nowMs += 1000;
	// The job has ended and cost the only credit.
	expect((await start(sandbox, {})).status).toBe(402);
	expect((await start(sandbox, {})).status).toBe(429);
	expect(sandbox.stats().refusals).toEqual({
		auth: 1,
		body: 1,
		jobsAtOnce: 1,
		credits: 1,
		perMinute: 1,
	});
});

it('takes only so many jobs at once, and new ones as soon as one has ended', async () => {
	sandbox = await startSandbox({
		plan: 'free',
		lightWork: true,
		now,
		jobDurationMs: ({ index }) => 1000 * (index + 1),
	});
	await startedId(sandbox, { query: 'a' });
	await startedId(sandbox, { query: 'b' });
	nowMs += 60_000;
	await startedId(sandbox, { query: 'c' });
	const second = await start(sandbox, { query: 'd' });
	expect(second.status).toBe(200);
	expect(sandbox.stats().mostJobsAtOnce).toBe(2);
	sandbox.reset();
	for (const query of ['e', 'f']) await startedId(sandbox, { query });
	nowMs += 1;
	expect(sandbox.stats().jobsRunning).toBe(2);
});

it('guesses a modest wait when the jobs at once are used up', async () => {
	sandbox = await startSandbox({
		plan: { jobsAtOnce: 1 },
		lightWork: true,
		now,
		jobDurationMs: 1000,
	});
	await startedId(sandbox, { query: 'a' });
	expect((await start(sandbox, { query: 'b' })).headers.get('retry-after')).toBe('5');
	nowMs += 999;
	expect((await start(sandbox, { query: 'b' })).status).toBe(429);
	nowMs += 1;
	expect((await start(sandbox, { query: 'b' })).status).toBe(200);
});

it('bills a URL a credit, and no failed job', async () => {
	sandbox = await startSandbox({ plan: { credits: 3 }, lightWork: true, now, jobDurationMs: 1000 });
	await startedId(sandbox, { query: 'a' });
	await startedId(sandbox, { query: 'b [fail]' });
	expect(sandbox.stats()).toMatchObject({ creditsUsed: 0, creditsLeft: 3 });
	nowMs += 1000;
	expect(sandbox.stats()).toMatchObject({ creditsUsed: 1, creditsLeft: 2 });
	const { body } = await ask(sandbox, 'GET', '/v2/team/credit-usage');
	expect(body).toMatchObject({ success: true, data: { remainingCredits: 2 } });
});

it('forgets a job 6 hours after its last change', async () => {
	sandbox = await startSandbox({ lightWork: true, now, jobDurationMs: 1000 });
	const id = await startedId(sandbox, { query: 'a' });
	nowMs += 6 * 3_600_000 + 999;
	expect((await status(sandbox, id)).status).toBe(200);
	nowMs += 1;
	const gone = await status(sandbox, id);
	expect(gone.status).toBe(404);
	expect(gone.body).toMatchObject({ success: false, error: 'Deep research job not found' });
});

it('lasts as long as the query asks for, divided by the speed', async () => {
	sandbox = await startSandbox({ lightWork: true, now, speed: 10, jobDurationMs: 1 });
	const ids = [
		await startedId(sandbox, { query: 'x [lasts:30]' }),
		await startedId(sandbox, { query: 'x [lasts:20]' }),
	];
	const states = async (): Promise<unknown[]> =>
		Promise.all(ids.map(async (id) => sandbox && field((await status(sandbox, id)).body, 'status')));
	nowMs += 1999;
	expect(await states()).toEqual(['processing', 'processing']);
	nowMs += 1;
	expect(await states()).toEqual(['processing', 'completed']);
	nowMs += 1000;
	expect(await states()).toEqual(['completed', 'completed']);
});

it('lasts a share of the time limit when nothing else is asked', async () => {
	sandbox = await startSandbox({ lightWork: true, now, seed: 7 });
	const id = await startedId(sandbox, { query: 'x', timeLimit: 100 });
	nowMs += 19_999;
	expect(field((await status(sandbox, id)).body, 'status')).toBe('processing');
	nowMs += 40_001;
	expect(field((await status(sandbox, id)).body, 'status')).toBe('completed');
});

it('keeps a job in a state no client knows where told to', async () => {
	sandbox = await startSandbox({ lightWork: true, now, jobDurationMs: 1 });
	const id = await startedId(sandbox, { query: 'x [odd]' });
	nowMs += 3_600_000;
	expect(await ended(sandbox, id)).toMatchObject({ success: true, status: 'pondering' });
});

it('gives the same ids and durations for the same seed', async () => {
	const runs: string[][] = [];
	for (let run = 0; run < 2; run += 1) {
		sandbox = await startSandbox({ lightWork: true, seed: 42, now });
		runs.push([await startedId(sandbox, { query: 'a' }), await startedId(sandbox, { query: 'b' })]);
		await sandbox.stop();
	}
	expect(runs[0]).toEqual(runs[1]);
});

it('names the plans when one is not known', async () => {
	await expect(startSandbox({ plan: 'gold' })).rejects.toThrow(
		'There is no plan "gold"; choose one of free, unlimited.',
	);
	await expect(startSandbox({ speed: 0 })).rejects.toThrow('The speed must be a number above 0.');
});

it('keeps accounts apart: lists, ids, credits and counters belong to one, whichever of its keys is used', async () => {
	const otherAccounts = [['fc-other', 'fc-other-2']];
	sandbox = await startSandbox({ otherAccounts, lightWork: true, jobDurationMs: 0, plan: { credits: 10 }, now });
	const { baseUrl } = sandbox;
	const of = (key: string) => ({ authorization: `Bearer ${key}` });
	const query = { body: { query: 'a' } };
	const mine = await startedId(sandbox, { query: 'a' });
	const theirs = String(
		field((await ask(sandbox, 'POST', '/v1/deep-research', { ...of('fc-other'), ...query })).body, 'id'),
	);
	const read = async (id: string, key: string) =>
		(await ask(sandbox as Sandbox, 'GET', `/v1/deep-research/${id}`, of(key))).status;
	expect([await read(mine, 'fc-sandbox'), await read(mine, 'fc-other')]).toEqual([200, 404]);
	expect([await read(theirs, 'fc-sandbox'), await read(theirs, 'fc-other-2')]).toEqual([404, 200]);
	const feed = await ask(sandbox, 'GET', '/v2/team/activity', of('fc-other-2'));
	expect(feed.text).toContain(theirs);
	expect(feed.text).not.toContain(mine);
	expect([sandbox.stats().starts.total, sandbox.others[0]?.stats().starts.total]).toEqual([1, 1]);
	expect((await fetch(`${baseUrl}/v2/team/activity`, { headers: of('fc-nobody') })).status).toBe(401);
	sandbox.reset();
	expect(sandbox.others[0]?.stats().starts.total).toBe(0);
});
