import type { ServiceClient } from '../client';
import { failureOrThrow, notTheService } from '../http/failure';
import type { ServiceFailure } from '../http/failure';
import { ABSENCE_MS, POLICIES, nextAttempt, noTries, withTrouble } from '../http/retry';
import type { Tries } from '../http/retry';
import { MAX_SLEEP_MS, orAborted } from '../http/time';
import { REQUEST_TIMEOUT_MS } from '../http/transport';
import type { JsonObject } from '../http/transport';
import { NO_STATE, mayBeUnknownId, statusRequest } from './jobKinds';
import type { JobKind } from './jobKinds';
import type { JobOutcome, KnownJob, PollIntervalMs } from './jobOutcome';
import { STANDSTILL_MS, UNSETTLED_PAUSE_MS, hasMoved, readEnd } from './readEnd';
import type { EndReading } from './readEnd';

const SHARE_OF_AGE = 0.05;
const MIN_POLL_MS = 1000;
/** With 15 s, jobs of ten minutes were seen later on the average than with a check every 5 s. */
const MAX_POLL_MS = 12_000;

/**
 * Milliseconds until the next check of a job.
 * Automatic: 5% of the job's age, at least 1 s, at most 12 s, so a result is seen at most 5% of the
 * job's length (or 1 s) after it is there, and a job of 5 minutes costs about 75 checks.
 * Fixed: as asked, at least 1 s (the service's own clients never go below, docs/reference/service-notes.md#job-states).
 */
export function pollDelayMs(ageMs: number, interval: PollIntervalMs): number {
	if (interval !== null) return Math.max(MIN_POLL_MS, interval);
	return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, ageMs * SHARE_OF_AGE));
}

// A job whose id came from an answer of the service exists. Servers answer 404 for it for seconds after its
// start, so its absence must last before it proves anything.

/**
 * The word of one status request on whether the job exists. `denied`: the service does not know it; `mayBeDenied`: it
 * failed with what some servers answer for an unknown id; `failed`: it failed in another way, which breaks a row of
 * denials; `noWord`: it was not asked, because of a limit or of Stop.
 */
type StatusWord = 'known' | 'denied' | 'mayBeDenied' | 'failed' | 'noWord';

/** Reads what a status request says; `failure` is undefined where the service told the job's state. */
export function statusWordOf(kind: JobKind, failure: ServiceFailure | undefined): StatusWord {
	if (!failure) return 'known';
	if (failure.notFound) return 'denied';
	if (failure.kind === 'rateLimited' || failure.kind === 'aborted') return 'noWord';
	return mayBeUnknownId(kind, failure) ? 'mayBeDenied' : 'failed';
}

/**
 * Since when the service denies a job without a break: `earlierMs` is what this function gave after the
 * status request before, undefined at first. To be called after each of them, with a clock that is the same
 * for all; what it gives may be stored between them.
 */
export function deniedSince(earlierMs: number | undefined, word: StatusWord, nowMs: number): number | undefined {
	if (word === 'noWord') return earlierMs;
	return word === 'denied' || word === 'mayBeDenied' ? (earlierMs ?? nowMs) : undefined;
}

/** True once a job has been denied for so long that nothing more is to be waited for. */
function isLongDenied(sinceMs: number | undefined, nowMs: number): boolean {
	return sinceMs !== undefined && nowMs >= sinceMs + ABSENCE_MS;
}

/** True for a job that counts as gone. A failure alone proves nothing, however long it lasts. */
export function isGone(word: StatusWord, sinceMs: number | undefined, nowMs: number): boolean {
	return word === 'denied' && isLongDenied(sinceMs, nowMs);
}

const LAST_POLL_TIMEOUT_MS = 5000;

/** A job to wait for, and how. */
interface WaitedFor extends KnownJob {
	kind: JobKind;
	/** True for a job whose first check is due now, since it may long be done. */
	pollNow: boolean;
	/** True when one good check is all that is wanted, whatever the job's state. */
	once: boolean;
	/** True for an id that came from an answer of the service, and not from somebody who may have mistyped it. */
	isStarted: boolean;
	maxWaitMs: number;
	interval: PollIntervalMs;
	/** Told what each check shows of the job. */
	onChecked: (body: JsonObject) => void;
}

/** The findings of the checks of a job so far. */
interface Seen {
	/** The last state the service named. */
	state: string | undefined;
	body: JsonObject | undefined;
	/** The trouble of the latest check; undefined after a good one. */
	failure: ServiceFailure | undefined;
	/** The failures of the checks since the latest good one. */
	tries: Tries;
	/** Of a job that is called done, but whose numbers disagree; and when that was seen first. */
	unsettled: EndReading['unsettled'];
	calledDoneMs: number | undefined;
}

/** The end of the wait by a check, or the time when the next one is due, monotonic. */
type CheckResult = { outcome: JobOutcome } | { nextMs: number };

/**
 * Checks one running job until it ends or its time is up. Once `over` is aborted it is watched no longer (`left`): it
 * runs on at the service, and a check on its way changes nothing. Throws what is no ServiceFailure.
 */
