import type { UnreadSince } from '../results/unreadJobs';

/** At most one look a second, so 60 a minute, whoever calls and how often. */
const BETWEEN_LOOKS_MS = 1000;
/** So long after its end no call wakes an execution again: n8n may still list it as waiting. */
const AWAKE_MS = 10_000;
/** Executions that one process remembers; the one that was called longest ago goes first. */
const MOST_BELLS = 10_000;
/**
 * So long after its latest look an execution is remembered: nobody tells when one was stopped. If it waits all
 * the same, the next call looks at all of its jobs.
 */
const REMEMBERED_MS = 24 * 3_600_000;

/**
 * What one call comes to: it wakes the execution, leaves it waiting, or has nothing to do, because another
 * call is at it or has woken it.
 */
export type Ring = 'wake' | 'wait' | 'heard';

/** A clock in milliseconds, and a sleep by it. */
export interface BellTime {
	now(): number;
	sleep(ms: number): Promise<void>;
}

interface Bell {
	isRinging: boolean;
	/** Another call has come since the look began: it may know of what that look could not see. */
	rangAgain: boolean;
	/** True while all calls of this ringing can wait for another one where a job cannot be looked at. */
	isOwnCall: boolean;
	/** When the latest look began, and when the execution was woken. */
	lookedMs: number;
	wokenMs: number;
	/** Ids of jobs that have ended: they need no further look. */
	ended: Set<string>;
	/** Since when jobs cannot be read, by id. */
	unread: Map<string, UnreadSince>;
}

/**
 * The calls of jobs that have ended, by the execution that waits for them. A call is only a bell: it says that
 * it is worth looking. Calls at the same moment make one look, one that comes during a look makes one more
 * after it, and one of them alone wakes the execution.
 */
export class Bells {
	private readonly bells = new Map<string, Bell>();

	constructor(
		private readonly time: BellTime,
		private readonly most = MOST_BELLS,
	) {}

	/**
	 * `look` tells whether all jobs have ended; it notes in `ended` those it need not look at again, and in
	 * `unread` since when it cannot read others. Throws
	 * what it throws: then the next call looks again. A call that is not patient makes the look at work so, too:
	 * it may be the last of its kind.
	 */
	async ring(
		name: string,
		look: (
			ended: Set<string>,
			isOwnCall: () => boolean,
			unread: Map<string, UnreadSince>,
		) => Promise<boolean>,
		isOwnCall = false,
	): Promise<Ring> {
		const { time } = this;
		const bell = this.resumeCallOf(name);
		if (bell.isRinging || time.now() < bell.wokenMs + AWAKE_MS) {
			bell.rangAgain = true;
			bell.isOwnCall &&= isOwnCall;
			return 'heard';
		}
		bell.isRinging = true;
		bell.isOwnCall = isOwnCall;
		try {
			do {
				const earlyMs = bell.lookedMs + BETWEEN_LOOKS_MS - time.now();
				if (earlyMs > 0) await time.sleep(earlyMs);
				bell.rangAgain = false;
				bell.lookedMs = time.now();
				if (await look(bell.ended, () => bell.isOwnCall, bell.unread)) {
					bell.wokenMs = time.now();
					bell.ended.clear();
					return 'wake';
				}
			} while (bell.rangAgain);
			return 'wait';
		} finally {
			bell.isRinging = false;
		}
	}

	private resumeCallOf(name: string): Bell {
		const bell = this.bells.get(name) ?? {
			isRinging: false,
			rangAgain: false,
			isOwnCall: false,
			lookedMs: -Infinity,
			wokenMs: -Infinity,
			ended: new Set<string>(),
			unread: new Map<string, UnreadSince>(),
		};
		this.bells.delete(name);
		this.bells.set(name, bell);
		const since = this.time.now() - REMEMBERED_MS;
		for (const [oldest, { isRinging, lookedMs }] of this.bells) {
			if (oldest === name || (this.bells.size <= this.most && lookedMs >= since)) break;
			if (!isRinging) this.bells.delete(oldest);
		}
		return bell;
	}
}
