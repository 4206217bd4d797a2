import type { JsonObject } from '../http/transport';
import { readJob } from './jobKinds';
import type { JobKind, JobReading } from './jobKinds';

/** A job that says it is done, but whose numbers do not: since when they have been what they are, monotonic. */
interface Unsettled {
	numbers: string;
	sinceMs: number;
	/** The number of checks in a row that had them. */
	checks: number;
}

/** The state of a job, and what the next check must know of this one. */
export interface EndReading extends JobReading {
	unsettled?: Unsettled;
}

/** So long, and for so many checks, numbers that disagree must stand still before a job counts as done. */
export const STANDSTILL_MS = 10_000;
const STANDSTILL_CHECKS = 3;

/** Longest pause between two checks of a job that is called done, in milliseconds. */
export const UNSETTLED_PAUSE_MS = 2000;

/**
 * Reads the state of a job like readJob. One that says it is done counts as running until its numbers agree, or have
 * stood still: a server may answer so while a crawl runs, and a batch to which addresses were added stays `completed`
 * (docs/reference/service-notes.md#job-states). `before` is what the check before this one gave; `ageMs`: since its
 * start, 0 where that is not known.
 */
export function readEnd(
	kind: JobKind,
	body: JsonObject,
	{ before, nowMs, ageMs }: { before: Unsettled | undefined; nowMs: number; ageMs: number },
): EndReading {
	const reading = readJob(kind, body);
	if (reading.phase !== 'done' || kind.runningState === undefined || !isOpen(body, ageMs)) return reading;
	const numbers = JSON.stringify([body.completed, body.total]);
	const unsettled =
		before?.numbers === numbers ? { ...before, checks: before.checks + 1 } : { numbers, sinceMs: nowMs, checks: 1 };
	if (unsettled.checks >= STANDSTILL_CHECKS && nowMs >= unsettled.sinceMs + STANDSTILL_MS) return reading;
	return { ...reading, phase: 'running', state: kind.runningState, unsettled };
}

/** A start that waits for room has begun after so long, or the service has forgotten it. */
const YOUNG_MS = 60_000;

/**
 * Whether the numbers of a job say that it runs, or that it has not begun: 0 of 0 while its start waits for room. The
 * answer may hold a page that is not counted yet, since it is asked for with one.
 */
function isOpen({ completed, total }: JsonObject, ageMs: number): boolean {
	if (typeof completed !== 'number' || typeof total !== 'number') return false;
	return completed < total || (total === 0 && ageMs < YOUNG_MS);
}

/** The number of pages that a job counts and has not done; 0 where it does not say, or where all are in the answer. */
export function uncounted({ completed, total, data }: JsonObject): number {
	if (typeof completed !== 'number' || typeof total !== 'number') return 0;
	if (Array.isArray(data) && data.length >= total) return 0;
	return Math.max(0, total - completed);
}

/**
 * Checks a job until it is clear whether it runs: once, or for some seconds where it is called done and its numbers
 * disagree, and no longer than `untilMs` (monotonic): then it runs. Rejects as `check` does.
 */
export async function readSettled(
	kind: JobKind,
	check: () => Promise<JsonObject>,
	{ now, sleep }: { now(): number; sleep(ms: number): Promise<void> },
	{ ageMs = 0, untilMs = Infinity }: { ageMs?: number; untilMs?: number } = {},
): Promise<JobReading> {
	let before: Unsettled | undefined;
	for (;;) {
		const reading = readEnd(kind, await check(), { before, nowMs: now(), ageMs });
		const { unsettled } = reading;
		if (!unsettled || hasMoved(before, unsettled) || now() + UNSETTLED_PAUSE_MS >= untilMs) return reading;
		before = unsettled;
		await sleep(UNSETTLED_PAUSE_MS);
	}
}

/** True where the numbers have changed from one check to the next: the job runs. */
export function hasMoved(before: Unsettled | undefined, after: Unsettled): boolean {
	return before !== undefined && before.numbers !== after.numbers;
}
