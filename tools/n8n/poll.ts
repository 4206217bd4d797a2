import pWaitFor, { TimeoutError } from 'p-wait-for';

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
	let last: unknown;
	const look = async () => {
		try {
			const found = await probe();
			last = undefined;
			return found !== undefined && pWaitFor.resolveWith(found);
		} catch (error) {
			last = error;
			return false;
		}
	};
	try {
		return await pWaitFor<T>(look, { interval: intervalMs, timeout: timeoutMs });
	} catch (error) {
		if (!(error instanceof TimeoutError)) throw error;
		const reason = last instanceof Error ? last.message : String(last);
		const cause = last === undefined ? '' : ` Last error: ${reason}`;
		throw new Error(`Waited ${Math.round(timeoutMs / 1000)} s in vain for ${what}.${cause}`);
	}
}
