import fc from 'fast-check';

import { BackoffRegistry } from '../../nodes/service/limits/backoffRegistry';

it('is open until the first refusal', () => {
	expect(new BackoffRegistry().untilMs('crawl')).toBe(0);
});

it('keeps the wait that the service names, and a little more but never less', () => {
	const wait = fc.integer({ min: 2000, max: 900_000 });
	const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
	fc.assert(
		fc.property(fc.nat(10_000_000), wait, random, (nowMs, retryAfterMs, chance) => {
			const untilMs = new BackoffRegistry().refused('crawl', nowMs, retryAfterMs, chance);
			expect(untilMs).toBeGreaterThanOrEqual(nowMs + retryAfterMs);
			expect(untilMs).toBeLessThanOrEqual(nowMs + retryAfterMs + 500);
		}),
	);
});

/** Refuses each time the pause is over and returns the lengths of the pauses, in seconds. */
function pauses(board: BackoffRegistry, count: number, retryAfterMs?: number): number[] {
	let nowMs = 1;
	board.refused('crawl', nowMs, 0, 0);
	board.accepted('crawl', nowMs);
	return Array.from({ length: count }, () => {
		nowMs = board.untilMs('crawl');
		return (board.refused('crawl', nowMs, retryAfterMs, 0) - nowMs) / 1000;
	});
}

it('backs off 1, 2, 4 … seconds when no wait is named, and comes back when the minute is over', () => {
	expect(pauses(new BackoffRegistry(), 9)).toEqual([1, 2, 4, 8, 16, 28, 30, 30, 30]);
});

it('backs off too when the wait that was named proves too short', () => {
	expect(pauses(new BackoffRegistry(), 6, 5000)).toEqual([5, 5, 5, 8, 16, 20]);
});

it('is never driven into a loop by a wait of nothing', () => {
	expect(pauses(new BackoffRegistry(), 4, 0)).toEqual([1, 2, 4, 8]);
});

it('takes refusals within a pause for one, and does not stretch it without being told', () => {
	const board = new BackoffRegistry();
	const untilMs = board.refused('crawl', 1000, undefined, 0);
	expect(board.refused('crawl', 1500, undefined, 0)).toBe(untilMs);
	expect(board.refused('crawl', 1500, 10_000, 0)).toBe(11_500);
	expect(board.refused('crawl', 1600, 1000, 0)).toBe(11_500);
	expect(board.refused('crawl', 11_500, undefined, 0)).toBe(13_500);
});

it('ends the row of refusals, but not the pause, when a request is accepted', () => {
	const board = new BackoffRegistry();
	board.refused('crawl', 0, undefined, 0);
	board.refused('crawl', 1000, undefined, 0);
	board.accepted('crawl', 1500);
	expect(board.untilMs('crawl')).toBe(3000);
	expect(board.refused('crawl', 3000, undefined, 0)).toBe(4000);
});

it('keeps the buckets apart', () => {
	const board = new BackoffRegistry();
	board.refused('crawl', 0, 60_000, 0);
	expect(board.untilMs('crawlStatus')).toBe(0);
	expect(board.refused('crawlStatus', 10_000, undefined, 0)).toBe(11_000);
});
