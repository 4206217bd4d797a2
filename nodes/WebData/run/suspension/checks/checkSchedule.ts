import type { Time } from '../../../../service/http/time';
import { verdictOf } from './checkAnswer';
import type { CheckAnswer } from './checkAnswer';
import { afterCall, afterCheck, firstCheckTimes, nextCheckMs } from './checkTimes';
import type { CheckTimes } from './checkTimes';

/** How often the schedule is read, in milliseconds. */
const TICK_MS = 500;
/** Checks at the same moment: each of them makes n8n read an execution from its database. */
const MAX_AT_ONCE = 5;
/** So many calls in a row that nobody answers are more than a connection that broke. */
const SILENCE = 2;
/** Executions that one process checks; the one that was added first goes first, and waits for its call alone. */
const MAX_EXECUTIONS = 10_000;

/** A suspended execution, and what calling it takes. */
export interface CheckTarget {
	/** The secret of this suspension: each has one of its own. */
	secret: string;
	url: string;
	/** Names the execution and the node in a log. */
	where: string;
	/** Monotonic time at which Max Wait has passed. */
	untilMs: number;
}

/** What the schedule needs of the world. */
export interface CheckParts {
	time: Pick<Time, 'now' | 'random'> & { sleep(ms: number): Promise<void> };
	/** Calls the execution, which checks its jobs; throws where nothing answers as n8n does. */
	check(target: CheckTarget): Promise<CheckAnswer>;
	/** Told once for each execution, when n8n does not answer there. */
	onSilence(target: CheckTarget): void;
}

interface Entry {
	target: CheckTarget;
	times: CheckTimes;
	/** n8n has stored the execution, as far as is known. */
	isStored: boolean;
	isUnderWay: boolean;
	/** Calls in a row that n8n has not answered. */
	silences: number;
	isTold: boolean;
}

/**
 * When this process checks the jobs of the executions that it has suspended or whose calls it has received: so
 * a lost call, or one that comes before the status shows the end, costs minutes and not all of Max Wait.
 */
export class CheckSchedule {
	/** By secret. */
	private readonly entries = new Map<string, Entry>();

	/** Checks that were due at the latest tick and have not been started. */
	private due: Entry[] = [];

	private underWay = 0;

	private isTicking = false;

	constructor(private readonly parts: CheckParts) {}

	/** To be called when an execution is suspended. */
	suspended(target: CheckTarget): void {
		this.add(target, 'suspension');
	}

	/** To be called when the service has called an execution and that did not resume it. */
	called(target: CheckTarget): void {
		const entry = this.entries.get(target.secret) ?? this.add(target, 'call');
		entry.times = afterCall(entry.times, this.parts.time.now());
		entry.isStored = true;
	}

	/** To be called when an execution is resumed: it is checked no more. */
	resumed(secret: string): void {
		this.entries.delete(secret);
	}

	private add(target: CheckTarget, cause: 'call' | 'suspension'): Entry {
		const { time } = this.parts;
		const now = { nowMs: time.now(), untilMs: target.untilMs };
		const entry: Entry = {
			target,
			times: firstCheckTimes(cause, now, time.random()),
			isStored: cause === 'call',
			isUnderWay: false,
			silences: 0,
			isTold: false,
		};
		this.entries.set(target.secret, entry);
		for (const [oldest] of this.entries) {
			if (this.entries.size <= MAX_EXECUTIONS) break;
			this.entries.delete(oldest);
		}
		if (!this.isTicking) void this.tick();
		return entry;
	}

	/** Runs while there is something to check. Never throws. */
	private async tick(): Promise<void> {
		this.isTicking = true;
		while (this.entries.size > 0) {
			await this.parts.time.sleep(TICK_MS);
			this.due = this.findDue();
			this.startDue();
		}
		this.isTicking = false;
	}

	/** The executions whose check is due, the longest due first. Forgets those whose Max Wait has passed. */
	private findDue(): Entry[] {
		const nowMs = this.parts.time.now();
		const due: Array<{ entry: Entry; dueMs: number }> = [];
		for (const [secret, entry] of this.entries) {
			if (entry.isUnderWay) continue;
			const dueMs = nextCheckMs(entry.times);
			if (dueMs === undefined || nowMs >= entry.times.untilMs) this.entries.delete(secret);
			else if (dueMs <= nowMs) due.push({ entry, dueMs });
		}
		return due.sort((one, other) => one.dueMs - other.dueMs).map(({ entry }) => entry);
	}

	/** Starts as many of the checks that are due as there is room for. */
	private startDue(): void {
		while (this.underWay < MAX_AT_ONCE) {
			const entry = this.due.shift();
			if (!entry) return;
			if (!entry.isUnderWay && this.isKept(entry)) void this.check(entry);
		}
	}

	private isKept(entry: Entry): boolean {
		return this.entries.get(entry.target.secret) === entry;
	}

	private async check(entry: Entry): Promise<void> {
		const { parts } = this;
		const { target } = entry;
		entry.isUnderWay = true;
		this.underWay += 1;
		const answer = await parts.check(target).catch(() => undefined);
		const verdict = answer ? verdictOf(answer, entry.isStored) : 'stranger';
		entry.isUnderWay = false;
		this.underWay -= 1;
		if (this.isKept(entry)) {
			if (verdict === 'over') this.entries.delete(target.secret);
			if (verdict === 'running' || verdict === 'unread') entry.isStored = true;
			const checked = { nowMs: parts.time.now(), wasSeen: verdict === 'running' };
			entry.times = afterCheck(entry.times, checked, parts.time.random());
			entry.silences = verdict === 'stranger' ? entry.silences + 1 : 0;
			if (entry.silences >= SILENCE && !entry.isTold) {
				entry.isTold = true;
				parts.onSilence(target);
			}
		}
		this.startDue();
	}
}
