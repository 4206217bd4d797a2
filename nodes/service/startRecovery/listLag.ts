/**
 * When a list is read for something whose answer was lost, in milliseconds after the loss: lists lag behind
 * what was started, and a request that was on its way when the connection broke may still arrive.
 */
const READ_AT_MS: readonly number[] = [500, 2000, 5000, 10_000, 15_000];

/**
 * When to read a list for what was lost at `lostMs`, as monotonic times: at once where the last of them is
 * over.
 */
export function readTimes(lostMs: number, nowMs: number): number[] {
	const ahead = READ_AT_MS.map((afterMs) => lostMs + afterMs).filter((atMs) => atMs > nowMs);
	return ahead.length > 0 ? ahead : [nowMs];
}
