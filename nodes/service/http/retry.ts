import type { ServiceFailure } from './failure';
import type { Time } from './time';
import { REQUEST_TIMEOUT_MS, readHeader } from './transport';
import type { JsonObject, ServiceRequest } from './transport';

/** The trouble of one attempt, as far as it decides about the next. A ServiceFailure is one. */
export type Trouble = Pick<ServiceFailure, 'kind' | 'mayHaveExecuted'> &
	Partial<
		Pick<ServiceFailure, 'httpCode' | 'isMissingOnServer' | 'isOpen' | 'notFound' | 'retryAfterMs' | 'retryInMs'>
	>;

/** The rule for repetitions, as data. */
export interface RetryPolicy {
	/**
	 * The failures after which it is sent again. `unsent`: what provably never arrived, since it may do, or cost,
	 * something twice; `reads`: also what broke, or broke off, at the service; `unlessRefused`: all but what it
	 * refuses for good.
	 */
	repeats: 'unsent' | 'reads' | 'unlessRefused';
	/** Most repetitions after failures in a row. What follows is not counted there. */
	retries: number;
	/** The pauses after failures: 1 s, which doubles up to 30 s, where nothing else is said. In milliseconds. */
	pausesMs?: { first: number; longest: number };
	/** So long a 404 without a break is no word yet: machines of the service differ for seconds. In milliseconds. */
	deniedMs: number;
	/**
	 * Refusals for the plan's limits. `whenFree`: all requests of the credential wait together, and give up when
	 * nothing has moved for ten minutes. A number: so many refusals are each followed by a pause of its own.
	 */
	refusals: 'whenFree' | number;
	/** Answers that say that the work goes on: how often and how long it is asked for again. Else they are failures. */
	atWork?: { most: number; withinMs: number };
}

/** How many times in a row one request may be repeated (docs/reference/service-notes.md#what-may-be-repeated). */
const MAX_RETRIES = 5;

/** How long the service must deny a job without a break before it counts as gone, in milliseconds. */
export const ABSENCE_MS = 60_000;

/** How long it may deny anything else that it has, such as an answer that it keeps, a session, a monitor. */
export const SHOWN_WITHIN_MS = 15_000;

/** A call of the service, or a start: what it does may cost. */
const START = { repeats: 'unsent', retries: MAX_RETRIES, deniedMs: 0, refusals: 'whenFree' } as const;
const READ = { ...START, repeats: 'reads' } as const;

/** The policies, beside one another. */
export const POLICIES = {
	/** The start of a job, and whatever else changes something. */
	start: START,
	/** A scrape, search or map: a 408 may say that its work goes on (docs/reference/service-notes.md#scrapes-that-go-on). */
	call: { ...START, atWork: { most: 5, withinMs: 20 * 60_000 } },
	/** The shared pause after a refusal. */
	pause: { ...START, refusals: Infinity },
	/** A thing that was lost and can be found nowhere, such as the opening of a session: once more. */
	onceMore: { ...START, repeats: 'unlessRefused', retries: 1 },
	read: READ,
	/** The status of a job that exists, or something of it. */
	poll: { ...READ, deniedMs: ABSENCE_MS },
	/** The status of a job whose id somebody has typed: what may mean that it is wrong is not asked for half a minute. */
	typedId: { ...READ, retries: 2 },
	/** An update or removal that may be done twice, while somebody waits for it. */
	repeatable: { ...READ, retries: 3 },
	/** A result of an earlier try: where it is not to be had, what is paid for is sent again. */
	collect: { ...READ, retries: 2, deniedMs: SHOWN_WITHIN_MS },
	/** A list that is read again soon, or can be done without. */
	lookUp: { ...READ, retries: 2 },
	/** A check that the next poll repeats. */
	check: { ...READ, retries: 0 },
	/** The end of a session, which costs by the minute. */
	close: { repeats: 'unlessRefused', retries: Infinity, deniedMs: SHOWN_WITHIN_MS, refusals: Infinity },
	/** The cancel of a job after Stop: some seconds are all there is. */
	cancel: {
		repeats: 'unlessRefused',
		retries: 2,
		pausesMs: { first: 500, longest: 500 },
		deniedMs: Infinity,
		refusals: 2,
	},
	/** A chat model: a refusal for too many calls is waited out longer than other failures. */
	model: { repeats: 'unlessRefused', retries: MAX_RETRIES, deniedMs: 0, refusals: 10 },
	/** Looks of a suspended execution at its own jobs, until Max Wait. */
	suspended: {
		...READ,
		retries: Infinity,
		pausesMs: { first: 1000, longest: 300_000 },
	},
} satisfies Record<string, RetryPolicy>;

