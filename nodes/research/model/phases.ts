import type { Time } from '../../service/http/time';
import { researchStopped } from '../contract/failure';
import { LimitReached } from './budget';

/** Longest sleep: n8n before 2.34 cannot wake one, and a run that has ended leaves no long timer behind. */
const MAX_SLEEP_MS = 1000;

/**
 * The two phases of a run and when each of them ends: at its deadline, or when the execution is stopped.
 * One watch for all calls.
 */
export class Phases {
	private readonly readingEnd = new AbortController();

	private readonly writingEnd = new AbortController();

	private readonly runEnd = new AbortController();

	private readonly stop = () => {
		for (const end of [this.readingEnd, this.writingEnd]) end.abort(researchStopped());
	};

	constructor(
		private readonly clock: Time,
		private readonly deadlines: { readingMs: number; writingMs: number },
		private readonly signal: AbortSignal | undefined,
	) {
		if (signal?.aborted) this.stop();
		else signal?.addEventListener('abort', this.stop, { once: true });
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

	/** Throws when the execution was stopped. */
	throwIfStopped(): void {
		if (this.signal?.aborted) throw researchStopped();
	}

	/** Nothing is watched after this. */
	end(): void {
		this.signal?.removeEventListener('abort', this.stop);
		this.runEnd.abort();
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
			await clock.sleep(Math.max(1, Math.min(MAX_SLEEP_MS, next - now)), this.runEnd.signal);
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

/** Sleeps, in slices, until the time has passed or the signal is aborted: then its reason is thrown. */
export async function pause(clock: Time, ms: number, signal: AbortSignal): Promise<void> {
	const endMs = clock.now() + ms;
	for (let leftMs = ms; leftMs > 0; leftMs = endMs - clock.now()) {
		const slice = Math.min(MAX_SLEEP_MS, leftMs);
		await raceAbort(async () => await clock.sleep(slice, signal), signal);
	}
}
