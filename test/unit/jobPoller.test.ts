import { agentJob, crawlJob } from '../../nodes/service/jobs/jobKinds';
import { JobPoller } from '../../nodes/service/jobs/jobPoller';
import type { WatchParts } from '../../nodes/service/jobs/jobPoller';
import { scriptedClient } from './scriptedClient.ts';
import type { Script } from './scriptedClient.ts';

const RUNS = { body: { success: true, status: 'scraping' } };
const DONE = { body: { success: true, status: 'completed' } };
const REFUSED = { status: 429, body: { error: 'Too many' }, headers: { 'retry-after': '900' } };

/** Watches a job until it has an outcome, or for a while. */
async function watched(script: Script, more: Partial<WatchParts> & { endMs?: number } = {}) {
	const { endMs = Infinity, ...parts } = more;
	const stop = new AbortController();
	const { client, seen, time, limits } = scriptedClient(script, { signal: stop.signal });
	const watch = new JobPoller({
		kind: crawlJob,
		id: 'its',
		ageMs: 0,
		pollNow: false,
		once: false,
		isStarted: true,
		askList: async () => 'notListed' as const,
		maxWaitMs: 600_000,
		interval: null,
		client,
		...parts,
	});
	const run = async () => {
		while (!watch.outcome && time.now() < endMs) {
			await watch.tick();
			if (!watch.outcome) await time.sleep(Math.max(1, Math.min(500, watch.wakeMs - time.now())));
		}
	};
	const times = () => seen.map(({ atMs }) => atMs);
	return { watch, run, client, seen, time, limits, stop, times };
}

it('is checked less often the older it is, counted from its start', async () => {
	const { run, time, times } = await watched((_options, count) => (count < 4 ? RUNS : DONE), {
		ageMs: 100_000,
	});
	await time.until(run());
	const gaps = times().map((ms, index) => ms - (times()[index - 1] ?? -10) - 10);
	// 5% of 100 s, of 105 s, of 110.26 s.
	expect(gaps.map((ms) => Math.round(ms / 100))).toEqual([50, 53, 55, 58]);
});

it('is checked for the last time at its deadline, with the time that an answer takes', async () => {
	const { run, time, seen, watch } = await watched(() => RUNS, { maxWaitMs: 30_000 });
	await time.until(run());
	expect(seen.at(-1)).toMatchObject({ atMs: 30_000, timeoutMs: 5000 });
	expect(seen[0]?.timeoutMs).toBe(29_000);
	expect(watch.outcome).toMatchObject({ kind: 'unfinished', state: 'scraping', trouble: '' });
	const longer = await watched(() => DONE);
	await longer.time.until(longer.run());
	expect(longer.seen[0]?.timeoutMs).toBe(60_000);
});

it('is checked once at its deadline even in a pause, and the time held back is told', async () => {
	const { run, time, times, watch, client } = await watched(
		(_options, count) => (count === 1 ? REFUSED : DONE),
		{ maxWaitMs: 100_000 },
	);
	await time.until(run());
	expect(watch.outcome).toMatchObject({ kind: 'done', id: 'its' });
	expect(times()).toEqual([1000, 100_000]);
	expect(client.throttled.seconds).toBe(99);
	await time.pass(60_000);
	expect(client.throttled.seconds).toBe(99);
});

describe('the time held back ends', () => {
	it('when the job is given up', async () => {
		const { watch, run, time, client } = await watched(() => REFUSED, { endMs: 20_000 });
		await time.until(run());
		expect(watch.abandon()).toEqual({ kind: 'left', id: 'its', state: 'unknown' });
		const { seconds } = client.throttled;
		expect(seconds).toBe(19);
		await time.pass(60_000);
		expect(client.throttled.seconds).toBe(seconds);
	});

	it('when the job is given up while a check is on its way that is refused then', async () => {
		const { watch, time, client } = await watched(() => REFUSED, { pollNow: true });
		const look = watch.tick();
		watch.abandon();
		await time.until(look ?? Promise.resolve());
		await time.pass(60_000);
		expect(client.throttled.seconds).toBe(0);
	});

	it.each([
		['is over', () => REFUSED, 'unfinished'],
		[
			'ends with a failure',
			(_options: unknown, count: number) => (count === 1 ? REFUSED : { status: 401 }),
			'error',
		],
	])('when its time %s', async (_what, script, kind) => {
		const { run, time, client, watch } = await watched(script, { maxWaitMs: 50_000 });
		await time.until(run());
		expect(watch.outcome?.kind).toBe(kind);
		await time.pass(60_000);
		expect(client.throttled.seconds).toBe(49);
	});
});