/** The history of one thing, the latest trouble included. Times are monotonic milliseconds. */
export interface Tries {
	readonly beganMs: number;
	/** Failures in a row. */
	readonly failures: number;
	readonly refusals: number;
	/** Denials (404) without a break, and when the first of them was. */
	readonly denials: number;
	readonly deniedSinceMs: number | undefined;
	readonly askedAgain: number;
}

export const noTries = (beganMs: number): Tries => ({
	beganMs,
	failures: 0,
	refusals: 0,
	denials: 0,
	deniedSinceMs: undefined,
	askedAgain: 0,
});

/** The same with one more trouble. A refusal for the limits says nothing of what was asked for. */
export function withTrouble(tries: Tries, trouble: Trouble, policy: RetryPolicy, nowMs: number): Tries {
	if (trouble.kind === 'rateLimited') return { ...tries, refusals: tries.refusals + 1 };
	if (trouble.retryInMs !== undefined && policy.atWork) return { ...tries, askedAgain: tries.askedAgain + 1 };
	if (trouble.notFound && policy.deniedMs > 0) {
		return { ...tries, denials: tries.denials + 1, deniedSinceMs: tries.deniedSinceMs ?? nowMs };
	}
	return { ...tries, failures: tries.failures + 1, denials: 0, deniedSinceMs: undefined };
}

/** The facts at the moment of the decision. Monotonic milliseconds. */
export interface Moment {
	ms: number;
	/** In [0, 1): pauses get longer by up to a quarter, so that many clients do not come back together. */
	random: number;
	/** After that nothing is tried. */
	deadlineMs?: number | undefined;
	/** Until when the plan's limits are known to refuse. */
	freeAtMs?: number | undefined;
	/** The time when anything has moved for the credential the latest time. */
	lastActivityMs?: number | undefined;
	/** The time when this run has sent its first request, as long as nothing has answered any. */
	unansweredSinceMs?: number | undefined;
}

/** The next attempt: at a monotonic time, as soon as the plan's limits let it, or none. */
export type NextAttempt = { atMs: number } | 'whenFree' | 'giveUp';

/** A request that is refused for so long without any movement gives up, in milliseconds. */
export const MAX_STANDSTILL_MS = 10 * 60_000;

/** How long a run looks for a service that does not answer at all: an address is wrong more often than a service down. */
const FIRST_CONTACT_MS = 4000;

/** Longest pause between two requests for what is denied, in milliseconds. */
const MAX_DENIED_PAUSE_MS = 5000;

/** Whether, and when, to try again after this trouble, which `tries` counts already. */
export function nextAttempt(trouble: Trouble, tries: Tries, policy: RetryPolicy, moment: Moment): NextAttempt {
	const { ms, deadlineMs = Infinity, freeAtMs = 0, lastActivityMs = ms } = moment;
	const pauses = policy.pausesMs ?? { first: 1000, longest: 30_000 };
	const at = (pauseMs: number): NextAttempt => {
		const atMs = ms + Math.max(pauseMs, namedPauseMs(trouble.retryAfterMs ?? 0, moment.random));
		return atMs >= deadlineMs ? 'giveUp' : { atMs };
	};
	if (trouble.kind === 'rateLimited') {
		if (policy.refusals === 'whenFree') {
			return ms >= lastActivityMs + MAX_STANDSTILL_MS || freeAtMs >= deadlineMs ? 'giveUp' : 'whenFree';
		}
		if (tries.refusals > policy.refusals) return 'giveUp';
		return at(pauseMsOf(tries.refusals, pauses, moment.random));
	}
	const { retryInMs } = trouble;
	if (retryInMs !== undefined && policy.atWork) {
		const { most, withinMs } = policy.atWork;
		return tries.askedAgain > most || ms + retryInMs > tries.beganMs + withinMs ? 'giveUp' : at(retryInMs);
	}
	if (trouble.notFound && tries.deniedSinceMs !== undefined) {
		if (ms >= tries.deniedSinceMs + policy.deniedMs) return 'giveUp';
		return at(Math.min(MAX_DENIED_PAUSE_MS, pauseMsOf(tries.denials, pauses, moment.random)));
	}
	if (tries.failures > policy.retries || !mayRepeat(trouble, policy.repeats)) return 'giveUp';
	const { unansweredSinceMs } = moment;
	const isNobodyThere = trouble.kind === 'unreachable' || trouble.kind === 'tls';
	if (isNobodyThere && unansweredSinceMs !== undefined) {
		if (ms + pauseMsOf(tries.failures, pauses, 0) > unansweredSinceMs + FIRST_CONTACT_MS) return 'giveUp';
	}
	return at(pauseMsOf(tries.failures, pauses, moment.random));
}

/** `count` from 1. */
function pauseMsOf(count: number, { first, longest }: { first: number; longest: number }, random: number): number {
	return Math.min(longest, first * 2 ** Math.min(40, Math.max(0, count - 1))) * (1 + random / 4);
}

