/** How long after the service's call the jobs are checked again: their status may show the end later than the call. */
const AFTER_CALL_MS = [1000, 2000, 4000, 8000, 16_000, 30_000];
/** n8n has stored an execution within the first of these pauses most often, under load within seconds. */
const FIRST_AFTER_SUSPENSION = 1;
/** The pauses of the checks that no call causes: the first, by how much each is longer, and the longest. */
const FIRST_PAUSE_MS = 120_000;
const PAUSE_GROWTH = 1.5;
const MAX_PAUSE_MS = 900_000;
/** A pause is shorter by up to this share, so that executions suspended together are not checked together. */
const SPREAD = 0.1;

/** When the jobs of one suspended execution are checked. Times are monotonic milliseconds. */
export interface CheckTimes {
	/** The close checks after a call, or after the suspension; undefined once they are over. */
	readonly close: CloseChecks | undefined;
	/** The next check that no call causes, and its pause before the spread. */
	readonly nextMs: number;
	readonly pauseMs: number;
	/** No check comes later: Max Wait has passed. */
	readonly untilMs: number;
}

interface CloseChecks {
	readonly cause: 'call' | 'suspension';
	readonly sinceMs: number;
	/** Which of them is next. */
	readonly next: number;
}

/**
 * The times for an execution that is suspended now, or whose first call is noticed now. `random` is in [0, 1),
 * here as in the others.
 */
export function firstCheckTimes(
	cause: CloseChecks['cause'],
	{ nowMs, untilMs }: { nowMs: number; untilMs: number },
	random: number,
): CheckTimes {
	const next = cause === 'suspension' ? FIRST_AFTER_SUSPENSION : 0;
	return {
		close: { cause, sinceMs: nowMs, next },
		nextMs: nowMs + spread(FIRST_PAUSE_MS, random),
		pauseMs: FIRST_PAUSE_MS,
		untilMs,
	};
}

/** The times after a call that did not resume the execution: the close checks begin again. */
export function afterCall(times: CheckTimes, nowMs: number): CheckTimes {
	return { ...times, close: { cause: 'call', sinceMs: nowMs, next: 0 } };
}

/**
 * The times after a check. `wasSeen`: a job was seen to run. That ends the close checks after a suspension:
 * n8n has stored the execution, so it can be called.
 */
export function afterCheck(
	times: CheckTimes,
	{ nowMs, wasSeen }: { nowMs: number; wasSeen: boolean },
	random: number,
): CheckTimes {
	const close = wasSeen && times.close?.cause === 'suspension' ? undefined : times.close;
	const left = { ...times, close: close && closeAfter(close, nowMs) };
	if (nowMs < times.nextMs) return left;
	const pauseMs = Math.min(MAX_PAUSE_MS, times.pauseMs * PAUSE_GROWTH);
	return { ...left, pauseMs, nextMs: nowMs + spread(pauseMs, random) };
}

/** When the next check is due; undefined when none comes before Max Wait has passed. */
export function nextCheckMs({ close, nextMs, untilMs }: CheckTimes): number | undefined {
	const pauseMs = close && AFTER_CALL_MS[close.next];
	const closeMs = close && pauseMs !== undefined ? close.sinceMs + pauseMs : Infinity;
	const dueMs = Math.min(closeMs, nextMs);
	return dueMs < untilMs ? dueMs : undefined;
}

/** What is left of the close checks; those that are past are not made up for. */
function closeAfter(close: CloseChecks, nowMs: number): CloseChecks | undefined {
	const next = AFTER_CALL_MS.findIndex(
		(pauseMs, index) => index >= close.next && close.sinceMs + pauseMs > nowMs,
	);
	return next === -1 ? undefined : { ...close, next };
}

function spread(pauseMs: number, random: number): number {
	return pauseMs * (1 - SPREAD * random);
}
