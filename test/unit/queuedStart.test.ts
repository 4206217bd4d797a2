import { ServiceFailure } from '../../nodes/service/http/failure';
import type { JobOutcome } from '../../nodes/service/jobs/jobTask';
import { QueuedStart } from '../../nodes/service/jobs/queuedStart';
import { scriptedClient } from './scriptedClient.ts';
import type { Script } from './scriptedClient.ts';

const REQUEST = { method: 'POST', path: '/v2/crawl', body: {}, bucket: 'crawl' } as const;
const STARTED = { body: { success: true, id: 'its' } };
const REFUSED = { status: 429, body: { error: 'Too many' }, headers: { 'retry-after': '20' } };
type Failed = Extract<JobOutcome, { kind: 'error' }>;

interface Parts {
	maxWaitMs?: number;
	/** How long an answer takes. */
	answerMs?: number;
	/** True: ten starts of others are on their way, and are not answered. */
	isFull?: boolean;
}

/** A start on its way, and what it tells. */
function pending(
	script: Script,
	{ maxWaitMs = 60_000, answerMs = 10, isFull = false }: Parts = {},
) {
	const stop = new AbortController();
	const scripted = scriptedClient(script);
	const { time } = scripted;
	const { client, limits } = scriptedClient(script, {
		time,
		signal: stop.signal,
		http: async (options) => {
			await time.sleep(answerMs - 10);
			return await scripted.http(options);
		},
	});
	const starts = limits.starts('crawl');
	const others = Array.from({ length: isFull ? 10 : 0 }, () => ({
		owner: 'other',
		go: () => undefined,
	}));
	for (const ticket of others) starts.enqueue(ticket, 0);
	const accepted: string[] = [];
	const failed: Failed[] = [];
	const crashed: unknown[] = [];
	const callbacks = {
		accepted: (id: string) => accepted.push(id) > 0,
		failed: (outcome: Failed) => failed.push(outcome),
		crashed: (error: unknown) => crashed.push(error),
	};
	const start = new QueuedStart(
		REQUEST,
		maxWaitMs,
		client,
		callbacks,
		async (request) => await client.send(request),
	);
	/** Ticks whenever there is something to do, and at least each half second. */
	const run = async (untilMs: number) => {
		while (time.now() < untilMs) {
			start.tick();
			await time.sleep(Math.max(1, Math.min(500, start.wakeMs - time.now())));
		}
	};
	return {
		start,
		starts,
		others,
		stop,
		accepted,
		failed,
		crashed,
		client,
		time,
		seen: scripted.seen,
		runs: async (untilMs: number) => await time.until(run(untilMs)),
	};
}

describe('a start whose turn does not come', () => {
	const failure = (kind: 'http' | 'rateLimited', httpCode: number) =>
		new ServiceFailure({ kind, httpCode, reached: 'no', message: 'It said no.' });

	it.each([
		[
			undefined,
			'timeout',
			undefined,
			'The starts before this one were not answered for 60 seconds',
		],
		[failure('http', 402), 'http', 402, 'No new job could be started for 60 seconds'],
		[failure('rateLimited', 429), 'rateLimited', 429, 'because of its limits'],
	])(
		'gives up at the end of its patience, and says why: %#',
		async (last, kind, httpCode, said) => {
			const { start, starts, failed, seen, time, runs } = pending(() => STARTED, { isFull: true });
			starts.lastFailure = last;
			await runs(59_900);
			expect(failed).toEqual([]);
			await time.pass(60_000 - time.now());
			start.tick();
			expect(failed).toMatchObject([
				{ uncertain: false, failure: { kind, httpCode, reached: 'no' } },
			]);
			const message = failed[0]?.failure.message ?? '';
			expect(message).toContain(said);
			expect(message).toContain('so this one was not started and costs nothing');
			if (last) expect(message.endsWith('It said no.')).toBe(true);
			start.tick();
			expect(failed).toHaveLength(1);
			expect(seen).toEqual([]);
		},
	);

	it('goes by what it was told itself before what others were', async () => {
		const { starts, failed, runs } = pending(() => REFUSED, { maxWaitMs: 30_000 });
		await runs(5000);
		starts.lastFailure = failure('http', 402);
		await runs(90_000);
		expect(failed).toMatchObject([{ failure: { kind: 'rateLimited', httpCode: 429 } }]);
	});

	it('is taken back, and is never sent after that', async () => {
		const { start, starts, others, failed, seen, time, client } = pending(() => STARTED, {
			isFull: true,
		});
		expect(start.withdraw()).toBe(true);
		expect(start.withdraw()).toBe(false);
		for (const ticket of others) starts.notStarted(ticket);
		starts.pump(0);
		await time.pass(120_000);
		start.tick();
		expect([seen, failed]).toEqual([[], []]);
		expect(starts.idle).toBe(true);
		expect(client.throttled.seconds).toBe(0);
	});
});

