/** Everything that makes waiting untestable, passed in so that tests run hours in milliseconds. */
export interface Time {
	/** Monotonic milliseconds: deadlines hold when somebody sets the clock. */
	now(): number;
	/** Milliseconds since 1970, only for dates that leave or enter the process. */
	wallClock(): number;
	/** Resolves after `ms` milliseconds. Never rejects. */
	sleep(ms: number): Promise<void>;
	/** In [0, 1). */
	random(): number;
}
