import { MAX_SLEEP_MS, sleep, sleepPiece, waitAtMost } from '../../nodes/service/http/time';
import { VirtualTime } from './virtualTime.ts';

/** Sleeps as n8n before 2.34 does, which takes no signal. */
class DeafTime extends VirtualTime {
	override async sleep(ms: number): Promise<void> {
		await super.sleep(ms);
	}
}

describe.each([
	['by a clock that can be woken', () => new VirtualTime()],
	['by a clock that cannot be woken', () => new DeafTime()],
] as const)('sleeping %s', (_name, newTime) => {
	it('takes the whole time, in pieces', async () => {
		const time = newTime();
		const pieces = vi.spyOn(time, 'sleep');
		await time.until(sleep(time, 1700));
		expect(time.now()).toBe(1700);
		expect(pieces.mock.calls.map(([ms]) => ms)).toEqual([500, 500, 500, 200]);
	});

	it('ends the moment it is woken', async () => {
		const time = newTime();
		const wake = new AbortController();
		time.at(700, () => wake.abort());
		await time.until(sleep(time, Infinity, wake.signal));
		expect(time.now()).toBe(700);
	});

	it('does not begin where it was woken before, or where the time is over', async () => {
		const time = newTime();
		const pieces = vi.spyOn(time, 'sleep');
		await sleep(time, 1000, AbortSignal.abort());
		await sleepPiece(time, 1000, AbortSignal.abort());
		await sleep(time, 0);
		expect(pieces).not.toHaveBeenCalled();
	});

	it.each([
		[-5, 1],
		[20, 20],
		[60_000, MAX_SLEEP_MS],
	])('takes %d ms as a piece of %d ms', async (ms, pieceMs) => {
		const time = newTime();
		await time.until(sleepPiece(time, ms, new AbortController().signal));
		expect(time.now()).toBe(pieceMs);
	});

	it('waits for work no longer than it takes, and no longer than is allowed', async () => {
		const time = newTime();
		await time.until(waitAtMost(time, 5000, time.sleep(300)));
		expect(time.now()).toBe(300);
		await time.until(waitAtMost(time, 1000, new Promise(() => undefined)));
		expect(time.now()).toBe(1300);
		await expect(waitAtMost(time, 1000, Promise.reject(new Error('It broke')))).rejects.toThrow('It broke');
	});
});