it('keeps the last state that was named, also in a failure and when it is given up', async () => {
	const failing = await watched((_options, count) => (count === 1 ? RUNS : { status: 401 }));
	await failing.time.until(failing.run());
	expect(failing.watch.outcome).toMatchObject({ kind: 'error', id: 'its', state: 'scraping' });
	const unnamed = await watched(() => ({ status: 401 }));
	await unnamed.time.until(unnamed.run());
	expect(unnamed.watch.outcome).toMatchObject({ kind: 'error' });
	expect(unnamed.watch.outcome).not.toHaveProperty('state');
	const left = await watched(() => RUNS, { endMs: 5000 });
	await left.time.until(left.run());
	expect(left.watch.abandon()).toEqual({ kind: 'left', id: 'its', state: 'scraping' });
});

it('where one check is wanted, ends with it, whatever it says', async () => {
	const running = await watched(() => RUNS, { once: true, pollNow: true });
	await running.time.until(running.run());
	expect(running.watch.outcome).toMatchObject({ kind: 'unfinished', state: 'scraping' });
	expect(running.times()).toEqual([0]);
	const failing = await watched(() => ({ status: 503 }), {
		once: true,
		pollNow: true,
		maxWaitMs: 2500,
	});
	await failing.time.until(failing.run());
	expect(failing.watch.outcome).toMatchObject({ kind: 'error', failure: { httpCode: 503 } });
});

it('changes no more what it has come to, whatever comes later', async () => {
	const { watch, time, client } = await watched(() => RUNS, { pollNow: true });
	const look = watch.tick();
	expect(watch.wakeMs).toBe(Infinity);
	expect(watch.tick()).toBeUndefined();
	watch.outcome = { kind: 'left', id: 'its', state: 'mine' };
	await time.until(look ?? Promise.resolve());
	expect([watch.outcome, watch.state]).toEqual([
		{ kind: 'left', id: 'its', state: 'mine' },
		undefined,
	]);
	expect(watch.tick()).toBeUndefined();
	expect(client.throttled.seconds).toBe(0);
});

it('has no word about the job when the execution is stopped in a check', async () => {
	const { watch, time, stop } = await watched(() => ({ code: 'ERR_CANCELED' }), {
		pollNow: true,
	});
	stop.abort();
	await time.until(watch.tick() ?? Promise.resolve());
	expect(watch.outcome).toBeUndefined();
	expect(watch.wakeMs).toBe(time.now() + 500);
});

describe('a job that was found by its address and time only', () => {
	const STILL = { body: { success: true, status: 'processing' } };
	const found = { kind: agentJob, evidence: 'addressAndTime', maxWaitMs: 3_600_000 } as const;

	it('is given up when it shows no change for 5 minutes, and at once when earlier tries have seen that', async () => {
		const { watch, run, time } = await watched(() => STILL, found);
		await time.until(run());
		expect(watch.outcome).toMatchObject({ kind: 'error', id: 'its', isDoubted: true });
		expect(time.now()).toBeGreaterThanOrEqual(300_000);
		expect(time.now()).toBeLessThan(320_000);
		const earlier = { ...found, unchangedForMs: 300_000 };
		const again = await watched(() => STILL, earlier);
		await again.time.until(again.run());
		expect(again.watch.outcome).toMatchObject({ isDoubted: true });
		expect(again.seen).toHaveLength(1);
	});

	it('is waited for when it shows a change, or is known by more', async () => {
		const changing: Script = (_options, count) =>
			count < 100 ? { body: { ...STILL.body, creditsUsed: Math.floor(count / 10) } } : DONE;
		const alive = await watched(changing, found);
		await alive.time.until(alive.run());
		expect(alive.watch.outcome).toMatchObject({ kind: 'done' });
		const still: Script = (_options, count) => (count < 100 ? STILL : DONE);
		const own = await watched(still, { ...found, evidence: 'options' });
		await own.time.until(own.run());
		expect(own.watch.outcome).toMatchObject({ kind: 'done' });
	});

	it('tells how long it has shown no change when Max Wait ends first', async () => {
		const { watch, run, time } = await watched(() => STILL, { ...found, maxWaitMs: 60_000 });
		await time.until(run());
		const { outcome } = watch;
		expect(outcome?.kind === 'unfinished' && outcome.unchangedForMs).toBeGreaterThan(50_000);
	});
});
