import type { Time } from '../../nodes/service/http/time';
import { seededRandom } from '../../sandbox/runtime/runtime.ts';

interface Alarm {
	dueMs: number;
	order: number;
	/** Undefined when it was called off. */
	ring: (() => void) | undefined;
}

const LONGEST_RUN_MS = 60 * 24 * 3600_000;

/**
 * A clock that jumps to the next alarm as soon as nothing else can happen, so that hours pass in
 * milliseconds and always in the same order.
 */
export class VirtualTime implements Time {
	readonly random: () => number;

	/** What somebody has set the wall clock to, against the monotonic one. */
	wallClockOffsetMs = Date.UTC(2026, 0, 1);

	private nowMs = 0;

	private given = 0;

	/** A binary heap, the next alarm first. */
	private readonly alarms: Alarm[] = [];

	/** How many alarms are to ring. */
	pending = 0;

	/**
	 * `mostAlarms`: what has rung so often goes in a circle, and is ended by count, not by a clock. Some
	 * thousand are usual; a thousand jobs take more. `settled` resolves when nothing can happen any more
	 * without time.
	 */
	constructor(
		seed = 1,
		private readonly mostAlarms = 20_000,
		private readonly settled: () => Promise<void> = everythingElse,
	) {
		this.random = seededRandom(seed);
	}

	now(): number {
		return this.nowMs;
	}

	wallClock(): number {
		return this.nowMs + this.wallClockOffsetMs;
	}

	async sleep(ms: number, wake?: AbortSignal): Promise<void> {
		if (wake?.aborted) return;
		await new Promise<void>((resolve) => {
			const end = () => {
				wake?.removeEventListener('abort', end);
				resolve();
			};
			this.at(this.nowMs + ms, end);
			wake?.addEventListener('abort', end);
		});
	}

	/** Does something at a time, which is not before now. What is returned calls it off. */
	at(dueMs: number, ring: () => void): () => void {
		const { alarms } = this;
		const alarm: Alarm = { dueMs: Math.max(dueMs, this.nowMs), order: this.given++, ring };
		this.pending += 1;
		let place = alarms.push(alarm) - 1;
		while (place > 0) {
			const above = (place - 1) >> 1;
			const other = alarms[above];
			if (!other || isBefore(other, alarm)) break;
			alarms[place] = other;
			place = above;
		}
		alarms[place] = alarm;
		return () => {
			if (alarm.ring) this.pending -= 1;
			alarm.ring = undefined;
		};
	}

	/** Lets time run until the promise settles. Throws when that can never happen. */
	async until<T>(promise: Promise<T>): Promise<T> {
		let isSettled = false;
		const settle = () => (isSettled = true);
		promise.then(settle, settle);
		for (let rung = 0; ; rung += 1) {
			await this.settled();
			// Some promises settle some turns later: where a deadline rings last, that is no standstill.
			for (let turn = 0; turn < 3 && !isSettled && this.alarms.length === 0; turn += 1) await this.settled();
			if (isSettled) return await promise;
			if (rung > this.mostAlarms) throw new Error('It goes in a circle');
			if (this.alarms.length === 0) throw new Error('It hangs: nobody waits for a time');
			if (this.nowMs > LONGEST_RUN_MS) throw new Error('It does not end within a month');
			this.ringNext();
		}
	}

	/** Lets a span of time pass. */
	async pass(ms: number): Promise<void> {
		await this.until(this.sleep(ms));
		await this.settled();
	}

	/** Rings every alarm of the next point in time. */
	private ringNext(): void {
		while (this.alarms[0] && !this.alarms[0].ring) this.takeFirst();
		const [first] = this.alarms;
		if (!first) return;
		this.nowMs = first.dueMs;
		while (this.alarms[0]?.dueMs === this.nowMs) this.ring(this.takeFirst());
	}

	private ring(alarm: Alarm | undefined): void {
		if (!alarm?.ring) return;
		const { ring } = alarm;
		alarm.ring = undefined;
		this.pending -= 1;
		ring();
	}

	private takeFirst(): Alarm | undefined {
		const { alarms } = this;
		const first = alarms[0];
		const last = alarms.pop();
		if (!last || last === first) return first;
		let place = 0;
		for (;;) {
			const [left, right] = [2 * place + 1, 2 * place + 2];
			const leftAlarm = alarms[left];
			const rightAlarm = alarms[right];
			const below = leftAlarm && rightAlarm && isBefore(rightAlarm, leftAlarm) ? right : left;
			const other = alarms[below];
			if (!other || isBefore(last, other)) break;
			alarms[place] = other;
			place = below;
		}
		alarms[place] = last;
		return first;
	}
}

function isBefore(left: Alarm, right: Alarm): boolean {
	return left.dueMs === right.dueMs ? left.order < right.order : left.dueMs < right.dueMs;
}

/** Resolves when all promises that could settle have settled. */
async function everythingElse(): Promise<void> {
	await new Promise<void>((resolve) => setImmediate(resolve));
}
