import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A lock whose holder has not shown itself for this long belongs to a process that was killed. */
const staleAfterMs = 60_000;
const heartbeatMs = 5_000;

function ageMs(file: string): number | undefined {
	try {
		return Date.now() - statSync(file).mtimeMs;
	} catch {
		return undefined;
	}
}

/** Whether the process that wrote the lock is gone (its number stands first in the file). */
function holderIsGone(file: string): boolean {
	try {
		process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 0);
		return false;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'ESRCH';
	}
}

function take(file: string, token: string): boolean {
	try {
		writeFileSync(file, token, { flag: 'wx' });
		return true;
	} catch {
		return false;
	}
}

/** Removes a stale lock. Renamed first, so that only one of several waiting processes removes it. */
function breakLock(file: string): void {
	const aside = `${file}.${randomUUID()}`;
	try {
		renameSync(file, aside);
		rmSync(aside, { force: true });
	} catch {
		// Another process was faster.
	}
}

/**
 * Runs `work` while holding the lock file `file`, so that two processes never do it at once. Waits
 * up to `timeoutMs` for another holder and calls `onWait` once when it has to. A lock left behind by
 * a killed process is taken over.
 *
 * @throws with the sentence `busy` when the other holder takes longer.
 */
export async function withFolderLock<T>(
	file: string,
	{ timeoutMs, onWait, busy }: { timeoutMs: number; onWait?: () => void; busy: string },
	work: () => Promise<T>,
): Promise<T> {
	const token = `${process.pid} ${randomUUID()}`;
	const deadline = Date.now() + timeoutMs;
	let told = false;
	for (;;) {
		if (take(file, token)) {
			// Whoever broke a stale lock at the same moment may have taken ours: look once more.
			await delay(50);
			if (ageMs(file) !== undefined && readFileSync(file, 'utf8') === token) break;
			continue;
		}
		if (holderIsGone(file) || (ageMs(file) ?? 0) > staleAfterMs) {
			breakLock(file);
			continue;
		}
		if (!told) onWait?.();
		told = true;
		if (Date.now() > deadline) throw new Error(busy);
		await delay(500);
	}
	const heartbeat = setInterval(() => {
		const now = new Date();
		if (ageMs(file) !== undefined) utimesSync(file, now, now);
	}, heartbeatMs);
	try {
		return await work();
	} finally {
		clearInterval(heartbeat);
		rmSync(file, { force: true });
	}
}
