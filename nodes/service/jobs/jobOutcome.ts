import type { ServiceFailure } from '../http/failure';
import type { JsonObject, ServiceRequest } from '../http/transport';
import type { KnownIds } from '../limits/knownIds';
import type { FindableKind } from './jobKinds';

/**
 * The evidence that a job which the service lists belongs to a start: all its options, or what it is about and when it
 * began. By the latter alone it may be somebody else's, so it is read and never changed.
 */
export type Evidence = 'options' | 'addressAndTime';

/**
 * The way in which the id of a job is known that no answer to its own start gave. `joined`: it was at work already, for
 * whomever.
 */
export type KnownBy = Evidence | 'joined';

/** A job that was started before. */
export interface KnownJob {
	id: string;
	/** How long it has been running, in milliseconds. */
	ageMs: number;
	/** The way in which its id is known, where no answer gave it. */
	evidence?: KnownBy;
}

/** A start whose end is not known, or that may have been sent: the service's lists may have its job. */
export interface LostStart {
	kind: FindableKind;
	start: ServiceRequest;
	/** Monotonic time before which it was not sent; negative when it was before this process began. */
	sentMs: number;
	/** Monotonic time at which its answer was given up, as far as is known: its job may be seconds away from the lists. */
	lostMs: number;
	/** True when this process has sent it. */
	isFresh: boolean;
	/** Whether a listed job is proven to be another's by what its own record says. Never throws. */
	isOther?: ((id: string) => Promise<boolean>) | undefined;
	/** The ids of this kind that are known, with their owners; default: the register of jobs. */
	register?: KnownIds;
}

/** The finding of the service's lists about a lost start. */
export type LostStartFinding =
	| { kind: 'found'; id: string; ageMs: number; evidence: Evidence }
	/** More than one job may be it, or one that may as well be another start's. */
	| { kind: 'several'; ids: string[] }
	/** `isProof`: the lists have the jobs that have ended, too, so there is none. */
	| { kind: 'none'; isProof: boolean }
	/** There is no list to be had; `hasNoList`: because this server keeps none. */
	| { kind: 'unknown'; hasNoList?: true };

/** The service's denial of a job. */
export interface Denied {
	/** For how long it has denied it without a break, in milliseconds. */
	forMs: number;
	/** The status of the latest answer. */
	httpCode: number | undefined;
}

/** The end of a job for the caller. `id` is there whenever a job is known to have been started. */
export type JobOutcome =
	| { kind: 'started'; id: string }
	| { kind: 'done'; id: string; state: string; body: JsonObject }
	| { kind: 'failed'; id: string; state: string; reason: string; body: JsonObject }
	| {
			kind: 'unfinished';
			id: string;
			state: string;
			body: JsonObject | undefined;
			trouble: string;
	  }
	/** Still running, but no longer watched, because the run was stopped. */
	| { kind: 'left'; id: string; state: string }
	| {
			kind: 'error';
			id?: string;
			state?: string;
			failure: ServiceFailure;
			uncertain: boolean;
			/** The finding of the lists about an uncertain start, where they were asked. */
			finding?: LostStartFinding;
			/** Of a job that was started, and that the service does not know. */
			denied?: Denied | undefined;
			/** True when it counts as gone. */
			isGone?: boolean;
	  }
	| { kind: 'notStarted' };

/** `null`: Automatic. Otherwise a fixed number of milliseconds between two checks. */
export type PollIntervalMs = number | null;
