import { MAX_SLEEP_MS } from '../http/time';
import type { ServiceClient } from '../limits/client';
import {
	ABSENCE_MS,
	deniedPauseMs,
	deniedSince,
	isGone,
	isLongDenied,
	statusWordOf,
} from './jobAbsence';
import { mayBeUnknownId, NO_STATE, readJob, statusRequest } from './jobKinds';
import type { JobKind } from './jobKinds';
import type { ServiceFailure } from '../http/failure';
import { failureOrThrow, notTheService } from '../http/failure';
import { pollDelayMs } from './jobTask';
import type { JobOutcome, KnownJob, PollIntervalMs } from './jobTask';
import { backoffMs, MAX_RETRIES } from '../http/retry';
import { REQUEST_TIMEOUT_MS } from '../http/transport';
import type { JsonObject } from '../http/transport';

const LAST_POLL_TIMEOUT_MS = 5000;

/** How often a failure is repeated that may mean that the id is unknown: for 3 seconds. */
const FAILURES_OF_UNKNOWN = 2;

export interface WatchParts extends KnownJob {
	kind: JobKind;
	/** True for a job whose first check is due now, since it may long be done. */
	pollNow: boolean;
	/** True when one good check is all that is wanted, whatever the job's state. */
	once: boolean;
	/** True for an id that came from an answer of the service, and not from somebody who may have mistyped it. */
	isStarted: boolean;
	maxWaitMs: number;
	interval: PollIntervalMs;
	client: ServiceClient;
}

/** Checks one running job until it ends or its time is up. The loop of runJobs calls tick(). */
export class JobPoller {
	outcome: JobOutcome | undefined;

	/** The last state the service named. */
	state: string | undefined;

	private readonly startedMs: number;

	private readonly deadlineMs: number;

	private nextPollAtMs: number;

	private polling = false;

	private failures = 0;

	private lastBody: JsonObject | undefined;

	private lastFailure: ServiceFailure | undefined;

	/** Since when the service denies the job without a break, and how many times it did. */
	private deniedSinceMs: number | undefined;

	private denials = 0;

	constructor(private readonly parts: WatchParts) {
		const now = this.now();
		this.startedMs = now - parts.ageMs;
		this.deadlineMs = now + parts.maxWaitMs;
		const firstMs = parts.pollNow ? now : now + pollDelayMs(parts.ageMs, parts.interval);
		// The last check is at the deadline, not after it.
		this.nextPollAtMs = Math.min(firstMs, this.deadlineMs);
	}

	/** Monotonic time at which tick() has something to do, if nothing happens before. */
	get wakeMs(): number {
		if (this.polling) return Infinity;
		return Math.max(this.nextPollAtMs, Math.min(this.pauseEndMs, this.endMs));
	}

	/**
	 * Looks when a check is due and gives up when time is up. Returns what to wait for before asking for
	 * the outcome; undefined when there was nothing to do, so that a loop of ticks cannot spin.
	 */
	tick(): Promise<void> | undefined {
		if (this.outcome || this.polling) return undefined;
		const now = this.now();
		const isDue = now >= this.nextPollAtMs && now >= this.pauseEndMs;
		// One check is taken at the deadline even in a pause: a long one would hide a job that is done.
		return isDue || now >= this.endMs ? this.look() : undefined;
	}

	/** Stops polling; the job runs on at the service, and a check on its way changes nothing. Returns where it stood. */
	abandon(): JobOutcome {
		this.parts.client.throttled.release(this);
		this.outcome ??= { kind: 'left', id: this.parts.id, state: this.state ?? 'unknown' };
		return this.outcome;
	}

	/** Max Wait; for a job that is denied a minute of that, however short Max Wait is. */
	private get endMs(): number {
		const { deadlineMs, deniedSinceMs = -Infinity } = this;
		return Math.max(deadlineMs, deniedSinceMs + ABSENCE_MS);
	}

	private get pauseEndMs(): number {
		return this.parts.client.limits.pauses.untilMs(this.parts.kind.statusBucket);
	}

