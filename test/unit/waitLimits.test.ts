import { researchTask } from './researchTask.ts';
import { Waiting } from './waiting.ts';

const tasks = (count: number) => Array.from({ length: count }, (_unused, item) => researchTask(item));
const allDone = (outcomes: Array<{ kind: string }>) => outcomes.every(({ kind }) => kind === 'done');

it.each([true, false])('bears a tight limit of looks a minute (Retry-After: %s)', async (retryAfter) => {
	const waiting = new Waiting({
		plan: { pollsPerMinute: 20, retryAfter },
		durationMs: () => 90_000,
	});
	expect(allDone(await waiting.outcomes(tasks(10)))).toBe(true);
	expect(waiting.service.refusedPolls).toBeGreaterThan(0);
	expect(waiting.service.counts.start).toBe(10);
});

it('never fails a job before its deadline because looks are refused', async () => {
	const waiting = new Waiting({
		fault: ({ kind }) => (kind === 'poll' ? { after: 'nothing', status: 429 } : undefined),
	});
	const outcomes = await waiting.outcomes(tasks(3));
	for (const outcome of outcomes) {
		expect(outcome).toMatchObject({ kind: 'unfinished', state: 'unknown' });
		expect(outcome).toHaveProperty('trouble', expect.stringContaining('refuses more requests'));
	}
	expect(waiting.time.now()).toBeGreaterThanOrEqual(720_000);
	expect(waiting.time.now()).toBeLessThan(723_000);
});

it('pauses the checks of all jobs, but no start, when a check is refused', async () => {
	let refusedMs: number | undefined;
	const waiting = new Waiting({
		durationMs: () => 10_000,
		plan: { concurrency: 2 },
		fault: ({ kind, atMs }) => {
			if (kind !== 'poll' || atMs < 3000 || refusedMs !== undefined) return undefined;
			refusedMs = atMs;
			return { after: 'nothing', status: 429, headers: { 'retry-after': '30' } };
		},
	});
	expect(allDone(await waiting.outcomes(tasks(5)))).toBe(true);
	const begin = (refusedMs ?? 0) + 160;
	const within = (atMs: number) => atMs > begin && atMs < begin - 160 + 30_000;
	expect(waiting.timesOf('poll').filter(within)).toEqual([]);
	expect(waiting.timesOf('start').filter(within).length).toBeGreaterThan(0);
});

it('pauses starts, but no check, when a start is refused', async () => {
	const waiting = new Waiting({
		durationMs: () => 100_000,
		plan: { concurrency: 1, retryAfter: true, slotWaitSeconds: 60 },
	});
	expect(allDone(await waiting.outcomes(tasks(2)))).toBe(true);
	const refusedMs = 200;
	const within = (atMs: number) => atMs > refusedMs && atMs < 60_000;
	expect(waiting.timesOf('start').filter(within)).toEqual([]);
	expect(waiting.timesOf('poll').filter(within).length).toBeGreaterThan(20);
});

it('learns from the refusals of another execution with the same credential', async () => {
	const waiting = new Waiting({ plan: { startsPerMinute: 3, retryAfter: true } });
	const both = [waiting.outcomes(tasks(4)), waiting.outcomes(tasks(4))];
	expect((await Promise.all(both)).every(allDone)).toBe(true);
	const firstMinute = waiting.timesOf('start').filter((atMs) => atMs < 20_000);
	// Eight that did not know yet; after that nobody runs into the wall before the minute is over.
	expect(firstMinute).toHaveLength(8);
});

it('adds up how long limits held it back', async () => {
	const free = new Waiting();
	await free.outcomes(tasks(3));
	expect(free.client.throttled.seconds).toBe(0);
	const tight = new Waiting({ plan: { concurrency: 1 } });
	await tight.outcomes(tasks(3));
	expect(tight.client.throttled.seconds).toBeGreaterThan(35);
	expect(tight.client.throttled.seconds).toBeLessThan(50);
});

it('keeps to the most jobs at once that the user allows', async () => {
	const waiting = new Waiting();
	expect(allDone(await waiting.outcomes(tasks(12), { concurrency: 3 }))).toBe(true);
	expect(waiting.service.mostAtOnce).toBe(3);
});

it('does not hammer a service that asks for no wait at all', async () => {
	const waiting = new Waiting({
		plan: { concurrency: 1, retryAfter: true, slotWaitSeconds: 0 },
		durationMs: () => 300_000,
	});
	expect(allDone(await waiting.outcomes(tasks(2)))).toBe(true);
	expect(waiting.service.refusedStarts).toBeLessThan(20);
});
