/**
 * Whether anything moves for one credential, whichever execution it belongs to. What waits for its turn
 * gives up only after nothing has moved for long. Times are monotonic milliseconds.
 */
export class Progress {
	private lastMs = -Infinity;

	private watched = 0;

	/** A start was accepted, a job has ended, a call was answered. */
	moved(nowMs: number): void {
		this.lastMs = nowMs;
	}

	/** A running job is watched from now on: it ends one day, so waiting for its place is no standstill. */
	watchBegan(): void {
		this.watched += 1;
	}

	/** To be called once for each watch that began, however it ends. */
	watchEnded(nowMs: number): void {
		this.watched -= 1;
		this.moved(nowMs);
	}

	/** Since when nothing has moved for somebody who waits since `sinceMs`. */
	lastActivityMs(sinceMs: number, nowMs: number): number {
		return this.watched > 0 ? nowMs : Math.max(sinceMs, this.lastMs);
	}
}
