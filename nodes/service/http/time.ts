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

/** Lets others in the process have their turn. */
export type Pause = () => Promise<void>;

/** Longest sleep in one piece, in milliseconds: Stop must end a wait within 1 s, and no long timer may be left. */
export const MAX_SLEEP_MS = 500;

/**
 * Sleeps for so long, or until `wake` is aborted: in pieces, and woken by itself where n8n's sleep takes no
 * signal (docs/reference/n8n-internals.md#sleep). Never rejects.
 */
export async function sleep(time: Pick<Time, 'now' | 'sleep'>, ms: number, wake?: AbortSignal): Promise<void> {
	const endMs = time.now() + ms;
	for (let leftMs = ms; leftMs > 0 && !wake?.aborted; leftMs = endMs - time.now()) {
		await sleepPiece(time, leftMs, wake);
	}
}

/** The same, but at most MAX_SLEEP_MS and at least 1 ms: for loops that look at more than a clock. */
export async function sleepPiece(time: Pick<Time, 'sleep'>, ms: number, wake?: AbortSignal): Promise<void> {
	const pieceMs = Math.max(1, Math.min(MAX_SLEEP_MS, ms));
	if (!wake) return await time.sleep(pieceMs);
	if (wake.aborted) return;
	await new Promise<void>((resolve) => {
		const end = () => {
			wake.removeEventListener('abort', end);
			resolve();
		};
		wake.addEventListener('abort', end);
		void time.sleep(pieceMs, wake).then(end);
	});
}

/** The end of a piece of sleep that begins now: all that sleep in pieces wake together. */
export function endOfPiece(nowMs: number): number {
	return (Math.floor(nowMs / MAX_SLEEP_MS) + 1) * MAX_SLEEP_MS;
}

/**
 * The sleeps of one execution on one timer: a thousand jobs that wait leave one behind, and that in pieces (see
 * MAX_SLEEP_MS).
 */
export class Sleeps {
	/** The functions that end each, and the time when it is over, monotonic. */
	private readonly sleepers = new Map<() => void, number>();

	private ringsAtMs = Infinity;

	/** Aborted when the timer is of no use any more: somebody wakes earlier, or nobody sleeps. */
	private changed = new AbortController();

	private isRunning = false;

	constructor(private readonly time: Pick<Time, 'now' | 'sleep'>) {}

	/** Until this monotonic time, or until one of these is aborted. Never rejects. */
	async until(atMs: number, ...wakes: AbortSignal[]): Promise<void> {
		if (this.time.now() >= atMs || wakes.some(({ aborted }) => aborted)) return;
		await new Promise<void>((resolve) => {
			const wake = () => {
				this.sleepers.delete(wake);
				for (const one of wakes) one.removeEventListener('abort', wake);
				if (this.sleepers.size === 0) this.changed.abort('nobody sleeps');
				resolve();
			};
			for (const one of wakes) one.addEventListener('abort', wake);
			this.sleepers.set(wake, atMs);
			if (atMs < this.ringsAtMs) this.changed.abort('earlier');
			if (!this.isRunning) void this.run();
		});
	}

	private async run(): Promise<void> {
		this.isRunning = true;
		while (this.sleepers.size > 0) {
			this.changed = new AbortController();
			this.ringsAtMs = [...this.sleepers.values()].reduce((first, one) => Math.min(first, one));
			const beganMs = this.time.now();
			const endMs = Math.min(this.ringsAtMs, endOfPiece(beganMs));
			await sleepPiece(this.time, endMs - beganMs, this.changed.signal);
			const nowMs = this.time.now();
			for (const [wake, atMs] of [...this.sleepers]) if (nowMs >= atMs) wake();
		}
		this.ringsAtMs = Infinity;
		this.isRunning = false;
	}
}

/** The result of the work; undefined where `signal` is aborted first. Rejects as the work does by then. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
	let end: () => void = () => undefined;
	const aborted = new Promise<undefined>((resolve) => {
		end = () => resolve(undefined);
		signal.addEventListener('abort', end);
		if (signal.aborted) end();
	});
	return await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', end));
}

/** Waits for the work, but at most for so long: true when it has ended by then. Rejects as the work does by then. */
export async function waitAtMost(
	time: Pick<Time, 'now' | 'sleep'>,
	ms: number,
	work: Promise<unknown>,
): Promise<boolean> {
	const isOver = new AbortController();
	try {
		return await Promise.race([work.then(() => true), sleep(time, ms, isOver.signal).then(() => false)]);
	} finally {
		isOver.abort('over');
	}
}