it('is waited for while it is on its way, however long that takes', async () => {
	const { start, accepted, failed, runs } = pending(() => STARTED, {
		maxWaitMs: 5000,
		answerMs: 50_000,
	});
	await runs(40_000);
	expect(start.withdraw()).toBe(false);
	await runs(60_000);
	expect([accepted, failed]).toEqual([['its'], []]);
});

it('that was refused keeps its place, and tells how long it was held back', async () => {
	const { accepted, seen, client, start, runs } = pending((_options, count) =>
		count === 1 ? REFUSED : STARTED,
	);
	await runs(15_000);
	expect(start.wakeMs).toBeGreaterThanOrEqual(20_010);
	await runs(90_000);
	expect(accepted).toEqual(['its']);
	expect(seen[1]?.atMs).toBeGreaterThanOrEqual(20_010);
	expect(seen[1]?.atMs).toBeLessThan(26_000);
	expect(client.throttled.seconds).toBe(Math.round(((seen[1]?.atMs ?? 0) - 10) / 1000));
	expect(start.wakeMs).toBe(Infinity);
});

it('that was refused after it was taken back is not queued again', async () => {
	const { start, starts, seen, client, runs } = pending(() => REFUSED);
	expect(start.withdraw()).toBe(false);
	await runs(120_000);
	expect(seen).toHaveLength(1);
	expect(starts.idle).toBe(true);
	expect(client.throttled.seconds).toBe(0);
});

it('that never arrived is sent again, at the time that it names', async () => {
	const { start, accepted, failed, seen, time } = pending((_options, count) =>
		count < 3 ? { code: 'ECONNREFUSED' } : STARTED,
	);
	for (let tries = 1; tries < 3; tries++) {
		await time.pass(20);
		const dueMs = start.wakeMs;
		expect(dueMs).toBeGreaterThanOrEqual(time.now() + 500 * tries);
		await time.pass(dueMs - time.now() - 1);
		start.tick();
		expect(seen).toHaveLength(tries);
		await time.pass(1);
		start.tick();
		await time.pass(0);
		expect(seen).toHaveLength(tries + 1);
	}
	await time.pass(20);
	expect([accepted, failed]).toEqual([['its'], []]);
});

it.each([
	[{ id: '../x' }, '"../x"'],
	[{ id: 'x'.repeat(500) }, `("${'x'.repeat(79)})`],
	[{}, '(null)'],
])('that is answered without a usable ID may have been started: %#', async (body, shown) => {
	const { accepted, failed, runs } = pending(() => ({ body: { success: true, ...body } }));
	await runs(1000);
	expect(accepted).toEqual([]);
	expect(failed).toMatchObject([{ uncertain: true, failure: { kind: 'notJson' } }]);
	expect(failed[0]?.failure.message).toContain(shown);
	expect(failed[0]?.failure.message).toContain('holds no usable job id');
});

it('that is cut off by Stop says nothing about the service', async () => {
	const { starts, stop, failed, runs } = pending(() => ({ code: 'ERR_CANCELED' }));
	stop.abort();
	await runs(1000);
	expect(failed).toMatchObject([{ failure: { kind: 'aborted' } }]);
	expect(starts.lastFailure).toBeUndefined();
});
