import { sleep, sleepPiece } from '../../service/http/time';
import type { Time } from '../../service/http/time';
import { researchStopped } from '../contract/failure';
import { LimitReached } from './budget';

/** Longest wait for answers on their way after a failure. */
const MAX_WAIT_MS = 60_000;

/**
 * The two phases of a run and when each of them ends: at its deadline, or when the execution is stopped.
 * One watch for all calls.
 */
export class Phases {
	private readonly readingEnd = new AbortController();

	private readonly writingEnd = new AbortController();

	private readonly runEnd = new AbortController();

	/** Aborted for calls on their way, whose answers nobody waits for any more. */
	private readonly givenUp = new AbortController();

	private readonly open = new Set<Promise<unknown>>();

	private readonly stop = () => {
		for (const end of [this.readingEnd, this.writingEnd]) end.abort(researchStopped());
	};

	constructor(
		private readonly clock: Time,
		private readonly deadlines: { readingMs: number; writingMs: number },
		private readonly signal: AbortSignal | undefined,
		private readonly ending?: AbortSignal,
	) {
		for (const one of [signal, ending]) {
			if (one?.aborted) this.stop();
			else one?.addEventListener('abort', this.stop, { once: true });
		}
		void this.watch();
	}

	/** Aborted when no more may be read; its reason is what to throw. */
	get reading(): AbortSignal {
		return this.readingEnd.signal;
	}

	/** The same for writing. */
	get writing(): AbortSignal {
		return this.writingEnd.signal;
	}

	/** Throws when the execution was stopped, or ends for another reason. */
	throwIfStopped(): void {
		if (this.signal?.aborted || this.ending?.aborted) throw researchStopped();
	}

	/**
	 * Work that is paid for, under `signal` (see raceAbort). Its own signal is aborted when nobody needs the
	 * answer: after a failure a retry does.
	 */
	async race<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
		const overdue = new AbortController();
		const given = [this.givenUp.signal, overdue.signal, ...(this.signal ? [this.signal] : [])];
		const expire = () => {
			if (signal.reason instanceof LimitReached) overdue.abort();
		};
		signal.addEventListener('abort', expire, { once: true });
		return await raceAbort(async () => {
			const done = work(AbortSignal.any(given));
			this.open.add(done);
			return await done.finally(() => {
				this.open.delete(done);
				signal.removeEventListener('abort', expire);
			});
		}, signal);
	}

	/**
	 * To be called after a failure, before it is told: waits for what is on its way, so that its answer is
	 * noted and a retry does not pay for it again. A stopped execution waits for nothing.
	 */
	async settled(): Promise<void> {
		this.stop();
		const { clock, signal } = this;
		if (this.open.size > 0 && !signal?.aborted) {
			const over = new AbortController();
			const end = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
			const answers = Promise.allSettled(this.open).finally(() => over.abort());
			await sleep(clock, MAX_WAIT_MS, end);
			if (!signal?.aborted && over.signal.aborted) await answers;
		}
	}

	/** Nothing is watched after this. */
	end(): void {
		for (const one of [this.signal, this.ending]) one?.removeEventListener('abort', this.stop);
		this.runEnd.abort();
		this.givenUp.abort();
		// After a failure, what still waits for its turn is not begun.
		this.stop();
	}

	private async watch(): Promise<void> {
		const { clock, deadlines } = this;
		const over = [this.runEnd.signal, this.writing];
		while (!over.some(({ aborted }) => aborted)) {
			const now = clock.now();
			if (now >= deadlines.readingMs) this.readingEnd.abort(new LimitReached('time'));
			if (now >= deadlines.writingMs) this.writingEnd.abort(new LimitReached('time'));
			const next = this.reading.aborted ? deadlines.writingMs : deadlines.readingMs;
			if (now >= deadlines.writingMs) return;
			await sleepPiece(clock, next - now, this.runEnd.signal);
		}
	}
}

/**
 * The result of some work, or the reason of the signal as soon as that is aborted: work that does not
 * listen to a signal, as LangChain's, is no longer waited for. Nothing is begun under an aborted signal.
 */
export async function raceAbort<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
	signal.throwIfAborted();
	return await new Promise<T>((resolve, reject) => {
		const abort = () => {
			const reason: unknown = signal.reason;
			reject(reason instanceof Error ? reason : researchStopped());
		};
		signal.addEventListener('abort', abort, { once: true });
		work()
			.then(resolve, reject)
			.finally(() => signal.removeEventListener('abort', abort));
	});
}
