import { lock } from 'proper-lockfile';

/** A lock whose holder has not shown itself for this long belongs to a process that was killed. */
const staleMs = 10_000;
const lookEveryMs = 500;

/**
 * Runs `work` while holding the lock `<folder>.lock`, so that two processes never do it at once. Waits
 * up to `timeoutMs` for another holder and calls `onWait` once when it has to. A lock left behind by
 * a killed process is taken over after 10 s.
 *
 * @throws with the sentence `busy` when the other holder takes longer.
 */
export async function withFolderLock<T>(
	folder: string,
	{ timeoutMs, onWait, busy }: { timeoutMs: number; onWait?: () => void; busy: string },
	work: () => Promise<T>,
): Promise<T> {
	const take = async (tries: number) =>
		await lock(folder, {
			realpath: false,
			stale: staleMs,
			retries: { retries: tries, factor: 1, minTimeout: lookEveryMs, maxTimeout: lookEveryMs },
		});
	const release = await take(0).catch(async (error: unknown) => {
		if (!isHeld(error)) throw error;
		onWait?.();
		return await take(Math.ceil(timeoutMs / lookEveryMs)).catch((last: unknown) => {
			throw isHeld(last) ? new Error(busy) : last;
		});
	});
	try {
		return await work();
	} finally {
		await release();
	}
}

function isHeld(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ELOCKED';
}
