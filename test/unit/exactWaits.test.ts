import { readRetryAfterMs } from '../../nodes/service/http/retryAfter.ts';
import { BackoffRegistry } from '../../nodes/service/limits/backoffRegistry';
import { researchTask } from './researchTask.ts';
import { Waiting } from './waiting.ts';

const MINUTE_MS = 60_000;

describe('the length of a pause', () => {
	it('is 15 minutes at most, whatever is asked for', () => {
		expect(readRetryAfterMs({ 'retry-after': '901' }, '', 0)).toBe(15 * MINUTE_MS);
		expect(readRetryAfterMs({ 'retry-after': '900' }, '', 0)).toBe(15 * MINUTE_MS);
		expect(readRetryAfterMs({}, 'retry after 86400s', 0)).toBe(15 * MINUTE_MS);
	});

	it.each([
		[4000, 0, 4000],
		[4000, 1, 4500],
		[1600, 1, 2000],
		[1600, 0.5, 1800],
		[100_000, 1, 100_500],
	])('of %i ms, as asked, grows by a quarter or half a second (random %d)', (asked, random, ms) => {
		expect(new BackoffRegistry().refused('crawl', 0, asked, random)).toBe(ms);
	});

	it.each([0, 0.5, 1])('backed off ends with the counted minute (random %d)', (random) => {
		const board = new BackoffRegistry();
		let untilMs = 0;
		for (let refusal = 0; refusal < 6; refusal++) {
			untilMs = board.refused('crawl', untilMs, undefined, random);
		}
		expect(untilMs).toBe(MINUTE_MS + random * 500);
	});
});

it('checks each of many jobs on its own schedule, to the millisecond', async () => {
	const waiting = new Waiting({ durationMs: () => 13_500, latencyMs: [0, 0] });
	await waiting.outcomes([
		researchTask(0, { interval: 1300 }),
		researchTask(1, { interval: 4700 }),
		researchTask(2, { interval: 4699 }),
	]);
	const looks = (query: string) =>
		waiting.service.seen.flatMap((seen) =>
			seen.kind === 'poll' && seen.query === query ? [seen.atMs] : [],
		);
	expect(looks('job 0')).toEqual(Array.from({ length: 11 }, (_look, index) => 1300 * (index + 1)));
	expect(looks('job 1')).toEqual([4700, 9400, 14_100]);
	expect(looks('job 2')).toEqual([4699, 9398, 14_097]);
});

it('lets another execution start its job the moment that one has ended', async () => {
	const waiting = new Waiting({
		plan: { concurrency: 1 },
		durationMs: () => 10_000,
		latencyMs: [0, 0],
	});
	await Promise.all([
		waiting.outcomes([researchTask(0, { interval: 1300 })]),
		waiting.outcomes([researchTask(1)]),
	]);
	expect(waiting.timesOf('start').at(-1)).toBe(8 * 1300);
});

it('leaves no timer behind that it need not wait for any more', async () => {
	const waiting = new Waiting();
	const sleep = vi.spyOn(waiting.time, 'sleep');
	await waiting.outcomes([researchTask(0)]);
	const wakes = sleep.mock.calls.flatMap(([, wake]) => wake ?? []);
	expect(wakes.length).toBeGreaterThan(20);
	expect(wakes.filter((wake) => !wake.aborted)).toEqual([]);
});
