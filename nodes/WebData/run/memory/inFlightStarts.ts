/** By the book of jobs of an execution: what is being started in this moment, and when that is over. */
const underWay = new WeakMap<object, Map<string, Promise<void>>>();

/**
 * Lets calls of one execution that ask for the same in the same moment, as an AI agent's may, start it one
 * after the other: the second finds the job of the first in the book. All calls are in one process, since
 * they share the execution's data.
 */
export class InFlightStarts {
	/** What this call is starting, and how it reports the end of the start. */
	private readonly own = new Map<string, () => void>();

	/** What other calls were starting when this one began. */
	private readonly waitedFor = new Set<string>();

	constructor(private readonly book: object) {}

	/**
	 * Waits until nobody else is starting one of these, by the names of what they ask for, and takes them.
	 * `orStopped` ends from time to time, and throws when the execution was stopped.
	 */
	async take(names: readonly string[], orStopped: () => Promise<void>): Promise<void> {
		const others = underWay.get(this.book) ?? new Map<string, Promise<void>>();
		underWay.set(this.book, others);
		for (;;) {
			const busy = names.filter((name) => others.has(name));
			if (busy.length === 0) break;
			for (const name of busy) this.waitedFor.add(name);
			await Promise.race([...busy.map((name) => others.get(name)), orStopped()]);
		}
		for (const name of new Set(names)) {
			const over = new Promise<void>((resolve) => {
				this.own.set(name, () => {
					others.delete(name);
					resolve();
				});
			});
			others.set(name, over);
		}
	}

	/** True for what another call was starting in the same moment: its answer is as new as one of this call's. */
	hasWaitedFor(name: string): boolean {
		return this.waitedFor.has(name);
	}

	/** Its job is in the book, or it comes to none. Does nothing for what was not taken. */
	release(name: string): void {
		const tell = this.own.get(name);
		this.own.delete(name);
		tell?.();
	}

	releaseAll(): void {
		for (const name of [...this.own.keys()]) this.release(name);
	}
}
