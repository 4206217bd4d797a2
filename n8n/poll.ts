import { setTimeout as delay } from 'node:timers/promises';

/** How long to go on asking, and how often. */
export interface Patience {
	timeoutMs: number;
	intervalMs?: number;
}

/**
 * Asks `probe` again and again until it gives something other than undefined. A probe that throws
 * counts as "not yet"; what it threw last is part of the final error.
 *
 * @throws when nothing came within `timeoutMs`, naming `what` was waited for.
 */
export async function waitFor<T>(
	what: string,
	probe: () => Promise<T | undefined> | T | undefined,
	{ timeoutMs, intervalMs = 250 }: Patience,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	let last: unknown;
	for (;;) {
		try {
			const found = await probe();
			if (found !== undefined) return found;
			last = undefined;
		} catch (error) {
			last = error;
		}
		if (Date.now() + intervalMs > deadline) {
			const cause =
				last === undefined
					? ''
					: ` Last error: ${last instanceof Error ? last.message : String(last)}`;
			throw new Error(`Waited ${Math.round(timeoutMs / 1000)} s in vain for ${what}.${cause}`);
		}
		await delay(intervalMs);
	}
}
