import type { ServiceFailure } from '../http/failure';
import { backoffMs } from '../http/retry';
import type { JsonObject } from '../http/transport';
import type { Time } from '../http/time';
import { mayBeUnknownId } from './jobKinds';
import type { JobKind } from './jobKinds';

// A job whose id came from an answer of the service exists. Servers answer 404 for it for seconds after its
// start, and their lists lag behind, so its absence must last, and be confirmed, before it proves anything.

/** How long the service must deny a job without a break before that can prove anything, in milliseconds. */
export const ABSENCE_MS = 60_000;

/** The same where its list of what was started cannot be read: one that fails for so long is as good as none. */
const ABSENCE_WITHOUT_LIST_MS = 300_000;

/** Longest pause between two status requests for a job that is denied, in milliseconds. */
const MAX_DENIED_PAUSE_MS = 5000;

/** Shortest pause between two readings of the list, which may be long, in milliseconds. */
const BETWEEN_LISTS_MS = 30_000;

/**
 * What one status request says of whether the job exists. `denied`: the service does not know it;
 * `mayBeDenied`: it failed with what some servers answer for an unknown id; `failed`: it failed in another
 * way, which breaks a row of denials; `noWord`: it was not asked, because of a limit or of Stop.
 */
export type StatusWord = 'known' | 'denied' | 'mayBeDenied' | 'failed' | 'noWord';

/** What the service's list of what was started says of one job; `unread`: it could not be read this time. */
export type ListWord = 'listed' | 'notListed' | 'noList' | 'unread';

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
export function deniedSince(
	earlierMs: number | undefined,
	word: StatusWord,
	nowMs: number,
): number | undefined {
	if (word === 'noWord') return earlierMs;
	return isDenial(word) ? (earlierMs ?? nowMs) : undefined;
}

/** True once a job has been denied for so long that the service's list is worth asking for it. */
export function isLongDenied(sinceMs: number | undefined, nowMs: number): boolean {
	return sinceMs !== undefined && nowMs >= sinceMs + ABSENCE_MS;
}

/** True for an answer that may be the service's word for an id that it does not know. */
export function isDenial(word: StatusWord): word is 'denied' | 'mayBeDenied' {
	return word === 'denied' || word === 'mayBeDenied';
}

/**
 * True when it is proven that a job that was started exists no more: the service has denied it without a
 * break for a minute, and its list of what was started, where it has one, does not have it.
 */
export function isGone(
	{ word, sinceMs, nowMs }: { word: StatusWord; sinceMs: number | undefined; nowMs: number },
	list: ListWord,
): boolean {
	if (sinceMs === undefined || !isLongDenied(sinceMs, nowMs)) return false;
	if (list === 'notListed') return isDenial(word);
	// A failure alone proves nothing, however long it lasts.
	if (word !== 'denied' || list === 'listed') return false;
	return list === 'noList' || nowMs >= sinceMs + ABSENCE_WITHOUT_LIST_MS;
}

/** Milliseconds until a job is asked for again that has been denied so many times in a row, from 1. */
export function deniedPauseMs(inRow: number, random: number): number {
	return Math.min(MAX_DENIED_PAUSE_MS, backoffMs(inRow, random));
}

/** How long a job that nobody is known to have been answered for may show no change, in milliseconds. */
const STANDSTILL_MS = 300_000;

/**
 * The signs of life of a job that was found by its address and time only. Some servers list a start before they
 * pass it on, and show it as `processing` for good where that fails.
 */
export class Standstill {
	private shown: string | undefined;

	/** `sinceMs`: since when earlier tries have seen it unchanged. */
	constructor(private sinceMs?: number) {}

	/** Notes what a status request shows of a job that runs. Returns true once it is to be given up. */
	note(state: string, body: JsonObject, nowMs: number): boolean {
		const shown = JSON.stringify({ ...body, expiresAt: undefined });
		const isUnchanged = this.shown === undefined || this.shown === shown;
		this.shown = shown;
		if (state !== 'processing') this.sinceMs = undefined;
		else this.sinceMs = isUnchanged ? (this.sinceMs ?? nowMs) : nowMs;
		return this.sinceMs !== undefined && nowMs >= this.sinceMs + STANDSTILL_MS;
	}

	/** For how long it has shown no change, in milliseconds; undefined where it does. */
	forMs(nowMs: number): number | undefined {
		return this.sinceMs === undefined ? undefined : nowMs - this.sinceMs;
	}
}

/** What the service says of a job that it denies. */
export interface Denied {
	/** For how long it has denied it without a break, in milliseconds. */
	forMs: number;
	/** What it answered the latest status request with. */
	httpCode: number | undefined;
	/** What its list says; undefined where it was not asked yet. */
	list: ListWord | undefined;
}

/** The denials of one started job that is polled. */
export class Denials {
	private inRow = 0;

	private list: ListWord | undefined;

	private nextListMs = -Infinity;

	/**
	 * `askList` asks the service's list for the job; it never throws. `sinceMs`: since when earlier tries have
	 * seen it denied.
	 */
	constructor(
		private readonly askList: () => Promise<ListWord>,
		private readonly time: Pick<Time, 'now' | 'random'>,
		private sinceMs?: number,
	) {}

	/** To be called with what each status request says. */
	note(word: StatusWord): void {
		this.sinceMs = deniedSince(this.sinceMs, word, this.time.now());
		this.inRow = this.sinceMs === undefined ? 0 : this.inRow + 1;
		if (this.sinceMs === undefined) this.list = undefined;
	}

	/**
	 * What to do about a denial that was noted: ask again after so many milliseconds, or stop, because the
	 * job is gone, or because the service has failed for as long as a job may be denied.
	 */
	async judge(word: 'denied' | 'mayBeDenied'): Promise<'gone' | 'failed' | { againInMs: number }> {
		const { time, sinceMs, inRow } = this;
		const isLong = isLongDenied(sinceMs, time.now());
		if (isLong && time.now() >= this.nextListMs) {
			this.list = await this.askList();
			this.nextListMs = time.now() + BETWEEN_LISTS_MS;
		}
		const { list = 'unread' } = this;
		if (isGone({ word, sinceMs, nowMs: time.now() }, list)) return 'gone';
		if (isLong && word === 'mayBeDenied') return 'failed';
		return { againInMs: deniedPauseMs(inRow, time.random()) };
	}

	/** Undefined where the service knows the job, as far as is known. */
	denied(httpCode: number | undefined): Denied | undefined {
		const { sinceMs, list } = this;
		return sinceMs === undefined ? undefined : { forMs: this.time.now() - sinceMs, httpCode, list };
	}
}
