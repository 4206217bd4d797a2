const { now } = Object.getPrototypeOf(performance) as typeof performance;
const trueNow = now.bind(performance);
let isFast = false;

/**
 * Lets the monotonic clock run so many times as fast, until jest.restoreAllMocks: waits that are bounded by it
 * end so much sooner. Timers go on as they are; the node sleeps half a second at most before it checks the
 * clock again.
 */
export function speedUpClock(times: number): void {
	const beganMs = performance.now();
	const trulyMs = trueNow();
	jest.spyOn(performance, 'now').mockImplementation(() => beganMs + (trueNow() - trulyMs) * times);
}

/**
 * Lets the clock of a sandbox run as fast as the monotonic clock does, which speedUpClock sets; `offsetMs` ahead
 * of this machine's. To be called after it.
 */
export function serviceClock(offsetMs = 0): () => number {
	const beganMs = Date.now() - performance.now() + offsetMs;
	return () => beganMs + performance.now();
}

/**
 * Lets the monotonic clock and the timers of a whole test file run so many times as fast, also where it restores
 * all mocks: whatever waits in it ends so much sooner, and its order stays. Dates stay true. To be called at the
 * top of the file; a sandbox of such a file takes fileClock.
 */
export function runFast(times: number): void {
	const { setTimeout: trueTimeout, setInterval: trueInterval } = globalThis;
	const began = trueNow();
	isFast = true;
	performance.now = () => began + (trueNow() - began) * times;
	globalThis.setTimeout = faster(trueTimeout, times);
	globalThis.setInterval = faster(trueInterval, times);
	afterAll(() => {
		globalThis.setTimeout = trueTimeout;
		globalThis.setInterval = trueInterval;
		performance.now = trueNow;
	});
}

/** Counts seconds, to be asked for them: those of work by the true clock, and those of waiting by the fast one. */
export function stopwatch(): () => number {
	const [beganMs, trulyMs] = [performance.now(), trueNow()];
	const before = performance.eventLoopUtilization();
	return () => {
		const { idle } = performance.eventLoopUtilization(before);
		const ms = trueNow() - trulyMs;
		const times = (performance.now() - beganMs) / ms;
		return (ms - idle + idle * times) / 1000;
	};
}

/** The clock of a sandbox: that of a file which runs fast, and else its own. */
export function fileClock(): { now?: () => number } {
	return isFast ? { now: serviceClock() } : {};
}

/** Typed as what it stands for, of which nobody here uses more than the call. */
function faster<T extends typeof setTimeout | typeof setInterval>(timer: T, times: number): T {
	const call = timer as (run: () => void, ms?: number, ...rest: unknown[]) => NodeJS.Timeout;
	const fast = (run: () => void, ms = 0, ...rest: unknown[]) => call(run, ms / times, ...rest);
	return Object.assign(fast, timer) as T;
}
