import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, ended, field, start, startedId, status } from './client.ts';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 1, seed: 1 });
});
afterEach(() => sandbox.stop());

const starts = (): number => sandbox.stats().starts.total;

it.each([
	[{ kind: 'status', httpStatus: 503 }, 503, 'application/json', { success: false, error: 'Sandbox fault 503' }],
	[
		{ kind: 'status', httpStatus: 500 },
		500,
		'application/json',
		{ success: false, error: 'An unexpected error occurred on the server.' },
	],
	[
		{ kind: 'status', httpStatus: 402 },
		402,
		'application/json',
		{ success: false, error: 'Payment required to access this resource.' },
	],
	[{ kind: 'html' }, 200, 'text/html', undefined],
	[{ kind: 'htmlError' }, 502, 'text/html', undefined],
	[{ kind: 'empty' }, 200, 'application/json', undefined],
	[{ kind: 'wrongShape', body: { success: 'yes', id: 7 } }, 200, 'application/json', { success: 'yes', id: 7 }],
	[{ kind: 'redirect', to: 'http://127.0.0.1:9/x' }, 302, 'application/json', undefined],
	[{ kind: 'body', httpStatus: 418, headers: { 'Content-Type': 'text/x' }, body: 'tea' }, 418, 'text/x', undefined],
] as const)('%j spoils the answer, before or after the work', async (rule, httpStatus, type, body) => {
	for (const when of ['before', 'after'] as const) {
		const remove = sandbox.faults.add({ ...rule, step: 'start', when });
		const before = starts();
		const seen = await start(sandbox, { query: 'x' });
		expect(seen.status).toBe(httpStatus);
		expect(seen.headers.get('content-type')).toMatch(type);
		if (body) expect(seen.body).toEqual(body);
		expect(starts() - before).toBe(when === 'after' ? 1 : 0);
		remove();
	}
	expect((await start(sandbox, { query: 'x' })).status).toBe(200);
	expect(sandbox.stats().faults).toEqual({ [rule.kind]: 2 });
});

it.each(['reset', 'truncated'] as const)('%s breaks the connection', async (kind) => {
	for (const when of ['before', 'after'] as const) {
		const remove = sandbox.faults.add({ kind, step: 'start', when });
		const before = starts();
		await expect(start(sandbox, { query: 'x' })).rejects.toThrow();
		expect(starts() - before).toBe(when === 'after' ? 1 : 0);
		remove();
	}
});

it('hangs until the client gives up or the sandbox stops', async () => {
	sandbox.faults.add({ kind: 'hang', step: 'active' });
	const hanging = expect(ask(sandbox, 'GET', '/v2/crawl/active')).rejects.toThrow();
	await new Promise((resolve) => setTimeout(resolve, 50));
	await sandbox.stop();
	await hanging;
});

it('is slow before the work or drips the answer after it', async () => {
	for (const when of ['before', 'after'] as const) {
		const remove = sandbox.faults.add({ kind: 'slow', ms: 100, step: 'start', when });
		const fromMs = Date.now();
		const seen = await start(sandbox, { query: 'x' });
		expect(Date.now() - fromMs).toBeGreaterThanOrEqual(90);
		expect(seen.status).toBe(200);
		expect(typeof field(seen.body, 'id')).toBe('string');
		remove();
	}
	expect(starts()).toBe(2);
});

it('stops at once while an answer drips', async () => {
	sandbox.faults.add({ kind: 'slow', ms: 60_000, when: 'after' });
	const dripping = expect(ask(sandbox, 'GET', '/v2/crawl/active')).rejects.toThrow();
	await new Promise((resolve) => setTimeout(resolve, 50));
	const fromMs = Date.now();
	await sandbox.stop();
	expect(Date.now() - fromMs).toBeLessThan(30_000);
	await dripping;
});

it('gives the true answer the wrong type', async () => {
	sandbox.faults.add({ kind: 'wrongType', step: 'start' });
	const seen = await start(sandbox, { query: 'x' });
	expect(seen.headers.get('content-type')).toMatch('text/plain');
	expect(field(seen.body, 'success')).toBe(true);
	expect(starts()).toBe(1);
});