	private async look(): Promise<void> {
		const { client, kind, id } = this.parts;
		const leftMs = this.endMs - this.now();
		this.polling = true;
		try {
			// The last check, at the deadline, still gets the time that an answer takes, but not a minute.
			const timeoutMs = Math.min(REQUEST_TIMEOUT_MS, Math.max(LAST_POLL_TIMEOUT_MS, leftMs));
			const body = await client.send(statusRequest(kind, id), timeoutMs);
			if (!this.outcome) this.readStatus(body);
		} catch (error) {
			if (!this.outcome) this.pollFailed(failureOrThrow(error));
		} finally {
			this.polling = false;
		}
		if (!this.outcome && this.now() >= this.endMs) this.giveUp();
	}

	private readStatus(body: JsonObject): void {
		const { kind, id, interval, client } = this.parts;
		const { phase, state, reason } = readJob(kind, body);
		const now = this.now();
		client.throttled.release(this);
		this.failures = 0;
		this.deniedSinceMs = undefined;
		this.denials = 0;
		this.lastFailure = undefined;
		this.state = state;
		this.lastBody = body;
		if (phase === 'done') this.outcome = { kind: 'done', id, state, body };
		else if (phase === 'failed') this.outcome = { kind: 'failed', id, state, reason, body };
		else if (this.parts.once && state === NO_STATE) this.fail(withoutState(kind, client.baseUrl));
		else if (this.parts.once) this.giveUp();
		else this.pollAgainAt(now + pollDelayMs(now - this.startedMs, interval));
	}

	private pollFailed(failure: ServiceFailure): void {
		const { client, kind } = this.parts;
		// Stop cut the check off, which is no word about the job: the loop is about to end the run.
		if (failure.kind === 'aborted') return this.pollAgainAt(this.now() + MAX_SLEEP_MS);
		this.lastFailure = failure;
		if (failure.kind === 'rateLimited') {
			// Says nothing about the job and is not counted: the next check is when the shared pause is over.
			client.throttled.hold(this);
			return this.pollAgainAt(this.now());
		}
		const word = statusWordOf(kind, failure);
		if (this.existed) this.deniedSinceMs = deniedSince(this.deniedSinceMs, word, this.now());
		if (this.deniedSinceMs !== undefined) {
			this.denials += 1;
			if (isLongDenied(this.deniedSinceMs, this.now())) {
				return this.fail(failure, isGone(word, this.deniedSinceMs, this.now()));
			}
			return this.pollAgainAt(this.now() + deniedPauseMs(this.denials, client.time.random()));
		}
		this.denials = 0;
		this.failures += 1;
		const isTriedAgain = this.failures <= this.mostFailures(failure);
		if (isTriedAgain && client.mayTryAgain('GET', failure, this.failures)) {
			return this.pollAgainAt(this.now() + backoffMs(this.failures, client.time.random()));
		}
		this.fail(failure);
	}

	/** True for a job that was started, as an answer has shown. */
	private get existed(): boolean {
		return this.parts.isStarted || this.state !== undefined;
	}

	/** An id that somebody has typed, and that may be wrong, is not asked for half a minute. */
	private mostFailures(failure: ServiceFailure): number {
		return !this.existed && mayBeUnknownId(this.parts.kind, failure)
			? FAILURES_OF_UNKNOWN
			: MAX_RETRIES;
	}

	private fail(failure: ServiceFailure, gone = false): void {
		const { id, client } = this.parts;
		const { state, deniedSinceMs: sinceMs } = this;
		const { httpCode } = failure;
		this.outcome = {
			...{ kind: 'error', id, failure, uncertain: false },
			...(state !== undefined && { state }),
			...(sinceMs !== undefined && { denied: { forMs: this.now() - sinceMs, httpCode } }),
			...(gone && { isGone: true }),
		};
		client.throttled.release(this);
	}

	private pollAgainAt(atMs: number): void {
		this.nextPollAtMs = Math.min(atMs, this.endMs);
	}

	private giveUp(): void {
		const { id, client, once } = this.parts;
		const { lastBody: body, lastFailure } = this;
		if (once && lastFailure) return this.fail(lastFailure);
		const trouble = lastFailure ? ` The last check failed: ${lastFailure.message}` : '';
		const state = this.state ?? 'unknown';
		client.throttled.release(this);
		this.outcome = { kind: 'unfinished', id, state, body, trouble };
	}

	private now(): number {
		return this.parts.client.time.now();
	}
}

/** What answers without a state has no job: one check tells nothing then. */
function withoutState({ label }: JobKind, baseUrl: string): ServiceFailure {
	return notTheService(baseUrl, `without the state of the ${label}`);
}