export async function waitForJob(job: WaitedFor, client: ServiceClient, over: AbortSignal): Promise<JobOutcome> {
	const { id, kind, ageMs, interval, maxWaitMs, pollNow } = job;
	const { time, throttled } = client;
	const beganMs = time.now();
	const deadlineMs = beganMs + maxWaitMs;
	const seen: Seen = {
		state: undefined,
		body: undefined,
		failure: undefined,
		tries: noTries(beganMs),
		unsettled: undefined,
		calledDoneMs: undefined,
	};
	// Max Wait; however short it is, for a job that is denied a minute of that, and for one that is called done what
	// its numbers may take to settle.
	const endMs = () =>
		Math.max(
			deadlineMs,
			(seen.tries.deniedSinceMs ?? -Infinity) + ABSENCE_MS,
			(seen.calledDoneMs ?? -Infinity) + STANDSTILL_MS,
		);
	let nextMs = pollNow ? beganMs : beganMs + pollDelayMs(ageMs, interval);
	try {
		for (;;) {
			// One check is taken at the end even in a pause: a long one would hide a job that is done.
			const dueMs = Math.min(endMs(), Math.max(nextMs, client.limits.freeAtMs(kind.statusBucket)));
			if (over.aborted) return { kind: 'left', id, state: seen.state ?? 'unknown' };
			const now = time.now();
			if (now < dueMs) {
				await client.sleepUntil(dueMs, over);
				continue;
			}
			const answer = await orAborted(look(job, endMs(), client), over);
			if (!answer || over.aborted) continue;
			const verdict =
				'body' in answer
					? readStatus(job, seen, answer.body, beganMs - ageMs, client)
					: readFailure(job, seen, answer.failure, client);
			if ('outcome' in verdict) return verdict.outcome;
			if (time.now() >= endMs()) return timeIsUp(job, seen, time.now());
			({ nextMs } = verdict);
		}
	} finally {
		throttled.release(job);
	}
}

/** One check. The last, at the end, still gets the time that an answer takes, but not a minute. */
async function look(
	{ kind, id }: WaitedFor,
	endMs: number,
	client: ServiceClient,
): Promise<{ body: JsonObject } | { failure: ServiceFailure }> {
	const leftMs = endMs - client.time.now();
	const timeoutMs = Math.min(REQUEST_TIMEOUT_MS, Math.max(LAST_POLL_TIMEOUT_MS, leftMs));
	try {
		return { body: (await client.send(statusRequest(kind, id), timeoutMs)).body };
	} catch (error) {
		return { failure: failureOrThrow(error) };
	}
}

function readStatus(
	job: WaitedFor,
	seen: Seen,
	body: JsonObject,
	startedMs: number,
	client: ServiceClient,
): CheckResult {
	const { kind, id, once, interval } = job;
	const now = client.time.now();
	const before = seen.unsettled;
	const { phase, state, reason, unsettled } = readEnd(kind, body, { before, nowMs: now, ageMs: now - startedMs });
	client.throttled.release(job);
	job.onChecked(body);
	Object.assign(seen, { state, body, unsettled, failure: undefined, tries: noTries(now) });
	if (phase === 'done') return { outcome: { kind: 'done', id, state, body } };
	if (phase === 'failed') return { outcome: { kind: 'failed', id, state, reason, body } };
	if (unsettled) {
		seen.calledDoneMs ??= now;
		const pauseMs = Math.min(UNSETTLED_PAUSE_MS, pollDelayMs(now - startedMs, interval));
		if (!once || !hasMoved(before, unsettled)) return { nextMs: now + pauseMs };
	}
	if (!once) return { nextMs: now + pollDelayMs(now - startedMs, interval) };
	if (state !== NO_STATE) return { outcome: timeIsUp(job, seen, now) };
	// No status field means that this is not a job: one check tells nothing then.
	const failure = notTheService(client.baseUrl, `without the state of the ${kind.label}`);
	return { outcome: errorOf(job, seen, failure, now) };
}

function readFailure(job: WaitedFor, seen: Seen, failure: ServiceFailure, client: ServiceClient): CheckResult {
	const { kind } = job;
	const { time, throttled } = client;
	const now = time.now();
	// Stop cut the check off, which is no word about the job.
	if (failure.kind === 'aborted') return { nextMs: now + MAX_SLEEP_MS };
	seen.failure = failure;
	const existed = job.isStarted || seen.state !== undefined;
	const word = statusWordOf(kind, failure);
	const trouble = { ...failure, notFound: existed && (word === 'denied' || word === 'mayBeDenied') };
	// An id that somebody has typed, and that may be wrong, is not asked for half a minute.
	const policy = existed ? POLICIES.poll : mayBeUnknownId(kind, failure) ? POLICIES.typedId : POLICIES.read;
	seen.tries = withTrouble(seen.tries, trouble, policy, now);
	const { unansweredSinceMs } = client;
	const next = nextAttempt(trouble, seen.tries, policy, { ms: now, random: time.random(), unansweredSinceMs });
	if (next === 'whenFree') {
		// Says nothing about the job: the next check is when the shared pause is over.
		throttled.hold(job);
		return { nextMs: now };
	}
	if (next !== 'giveUp') return { nextMs: next.atMs };
	const outcome = errorOf(job, seen, failure, now);
	return { outcome: isGone(word, seen.tries.deniedSinceMs, now) ? { ...outcome, isGone: true } : outcome };
}

function errorOf(
	{ id }: WaitedFor,
	{ state, tries: { deniedSinceMs: sinceMs } }: Seen,
	failure: ServiceFailure,
	nowMs: number,
): Extract<JobOutcome, { kind: 'error' }> {
	const { httpCode } = failure;
	return {
		kind: 'error',
		id,
		failure,
		uncertain: false,
		...(state !== undefined && { state }),
		...(sinceMs !== undefined && { denied: { forMs: nowMs - sinceMs, httpCode } }),
	};
}

function timeIsUp(job: WaitedFor, seen: Seen, nowMs: number): JobOutcome {
	const { id, once } = job;
	const { state, body, failure } = seen;
	if (once && failure) return errorOf(job, seen, failure, nowMs);
	const trouble = failure ? ` The last check failed: ${failure.message}` : '';
	return { kind: 'unfinished', id, state: state ?? 'unknown', body, trouble };
}
