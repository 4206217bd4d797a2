/** The middle of the numbers, or the mean of the two in the middle. Throws when there are none. */
export function median(numbers: readonly number[]): number {
	const sorted = [...numbers].sort((left, right) => left - right);
	const half = sorted.length / 2;
	const below = sorted[Math.ceil(half) - 1];
	const above = sorted[Math.floor(half)];
	if (below === undefined || above === undefined) throw new Error('There is no median of nothing.');
	return (below + above) / 2;
}

/** The arithmetic mean; NaN of nothing. */
export function mean(numbers: readonly number[]): number {
	return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** CPU time of this process until now, all threads, user and system, in milliseconds. */
export function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** Collects what nobody holds, so that one round does not pay for another. Needs `--expose-gc`. */
export function collectGarbage(): void {
	globalThis.gc?.();
	globalThis.gc?.();
}

/** Collects what is new and nobody holds: a matter of milliseconds. Needs `--expose-gc`. */
export function collectNewGarbage(): void {
	globalThis.gc?.({ type: 'minor', execution: 'sync' });
}