/** A pause that was named, and a little more, so that not all come back together. */
export const namedPauseMs = (namedMs: number, random: number): number => namedMs + random * Math.min(500, namedMs / 4);

/**
 * A request for something that the server does not have is never repeated. What may have reached the service is
 * repeated only where that does no harm, because a start has no duplicate protection
 * (docs/reference/service-notes.md#no-duplicate-protection).
 */
function mayRepeat(trouble: Trouble, repeats: RetryPolicy['repeats']): boolean {
	const { kind, httpCode } = trouble;
	if (kind === 'aborted' || kind === 'badInput' || kind === 'blocked' || kind === 'quotaExceeded') return false;
	if (trouble.isMissingOnServer || trouble.isOpen) return false;
	if (kind === 'unreachable' || kind === 'tls') return true;
	// A file whose end was never sent has not arrived, whatever the method.
	if (kind === 'connection' && !trouble.mayHaveExecuted) return true;
	if (repeats === 'unsent') return false;
	if (repeats === 'unlessRefused') {
		return kind !== 'redirect' && (httpCode === undefined || httpCode < 400 || httpCode >= 500 || httpCode === 408);
	}
	if (httpCode === undefined) return kind !== 'tooLarge';
	return kind === 'notJson' || httpCode >= 500 || httpCode === 408;
}

/** One thing that is tried until it is done or given up: counts what goes wrong, and decides. */
export class Attempts {
	private tries: Tries;

	constructor(
		private readonly policy: RetryPolicy,
		private readonly time: Pick<Time, 'now' | 'random'>,
	) {
		this.tries = noTries(time.now());
	}

	/** After one more trouble. */
	after(trouble: Trouble, known: Omit<Moment, 'ms' | 'random'> = {}): NextAttempt {
		const { policy, time } = this;
		const ms = time.now();
		this.tries = withTrouble(this.tries, trouble, policy, ms);
		return nextAttempt(trouble, this.tries, policy, { ms, random: time.random(), ...known });
	}

	/** Since when it is denied without a break. */
	get deniedSinceMs(): number | undefined {
		return this.tries.deniedSinceMs;
	}
}

/** The patience with which one request is sent: when again, and how long each try may take, in milliseconds. */
export interface Patience {
	policy: RetryPolicy;
	timeoutMs: number;
	/** No try is made after this monotonic time, in milliseconds. */
	deadlineMs?: number;
}

/**
 * The policy of a request of which nothing else is said: reads are repeated, and what the service knows by an id of its
 * own; the rest may do something twice.
 */
export function policyFor({
	method,
	isRead,
	requestId,
}: Pick<ServiceRequest, 'method' | 'isRead' | 'requestId'>): RetryPolicy {
	return method === 'GET' || isRead || requestId !== undefined ? POLICIES.read : POLICIES.start;
}

/** The patience for each purpose, beside one another. */
export const PATIENCE = {
	shown: { policy: POLICIES.poll, timeoutMs: REQUEST_TIMEOUT_MS },
	repeatable: { policy: POLICIES.repeatable, timeoutMs: REQUEST_TIMEOUT_MS },
	collect: { policy: POLICIES.collect, timeoutMs: 30_000 },
	lookUp: { policy: POLICIES.lookUp, timeoutMs: 10_000 },
	check: { policy: POLICIES.check, timeoutMs: 10_000 },
} satisfies Record<string, Patience>;

/** Longest pause that is believed, in milliseconds. A server that asks for more is asked again by then. */
export const MAX_PAUSE_MS = 15 * 60_000;

/**
 * How long the service asks to wait, in milliseconds, or undefined when it does not say.
 * Reads Retry-After as seconds or as an HTTP date, else "retry after 12s" in the error text
 * (docs/reference/service-notes.md#how-long-to-wait, recording auth-30). A date is measured against the answer's own Date
 * header where there is one, so that a wrong clock on either side does not matter.
 */
export function readRetryAfterMs(headers: JsonObject, errorText: string, wallClockMs: number): number | undefined {
	const fromHeader = readHeader(headers, 'retry-after');
	if (/^\s*\d+(\.\d+)?\s*$/.test(fromHeader)) return clampPause(Number(fromHeader) * 1000);
	const date = parseDate(fromHeader);
	if (date !== undefined) {
		return clampPause(date - (parseDate(readHeader(headers, 'date')) ?? wallClockMs));
	}
	const fromText = /retry after (\d+(?:\.\d+)?)\s*s/i.exec(errorText);
	return fromText ? clampPause(Number(fromText[1]) * 1000) : undefined;
}

/** Date.parse makes a date of "-5" and of "foo 5": only what names a time of day is one. */
function parseDate(text: string): number | undefined {
	if (!/\d:\d\d:\d\d/.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : date;
}

function clampPause(ms: number): number {
	return Math.min(MAX_PAUSE_MS, Math.max(0, ms));
}
