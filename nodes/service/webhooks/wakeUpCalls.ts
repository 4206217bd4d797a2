import type { UnreadSince } from '../results/unreadJobs';

/** At most one check a second, so 60 a minute, whoever calls and how often. */
const BETWEEN_CHECKS_MS = 1000;
/** So long after its end no call wakes an execution again: n8n may still list it as waiting. */
const AWAKE_MS = 10_000;
/** Executions that one process remembers; the one that was called longest ago goes first. */
const MAX_EXECUTIONS = 10_000;
/**
 * So long after its latest check an execution is remembered: nobody tells when one was stopped. If it waits all
 * the same, the next call checks all of its jobs.
 */
const REMEMBERED_MS = 24 * 3_600_000;

/**
 * What one call comes to: it wakes the execution, leaves it waiting, or has nothing to do, because another
 * call is at it or has woken it.
 */
export type WakeUpResult = 'wake' | 'wait' | 'alreadyHandled';

/** A clock in milliseconds, and a sleep by it. */
export interface WakeUpClock {
	now(): number;
	sleep(ms: number): Promise<void>;
}

interface WaitingExecution {
	isChecking: boolean;
	/** Another call has come since the check began: it may know of what that check could not see. */
	calledAgain: boolean;
	/** True while all calls of this checking can wait for another one where a job cannot be checked. */
	isOwnCall: boolean;
	/** When the latest check began, and when the execution was woken. */
	checkedMs: number;
	wokenMs: number;
	/** Ids of jobs that have ended: they need no further check. */
	ended: Set<string>;
	/** Since when jobs cannot be read, by id. */
	unread: Map<string, UnreadSince>;
}

/**
 * The calls of jobs that have ended, by the execution that waits for them. A call is only a execution: it says that
 * it is worth looking. Calls at the same moment make one check, one that comes during a check makes one more
 * after it, and one of them alone wakes the execution.
 */
export class WakeUpCalls {
	private readonly wakeUpCalls = new Map<string, WaitingExecution>();

	constructor(
		private readonly time: WakeUpClock,
		private readonly most = MAX_EXECUTIONS,
	) {}

	/**
	 * `check` tells whether all jobs have ended; it notes in `ended` those it need not check again, and in `unread`
	 * since when it cannot read others. Throws what it throws: then the next call checks again. A call that is not
	 * patient makes the check that is under way so, too: it may be the last of its kind.
	 */
	async notify(
		name: string,
		check: (
			ended: Set<string>,
			isOwnCall: () => boolean,
			unread: Map<string, UnreadSince>,
		) => Promise<boolean>,
		isOwnCall = false,
	): Promise<WakeUpResult> {
		const { time } = this;
		const execution = this.resumeCallOf(name);
		if (execution.isChecking || time.now() < execution.wokenMs + AWAKE_MS) {
			execution.calledAgain = true;
			execution.isOwnCall &&= isOwnCall;
			return 'alreadyHandled';
		}
		execution.isChecking = true;
		execution.isOwnCall = isOwnCall;
		try {
			do {
				const earlyMs = execution.checkedMs + BETWEEN_CHECKS_MS - time.now();
				if (earlyMs > 0) await time.sleep(earlyMs);
				execution.calledAgain = false;
				execution.checkedMs = time.now();
				if (await check(execution.ended, () => execution.isOwnCall, execution.unread)) {
					execution.wokenMs = time.now();
					execution.ended.clear();
					return 'wake';
				}
			} while (execution.calledAgain);
			return 'wait';
		} finally {
			execution.isChecking = false;
		}
	}

	private resumeCallOf(name: string): WaitingExecution {
		const execution = this.wakeUpCalls.get(name) ?? {
			isChecking: false,
			calledAgain: false,
			isOwnCall: false,
			checkedMs: -Infinity,
			wokenMs: -Infinity,
			ended: new Set<string>(),
			unread: new Map<string, UnreadSince>(),
		};
		this.wakeUpCalls.delete(name);
		this.wakeUpCalls.set(name, execution);
		const since = this.time.now() - REMEMBERED_MS;
		for (const [oldest, { isChecking, checkedMs }] of this.wakeUpCalls) {
			if (oldest === name || (this.wakeUpCalls.size <= this.most && checkedMs >= since)) break;
			if (!isChecking) this.wakeUpCalls.delete(oldest);
		}
		return execution;
	}
}