it('says when to come back', async () => {
	sandbox.faults.add({ kind: 'rateLimit', retryAfter: 7, times: 1 });
	sandbox.faults.add({ kind: 'status', httpStatus: 503, retryAfter: 'soon' });
	const first = await ask(sandbox, 'GET', '/v2/crawl/active');
	expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7']);
	const second = await ask(sandbox, 'GET', '/v2/crawl/active');
	expect([second.status, second.headers.get('retry-after')]).toEqual([503, 'soon']);
});

it('redirects to where it is told', async () => {
	sandbox.faults.add({ kind: 'redirect', to: 'http://127.0.0.1:9/x', httpStatus: 307 });
	const seen = await ask(sandbox, 'GET', '/v2/crawl/active');
	expect([seen.status, seen.headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/x']);
});

it('lets a job fail or vanish, at its start or at its status', async () => {
	for (const step of ['start', 'status'] as const) {
		sandbox.faults.add({ kind: 'failJob', step, query: 'failing', error: 'no luck' });
		sandbox.faults.add({ kind: 'expire', step, query: 'vanishing' });
	}
	const slow = '[lasts:60]';
	const failed = await ended(sandbox, await startedId(sandbox, { query: `failing ${slow}` }));
	expect(failed).toMatchObject({ success: false, status: 'failed', error: 'no luck' });
	const gone = await status(sandbox, await startedId(sandbox, { query: `vanishing ${slow}` }));
	expect(gone.status).toBe(404);
});

it('leaves an ended job as it ended', async () => {
	const id = await startedId(sandbox, { query: 'x' });
	await ended(sandbox, id);
	sandbox.faults.add({ kind: 'failJob', step: 'status' });
	expect(field((await status(sandbox, id)).body, 'status')).toBe('completed');
});

it('strikes only its step, its query, after so many and so often', async () => {
	sandbox.faults.add({ kind: 'htmlError', step: 'start', query: 'bad', skip: 1, times: 2 });
	const ofBad: number[] = [];
	for (let index = 0; index < 4; index += 1) {
		expect((await start(sandbox, { query: 'good' })).status).toBe(200);
		ofBad.push((await start(sandbox, { query: 'so bad' })).status);
	}
	expect(ofBad).toEqual([200, 502, 502, 200]);
});

it('strikes a share of the requests, the same ones for the same seed', async () => {
	const row = async (): Promise<number[]> => {
		const seeded = await startSandbox({ lightWork: true, seed: 5 });
		seeded.faults.add({ kind: 'htmlError', share: 0.5 });
		const seen: number[] = [];
		for (let index = 0; index < 30; index += 1) seen.push((await ask(seeded, 'GET', '/v2/crawl/active')).status);
		await seeded.stop();
		return seen;
	};
	const first = await row();
	expect(first).toEqual(await row());
	const struck = first.filter((code) => code === 502).length;
	expect(struck).toBeGreaterThan(5);
	expect(struck).toBeLessThan(25);
});

it('does not use up a fault for after the work on a refused start', async () => {
	sandbox.faults.add({ kind: 'reset', step: 'start', when: 'after', times: 1 });
	expect((await start(sandbox, {})).status).toBe(400);
	await expect(start(sandbox, { query: 'x' })).rejects.toThrow();
	expect((await start(sandbox, { query: 'x' })).status).toBe(200);
});

it('takes faults over HTTP and gives them up again', async () => {
	const control = '/_sandbox/faults';
	const added = await ask(sandbox, 'POST', control, {
		body: { kind: 'htmlError', step: 'active' },
	});
	expect((await ask(sandbox, 'GET', '/v2/crawl/active')).status).toBe(502);
	expect((await ask(sandbox, 'DELETE', `${control}/${String(field(added.body, 'id'))}`)).status).toBe(204);
	expect((await ask(sandbox, 'GET', '/v2/crawl/active')).status).toBe(200);
	await ask(sandbox, 'POST', control, { body: { kind: 'html' } });
	expect((await ask(sandbox, 'DELETE', control)).status).toBe(204);
	expect((await ask(sandbox, 'GET', '/v2/crawl/active')).headers.get('content-type')).toMatch('json');
	expect((await ask(sandbox, 'DELETE', `${control}/99`)).status).toBe(404);
	expect((await ask(sandbox, 'POST', control, { body: { kind: 'nonsense' } })).status).toBe(400);
});
