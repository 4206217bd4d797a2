import type { Time } from '../http/time';

/** Adds up the time in which at least one thing was held back by a rate limit, in milliseconds. */
export class ThrottleMeter {
	private readonly held = new Set<object>();

	private sinceMs = 0;

	private totalMs = 0;

	constructor(private readonly time: Time) {}

	hold(holder: object): void {
		if (this.held.size === 0) this.sinceMs = this.time.now();
		this.held.add(holder);
	}

	release(holder: object): void {
		if (!this.held.delete(holder) || this.held.size > 0) return;
		this.totalMs += this.time.now() - this.sinceMs;
	}

	/** Whole seconds so far. */
	get seconds(): number {
		const running = this.held.size > 0 ? this.time.now() - this.sinceMs : 0;
		return Math.round((this.totalMs + running) / 1000);
	}
}
