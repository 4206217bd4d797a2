/** Everything that makes waiting untestable, passed in so that tests run hours in milliseconds. */
export interface Time {
	/** Monotonic milliseconds: deadlines hold when somebody sets the clock. */
	now(): number;
	/** Milliseconds since 1970, only for dates that leave or enter the process. */
	wallClock(): number;
	/**
	 * Resolves after `ms` milliseconds, or early when `wake` is aborted, where n8n can do that (2.34 and
	 * later): it leaves no timer behind. Never rejects.
	 */
	sleep(ms: number, wake?: AbortSignal): Promise<void>;
	/** In [0, 1). */
	random(): number;
}
