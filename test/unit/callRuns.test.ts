import { ServiceFailure } from '../../nodes/service/http/failure';
import { runCalls } from '../../nodes/service/limits/runCalls';
import type { CallTask } from '../../nodes/service/limits/runCalls';
import { scriptedClient } from './scriptedClient.ts';
import type { Script } from './scriptedClient.ts';

const GET = { method: 'GET', path: '/v2/map', bucket: 'map' } as const;
const POST = { method: 'POST', path: '/v2/scrape', bucket: 'scrape' } as const;
const OK = { body: { success: true } };
const REFUSED = { status: 429, body: { error: 'Too many' }, headers: { 'retry-after': '1.3' } };

interface RunParts {
	request?: CallTask['request'];
	retries?: number;
	deniedMs?: number;
	/** How long each request takes, in milliseconds. */
	lengthMs?: number;
	stopsAtFailure?: boolean;
	stopAtMs?: number;
	recover?: CallTask['recover'];
}

/** Some calls side by side, and what became of them. */
async function run(count: number, script: Script, parts: RunParts = {}) {
	const {
		request = GET,
		retries,
		deniedMs,
		lengthMs = 10,
		stopsAtFailure = false,
		stopAtMs,
		recover,
	} = parts;
	const stop = new AbortController();
	const scripted = scriptedClient(script);
	const { time } = scripted;
	const slow = scriptedClient(script, {
		time,
		signal: stop.signal,
		http: async (options) => {
			await time.sleep(lengthMs - 10);
			return await scripted.http(options);
		},
	});
	if (stopAtMs !== undefined) time.at(stopAtMs, () => stop.abort());
	const answered: number[] = [];
	const failures: ServiceFailure[] = [];
	const tasks = Array.from({ length: count }, () => ({
		request,
		timeoutMs: 60_000,
		...(retries !== undefined && { retries }),
		...(deniedMs !== undefined && { deniedMs }),
		...(recover && { recover }),
	}));
	const events = {
		answered: (index: number) => answered.push(index),
		failed: (_index: number, failure: ServiceFailure) =>
			failures.push(failure) > 0 && stopsAtFailure,
	};
	const ended = time.until(
		runCalls(tasks, events, slow.client).then(
			() => undefined,
			(error: unknown) => error,
		),
	);
	const error = await ended;
	return { ...scripted, client: slow.client, limits: slow.limits, answered, failures, error };
}

describe('a call that fails', () => {
	it('is repeated five times where it only reads, or as often as it is said', async () => {
		const usual = await run(1, () => ({ status: 503 }));
		expect(usual.seen).toHaveLength(6);
		expect(usual.failures).toHaveLength(1);
		const once = await run(1, () => ({ status: 503 }), { retries: 1 });
		expect(once.seen).toHaveLength(2);
		const never = await run(1, () => ({ status: 503 }), { retries: 0 });
		expect(never.seen).toHaveLength(1);
	});

	it('is not repeated where it may have been done', async () => {
		const { seen, failures } = await run(1, () => ({ status: 500 }), { request: POST });
		expect(seen).toHaveLength(1);
		expect(failures).toHaveLength(1);
	});

	it('is repeated after exactly its pause, not at the end of a slice of time', async () => {
		const { seen } = await run(1, (_options, count) => (count === 1 ? { status: 503 } : OK));
		const pauseMs = (seen[1]?.atMs ?? 0) - (seen[0]?.atMs ?? 0);
		expect(pauseMs).toBeGreaterThan(1010);
		expect(pauseMs).toBeLessThan(1300);
		expect((pauseMs - 10) % 500).not.toBe(0);
	});

	it('is sent again while what is known to exist is denied, whatever it does, and once otherwise', async () => {
		const denied = { status: 404, body: { success: false, error: 'Not found' } };
		const parts = { request: POST, deniedMs: 15_000 };
		const late = await run(1, (_options, count) => (count < 5 ? denied : OK), parts);
		expect(late.answered).toEqual([0]);
		expect(late.seen).toHaveLength(5);
		const never = await run(1, () => denied, parts);
		expect(never.failures).toMatchObject([{ httpCode: 404 }]);
		expect(never.time.now()).toBeGreaterThanOrEqual(15_000);
		expect(never.time.now()).toBeLessThan(17_000);
		const stopped = await run(1, () => denied, { ...parts, stopAtMs: 3000 });
		expect(stopped.error).toMatchObject({ kind: 'aborted' });
		expect(stopped.time.now()).toBeLessThan(4000);
		expect((await run(1, () => denied, { request: POST })).seen).toHaveLength(1);
	});

	it('leaves its place to the others, whatever became of it', async () => {
		for (const answer of [{ status: 500 }, { code: 'ECONNRESET' }, OK]) {
			const { limits } = await run(3, () => answer, { request: POST });
			expect(limits.isIdle(Infinity)).toBe(true);
		}
	});

	it('shows by its answer, but not by its silence, that the service moves', async () => {
		const said = await run(1, () => ({ status: 500 }), { request: POST });
		expect(said.limits.progress.lastActivityMs(-1, 99)).toBe(said.time.now());
		const silent = await run(1, () => ({ code: 'ECONNRESET' }), { request: POST });
		expect(silent.limits.progress.lastActivityMs(-1, 99)).toBe(-1);
	});
});

it('asks for work that goes on no longer than twenty minutes', async () => {
	const body = { details: { state: 'processing_continues', retryAfterSeconds: 600 } };
	const { seen, failures, time } = await run(1, () => ({ status: 408, body }));
	expect(seen).toHaveLength(2);
	expect(failures).toHaveLength(1);
	expect(time.now()).toBeLessThan(20 * 60_000);
	const shorter = { details: { ...body.details, retryAfterSeconds: 200 } };
	expect((await run(1, () => ({ status: 408, body: shorter }))).seen).toHaveLength(6);
});

