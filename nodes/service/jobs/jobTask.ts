import type { ServiceFailure } from '../http/failure';
import type { JobKind } from './jobKinds';
import type { PollIntervalMs } from './pollSchedule';
import type { JsonObject, ServiceRequest } from '../http/transport';

/** One job to bring to its end: with `start` it can be started, with `known` it already was. */
export interface JobTask {
	/** The input item it belongs to. */
	item: number;
	start?: ServiceRequest;
	known?: { id: string; ageMs: number };
	/** Longest wait for this job, in milliseconds, counted from its start. */
	maxWaitMs: number;
	/** False: the start is all that is wanted. */
	watched: boolean;
	interval: PollIntervalMs;
	/** True: the job is cancelled when the execution is stopped, if this execution started it. */
	cancelOnStop?: boolean;
}

/** How a job ended for the caller. `id` is there whenever a job is known to have been started. */
export type JobOutcome =
	| { kind: 'started'; id: string }
	| { kind: 'done'; id: string; state: string; body: JsonObject }
	| { kind: 'failed'; id: string; state: string; reason: string; body: JsonObject }
	| { kind: 'unfinished'; id: string; state: string; body: JsonObject | undefined; trouble: string }
	/** Still running, but no longer watched, because the run was stopped. */
	| { kind: 'left'; id: string; state: string }
	| { kind: 'error'; id?: string; state?: string; failure: ServiceFailure; uncertain: boolean }
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
	/** A job of an earlier try is gone (404) and is started anew. */
	onGone(task: T, id: string): void;
	/** The task has come to its outcome. Told at once, not only when all others have. */
	onEnded?(task: T, outcome: JobOutcome): void;
	/** The execution was stopped, and the service has cancelled the job. */
	onCancelled?(task: T, id: string): void;
}

export interface JobSettings<T extends JobTask> {
	kind: JobKind;
	/** Most jobs of this run in work at once. */
	concurrency: number;
	/** True for an outcome after which the rest is not wanted any more. */
	stopsTheRun: (outcome: JobOutcome, task: T) => boolean;
	events: JobEvents<T>;
}
