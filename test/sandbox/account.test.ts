import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import { ask, field, startedJob } from './client.ts';

let sandbox: Sandbox;
const now = (): number => Date.UTC(2026, 10, 21, 20, 30, 0, 625);

async function run(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({ now, lightWork: true, ...options });
}
afterEach(() => sandbox.stop());
const get = async (path: string): Promise<unknown> => (await ask(sandbox, 'GET', path)).body;

it('tells balance and history in credits and tokens (team-01 to team-10)', async () => {
	await run({ plan: { credits: 1000 } });
	await startedJob(sandbox, '/v2/crawl', { url: 'http://site.example/', limit: 3 });
	const period = {
		billingPeriodStart: '2026-11-01T00:00:00.000Z',
		billingPeriodEnd: '2026-12-01T00:00:00.000Z',
	};
	expect(await get('/v2/team/credit-usage')).toEqual({
		success: true,
		data: { remainingCredits: 997, planCredits: 1000, ...period },
	});
	expect(field(await get('/v2/team/token-usage'), 'data.remainingTokens')).toBe(997 * 15);
	expect(field(await get('/v2/team/credit-usage/historical'), 'periods')).toEqual([
		{ startDate: '2026-10-01T00:00:00.000Z', endDate: '2026-11-01T00:00:00.000Z', creditsUsed: 0 },
		{ startDate: '2026-11-01T00:00:00.000Z', endDate: null, creditsUsed: 3 },
	]);
	const byKey = await get('/v2/team/token-usage/historical?byApiKey=true');
	expect(field(byKey, 'periods.1')).toMatchObject({ apiKey: 'Default', tokensUsed: 45 });
});

it('tells how many jobs run, browsers too (team-12, team-15)', async () => {
	await run({ plan: { jobsAtOnce: 5 }, jobDurationMs: 1000 });
	await startedJob(sandbox, '/v2/agent', { prompt: 'x' });
	await startedJob(sandbox, '/v2/interact', {});
	expect(await get('/v2/concurrency-check')).toEqual({
		success: true,
		concurrency: 2,
		maxConcurrency: 5,
	});
	expect(await get('/v2/team/queue-status')).toMatchObject({ jobsInQueue: 2, maxConcurrency: 5 });
});

it('replaces the whole protection at once (auth26-60 to auth26-63)', async () => {
	await run();
	const path = '/v2/team/threat-protection';
	expect(field(await get(path), 'data')).toMatchObject({ mode: 'off', configured: false });
	const put = (body: unknown) => ask(sandbox, 'PUT', path, { body });
	await put({ mode: 'normal', riskScoreThreshold: 70, blockedTlds: ['zip'] });
	expect(field(await get(path), 'data.riskScoreThreshold')).toBe(70);
	expect(field((await put({ mode: 'normal' })).body, 'data')).toEqual({
		mode: 'normal',
		riskScoreThreshold: 75,
		blacklist: [],
		whitelist: [],
		blockedTlds: [],
		failurePolicy: 'closed',
		allowRequestOverrides: true,
		zscaler: null,
		configured: true,
		updatedAt: '2026-11-21 20:30:00.625+00',
	});
	for (const body of [{}, { mode: 'normal', blockedTlds: ['.zip'] }, { mode: 'zscaler' }]) {
		expect((await put(body)).status).toBe(400);
	}
});

it('takes feedback on what it knows (feedback-03 to feedback-21)', async () => {
	await run({ lightWork: false });
	const found = await ask(sandbox, 'POST', '/v2/search', { body: { query: 'cargo bikes' } });
	const id = String(field(found.body, 'id'));
	const valuableSources = [{ url: 'http://site.example/' }];
	const body = { rating: 'good', valuableSources };
	const path = `/v2/search/${id}/feedback`;
	expect((await ask(sandbox, 'POST', path, { body })).body).toMatchObject({
		success: true,
		dailyRefundCap: 100,
	});
	const onJob = { endpoint: 'search', jobId: id, ...body };
	expect((await ask(sandbox, 'POST', '/v2/feedback', { body: onJob })).status).toBe(200);
	const onOther = { ...onJob, endpoint: 'scrape' };
	const unknown = await ask(sandbox, 'POST', '/v2/feedback', { body: onOther });
	expect([unknown.status, field(unknown.body, 'feedbackErrorCode')]).toEqual([
		404,
		'JOB_NOT_FOUND',
	]);
});

it('has support where told to', async () => {
	await run({ support: true });
	const { body } = await ask(sandbox, 'POST', '/v2/support/ask', { body: { question: 'x' } });
	expect(typeof field(body, 'answer')).toBe('string');
});