describe('a call that waits for its turn', () => {
	it('goes the moment that another one has ended', async () => {
		const { seen, time } = await run(11, () => OK, { lengthMs: 130 });
		expect(seen.at(-1)?.atMs).toBe(130 + 120);
		expect(time.now()).toBe(260);
	});

	it('goes the moment that a pause is over, and the time is told in which it was held back', async () => {
		const { seen, client, time } = await run(1, (_options, count) => (count === 1 ? REFUSED : OK));
		const [first, second] = seen.map(({ atMs }) => atMs);
		expect(first).toBe(0);
		expect(second).toBeGreaterThanOrEqual(1310);
		expect(second).toBeLessThan(1310 + 326);
		const { seconds } = client.throttled;
		expect([1, 2]).toContain(seconds);
		await time.pass(60_000);
		expect(client.throttled.seconds).toBe(seconds);
	});

	it('is not held back by anything where it only waits for answers', async () => {
		const { client } = await run(100, () => OK, { lengthMs: 2000 });
		expect(client.throttled.seconds).toBe(0);
	});
});

describe('a call that may be recovered', () => {
	const LOST = { code: 'ECONNRESET' };

	it('is answered when its answer is to be had all the same, and is not sent again', async () => {
		const told: string[] = [];
		const recover = async ({ kind }: ServiceFailure) => {
			told.push(kind);
			return await Promise.resolve({ success: true });
		};
		const script: Script = (_options, count) => (count === 2 ? LOST : OK);
		const { answered, failures, seen } = await run(3, script, { request: POST, recover });
		expect([...answered].sort()).toEqual([0, 1, 2]);
		expect(failures).toEqual([]);
		expect(told).toEqual(['connection']);
		expect(seen).toHaveLength(3);
	});

	it('fails with what the recovery gives, in the end', async () => {
		const recover = async (failure: ServiceFailure) => await Promise.resolve(failure);
		const { failures } = await run(1, () => LOST, { request: POST, recover });
		expect(failures).toMatchObject([{ kind: 'connection' }]);
	});

	it('is not recovered when the run is over, by a failure or by Stop', async () => {
		const { client, time } = scriptedClient(() => OK);
		let asked = 0;
		const failing = (atMs: number, kind: ServiceFailure['kind'], reached: 'no' | 'maybe') => ({
			request: POST,
			timeoutMs: 60_000,
			send: async () => {
				await time.sleep(atMs);
				throw new ServiceFailure({ kind, reached, message: 'It failed.' });
			},
			recover: async (failure: ServiceFailure) => {
				asked += 1;
				return await Promise.resolve(failure);
			},
		});
		const tasks = [failing(100, 'http', 'no'), failing(200, 'connection', 'maybe')];
		const run = async (isOver: boolean) => {
			const events = { answered: () => undefined, failed: () => isOver };
			await time.until(runCalls(tasks, events, client));
		};
		await run(true);
		expect(asked).toBe(0);
		await run(false);
		expect(asked).toBe(1);
	});

	it('is not recovered when the execution is stopped', async () => {
		let asked = 0;
		const recover = async (failure: ServiceFailure) => {
			asked += 1;
			return await Promise.resolve(failure);
		};
		await run(1, () => LOST, { request: POST, recover, lengthMs: 1000, stopAtMs: 500 });
		expect(asked).toBe(0);
	});
});

it('sends a call in its own way where it has one', async () => {
	const { client, time } = scriptedClient(() => OK);
	const bodies: unknown[] = [];
	const task = {
		request: POST,
		timeoutMs: 60_000,
		send: async () => await Promise.resolve({ own: 1 }),
	};
	const events = {
		answered: (_index: number, body: unknown) => bodies.push(body),
		failed: () => true,
	};
	await time.until(runCalls([task], events, client));
	expect(bodies).toEqual([{ own: 1 }]);
});

describe('a failure that ends the run', () => {
	const answers: Script = (_options, count) => (count === 1 ? { status: 402 } : { status: 503 });

	it('ends it at once, also for calls that wait to be repeated', async () => {
		const { failures, seen, time } = await run(5, answers, { stopsAtFailure: true });
		expect(failures).toHaveLength(1);
		expect(seen).toHaveLength(5);
		expect(time.now()).toBeLessThan(50);
	});

	it('leaves no call in the queue', async () => {
		const { limits, answered } = await run(
			40,
			(_options, count) => (count === 1 ? { status: 402 } : OK),
			{ stopsAtFailure: true },
		);
		expect(answered.length).toBeLessThan(39);
		expect(limits.isIdle(Infinity)).toBe(true);
	});
});

describe('Stop', () => {
	it('ends the run within a second, also while an answer does not come for which others wait', async () => {
		const parts = { lengthMs: 600_000, stopAtMs: 1000 };
		const { error, answered, time } = await run(12, () => OK, parts);
		expect(time.now()).toBeLessThan(2000);
		expect(error).toMatchObject({ kind: 'aborted' });
		expect(answered).toEqual([]);
	});

	it('says that what was on its way may have been done, and leaves no call in the queue', async () => {
		const { error, limits, time } = await run(30, () => OK, { lengthMs: 700, stopAtMs: 1000 });
		expect(error).toMatchObject({ kind: 'aborted', reached: 'maybe' });
		expect(time.now()).toBeLessThan(2000);
		await time.pass(5000);
		expect(limits.isIdle(Infinity)).toBe(true);
	});
});

it('has nothing to do for no calls', async () => {
	const { seen, error } = await run(0, () => OK);
	expect(seen).toEqual([]);
	expect(error).toBeUndefined();
});
