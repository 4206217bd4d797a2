import type { ServiceFailure } from '../http/failure';
import type { JsonObject, ServiceRequest } from '../http/transport';
import type { StartRegister } from '../limits/startRegister';
import type { JobKind, FindableKind } from './jobKinds';

/**
 * What shows that a job which the service lists belongs to a start: all its options, or what it is about and
 * when it began. By the latter alone it may be somebody else's, so it is read and never changed.
 */
export type Evidence = 'options' | 'addressAndTime';

/** A job that was started before. */
export interface KnownJob {
	id: string;
	/** How long it has been running, in milliseconds. */
	ageMs: number;
	/** How its id is known, where no answer gave it. */
	evidence?: Evidence;
}

/** One job to bring to its end: with `start` it can be started, with `known` it already was. */
export interface JobTask {
	/** What it is: each job has its own paths. */
	kind: JobKind;
	/** The input item it belongs to. */
	item: number;
	start?: ServiceRequest;
	known?: KnownJob;
	/** Longest wait for this job, in milliseconds, counted from its start. */
	maxWaitMs: number;
	/** False: the start is all that is wanted. */
	watched: boolean;
	interval: PollIntervalMs;
	/** True: the job is cancelled when the execution is stopped, if this execution started it. */
	cancelOnStop?: boolean;
	/** An earlier try may have started it: it is looked for first. */
	lost?: LostTask;
	/** True: a start with an unclear end that is not found is sent once more, though it may be paid twice. */
	startsAgain?: boolean;
}

/**
 * What an earlier try may have sent. `failure` is how it ends when it is neither found nor proven to be missing. It
 * was sent after `sinceMs` and lost by `lostAt` at the latest, both in milliseconds since 1970.
 */
export interface LostTask {
	sinceMs: number;
	lostAt: number;
	startsWhenMissing: boolean;
	failure: ServiceFailure;
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
	/** Whose the things of this kind are; default: the register of jobs. */
	register?: StartRegister;
}

/** What the service's lists say about a lost start. */
export type LostStartFinding =
	| { kind: 'found'; id: string; ageMs: number; evidence: Evidence }
	/** More than one job may be it, or one that may as well be another start's. */
	| { kind: 'several'; ids: string[] }
	/** `isProof`: the lists have the jobs that have ended, too, so there is none. */
	| { kind: 'none'; isProof: boolean }
	/** There is no list to be had; `hasNoList`: because this server keeps none. */
	| { kind: 'unknown'; hasNoList?: true };

/** What the service says of a job that it denies. */
export interface Denied {
	/** For how long it has denied it without a break, in milliseconds. */
	forMs: number;
	/** What it answered the latest status request with. */
	httpCode: number | undefined;
}

/** How a job ended for the caller. `id` is there whenever a job is known to have been started. */
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
			/** What the lists say about an uncertain start, where they were asked. */
			finding?: LostStartFinding;
			/** Of a job that was started, and that the service does not know. */
			denied?: Denied | undefined;
			/** True when it counts as gone. */
			isGone?: boolean;
	  }
	| { kind: 'notStarted' };

/** Told as it happens, so that nothing is forgotten when the execution ends early. */
export interface JobEvents<T extends JobTask> {
	/** The start is about to be sent; more than once when it is sent again. */
	onSending(task: T): void;
	/** The start that was sent provably started nothing. It may be sent again. */
	onRefused?(task: T): void;
	/** The service accepted the start with this answer. Called before anything else is done with the id. */
	onStarted(task: T, id: string, answer: JsonObject): void;
	/** The start may or may not have reached the service. */
	onUncertain(task: T): void;
	/** The job of a start with an unclear end was found in the service's lists. onStarted follows. */
	onFound?(task: T, id: string, evidence: Evidence): void;
	/** The service was at work on it already, and named the job that is as good. onStarted follows. */
	onJoined?(task: T, id: string): void;
	/** What a status check has shown of a job. */
	onChecked?(task: T, body: JsonObject): void;
	/** A start with an unclear end is sent once more. */
	onStartedAgain?(task: T): void;
	/** A job of an earlier try is proven to be gone, and another one is started in its place. */
	onGone(task: T, id: string): void;
	/** The task has come to its outcome. Told at once, not only when all others have. */
	onEnded?(task: T, outcome: JobOutcome): void;
	/** The execution was stopped, and the service has cancelled the job. */
	onCancelled?(task: T, id: string): void;
	/** The execution was stopped, and the job had ended by itself when it was to be cancelled. */
	onEndedBefore?(task: T, id: string): void;
}

export interface JobSettings<T extends JobTask> {
	/** Most jobs of this run in work at once. */
	concurrency: number;
	/** True for an outcome after which the rest is not wanted any more. */
	stopsTheRun: (outcome: JobOutcome, task: T) => boolean;
	events: JobEvents<T>;
	/**
	 * Why the start of a task is not sent although its job is gone, or not once more; undefined when it may be.
	 * Asked before the sending of what was not to be sent at first.
	 */
	refusesStart?: (task: T) => ServiceFailure | undefined;
	/** True once no further task is wanted: what is begun comes to its end, the rest is `notStarted`. */
	beginsNoMore?: () => boolean;
	/**
	 * True: the run ends when nothing is left to start. Only while the plan holds up a start are jobs looked
	 * at, since their ends make room for it; those that still run come out as `started`.
	 */
	startsOnly?: boolean;
	/**
	 * Goes into the body of each start besides what is asked for: the ledger and the search for a lost start
	 * know nothing of it.
	 */
	along?: JsonObject;
	/** Jobs that this run has started already: they are only watched, and never started again. */
	started?: ReadonlyMap<T, KnownJob>;
	/** Looks for a lost start. Never throws. Left out: a start with an unclear end stays unclear. */
	findLost?: (lost: LostStart) => Promise<LostStartFinding>;
}

/** `null`: Automatic. Otherwise a fixed number of milliseconds between two checks. */
export type PollIntervalMs = number | null;
