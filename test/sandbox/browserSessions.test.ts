import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import { ask, field, listOf, startedJob } from './client.ts';

let sandbox: Sandbox;
let nowMs = 0;
const PATH = '/v2/interact';

async function run(options: SandboxOptions = {}): Promise<void> {
	nowMs = Date.UTC(2026, 10, 21, 20);
	sandbox = await startSandbox({ now: () => nowMs, ...options });
}
afterEach(() => sandbox.stop());

async function execute(id: string, body: unknown) {
	return ask(sandbox, 'POST', `${PATH}/${id}/execute`, { body });
}
async function idsOf(status: string): Promise<unknown[]> {
	const { body } = await ask(sandbox, 'GET', `${PATH}?status=${status}`);
	return listOf(field(body, 'sessions')).map((session) => field(session, 'id'));
}

it('opens, runs, lists and closes, and bills by the minute (browser-50 to browser-55)', async () => {
	await run();
	const id = await startedJob(sandbox, PATH, { ttl: 120 });
	expect(await idsOf('active')).toEqual([id]);
	nowMs += 30_000;
	const end = await ask(sandbox, 'DELETE', `${PATH}/${id}`);
	expect(end.body).toEqual({
		success: true,
		sessionDurationMs: 30_000,
		creditsBilled: 2,
		cleanupQueued: true,
	});
	expect([await idsOf('active'), await idsOf('destroyed')]).toEqual([[], [id]]);
	const again = await ask(sandbox, 'DELETE', `${PATH}/${id}`);
	expect(again.body).toEqual({ success: true, sessionDurationMs: 0, cleanupQueued: true });
	const late = await execute(id, { code: '1' });
	expect([late.status, field(late.body, 'error')]).toEqual([
		410,
		'Browser session has been destroyed.',
	]);
	expect(sandbox.stats().creditsUsed).toBe(2);
});

it.each([
	[{ code: "console.log('hello')" }, { stdout: 'hello', result: 'hello', exitCode: 0 }],
	[{ code: '6 * 7' }, { stdout: '', result: '42', exitCode: 0 }],
	[
		{ code: "await page.goto('https://a.example/'); return page.url()" },
		{ result: 'https://a.example/', exitCode: 0 },
	],
	[{ code: 'while (true) {}' }, { killed: true, exitCode: 137, error: 'timed out' }],
	[{ code: "throw new Error('x')" }, { exitCode: 1, stderr: 'Error: x', error: 'Error: x' }],
	[
		{ code: "print('hi')", language: 'python' },
		{ stdout: 'hi', exitCode: 0 },
	],
	[
		{ code: 'echo one\necho two', language: 'bash' },
		{ stdout: 'one\ntwo', exitCode: 0 },
	],
	[{ code: 'raise ValueError()', language: 'python' }, { exitCode: 1 }],
	[{ code: '[fail]' }, { exitCode: 1, error: 'Error: stub failure' }],
	[{ code: '[killed]' }, { exitCode: 137, killed: true }],
])('runs %j: success with what came out (browser-10 to browser-17)', async (body, expected) => {
	await run();
	const id = await startedJob(sandbox, PATH, {});
	const seen = await execute(id, body);
	expect(seen.status).toBe(200);
	expect(seen.body).toMatchObject({ success: true, ...expected });
});

it('ends by itself after its time, or when nothing is done in it', async () => {
	await run();
	const lasting = await startedJob(sandbox, PATH, { ttl: 120, activityTtl: 60 });
	nowMs += 59_000;
	await execute(lasting, { code: '1' });
	nowMs += 59_000;
	expect(await idsOf('active')).toEqual([lasting]);
	nowMs += 2000;
	expect(await idsOf('active')).toEqual([]);
});

it('opens no more sessions than the plan allows (browser-80)', async () => {
	await run({ plan: { jobsAtOnce: 1 } });
	await startedJob(sandbox, PATH, {});
	const { status, headers, body } = await ask(sandbox, 'POST', PATH, { body: {} });
	expect([status, headers.get('retry-after')]).toEqual([429, null]);
	expect(field(body, 'error')).toMatch(/^You have reached the maximum number of concurrent jobs/);
});

it('goes on with a scraped page until it is stopped, then never again (interact-02 to interact-34)', async () => {
	await run();
	const scraped = await ask(sandbox, 'POST', '/v2/scrape', {
		body: { url: `${sandbox.siteUrl}/` },
	});
	const path = `/v2/scrape/${String(field(scraped.body, 'data.metadata.scrapeId'))}/interact`;
	const post = (body: unknown) => ask(sandbox, 'POST', path, { body });
	const first = await post({ code: "console.log('hi')" });
	const second = await post({ prompt: 'click go' });
	expect(first.body).toMatchObject({ success: true, stdout: 'hi' });
	expect(field(second.body, 'sessionId')).toBe(field(first.body, 'sessionId'));
	expect(field(second.body, 'output')).toBe('Stub answer to: click go');
	// Unlike a session's own code, which succeeds with an error in it.
	expect((await post({ code: '[fail]' })).body).toMatchObject({ success: false, exitCode: 1 });
	expect((await post({ prompt: '[fail]' })).body).toMatchObject({ success: false, exitCode: 1 });
	expect((await post({ code: '[502]' })).status).toBe(502);
	expect((await ask(sandbox, 'DELETE', path)).body).toMatchObject({ creditsBilled: 7 });
	expect((await post({ code: '1' })).status).toBe(410);
});

it('is missing on a plain server (plain-05, plain-06, plain-12)', async () => {
	await run({ keys: [], database: false });
	const id = '00000000-0000-4000-8000-000000000000';
	const statuses = [
		(await ask(sandbox, 'POST', PATH, { body: {} })).status,
		(await ask(sandbox, 'GET', PATH)).status,
		(await ask(sandbox, 'POST', `/v2/scrape/${id}/interact`, { body: { code: '1' } })).status,
	];
	expect(statuses).toEqual([503, 500, 501]);
});
