const trueNow = performance.now.bind(performance);

/**
 * Lets the monotonic clock run so many times as fast, until jest.restoreAllMocks: waits that are bounded by it
 * end so much sooner. Timers go on as they are; the node sleeps half a second at most before it looks at the
 * clock again.
 */
export function speedUpClock(times: number): void {
	const beganMs = trueNow();
	jest.spyOn(performance, 'now').mockImplementation(() => beganMs + (trueNow() - beganMs) * times);
}

/**
 * Lets the clock of a sandbox run as fast as the monotonic clock does, which speedUpClock sets; `offsetMs` ahead
 * of this machine's. To be called after it.
 */
export function serviceClock(offsetMs = 0): () => number {
	const beganMs = Date.now() - performance.now() + offsetMs;
	return () => beganMs + performance.now();
}
