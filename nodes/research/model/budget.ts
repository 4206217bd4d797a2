import { sleep, sleepPiece } from '../../service/http/time';
import type { Time } from '../../service/http/time';
import { researchStopped } from '../contract';
import type { EndedBy, ResearchNotes, ResearchQuestion, ResearchUsage } from '../contract';
import { isRecord } from './answers';

/** The share of time and tokens that is kept for writing. */
const WRITING_SHARE = 0.2;

/** With fewer tokens, the model reads no page: none is paid for. */
const MIN_READING_TOKENS = 1500;

/** The step under which the notes hold what was spent. */
const STEP = 'usage';

/** A limit was reached: reading ends, and what was found is written down. */
export class LimitReached extends Error {
	constructor(readonly limit: EndedBy) {
		super(`Limit reached: ${limit}`);
		this.name = 'LimitReached';
	}
}

/** About how many tokens a text has: a token is about four bytes, in scripts of one byte and of three. */
export function estimateTokens(text: string): number {
	return Math.ceil(Buffer.byteLength(text) / 4);
}

/**
 * The same as an upper bound, for what is set aside: a figure or a sign may be a token by itself. Models differ, so it
 * is corrected by what the model has counted (Budget.expectedTokens).
 */
function mostTokens(text: string): number {
	const alone = text.match(/[\p{Nd}\p{S}]|\p{P}+/gu) ?? [];
	const bytes = Buffer.byteLength(text) - alone.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
	return Math.ceil(bytes / 4) + alone.length;
}

/** How far a model's count is believed to differ from mostTokens. */
const LEAST_RATIO = 0.25;
const MOST_RATIO = 4;

interface Spent {
	modelCalls: number;
	inputTokens: number;
	outputTokens: number;
	creditsUsed: number;
	/** Time that earlier tries took. */
	elapsedMs: number;
}

const SPENT_FIELDS = ['modelCalls', 'inputTokens', 'outputTokens', 'creditsUsed', 'elapsedMs'] as const;

/**
 * What a run may spend and has spent, its earlier tries included. What is on its way counts with the most
 * that it can cost.
 */
export class Budget {
	private readonly spent: Spent;

	private tokensOnTheWay = 0;

	/** What the model has counted of texts, against their upper bound. */
	private readonly counts = { counted: 0, expected: 0 };

	/** The longest answer so far, in tokens. */
	private longestAnswer = 0;

	private creditsOnTheWay = 0;

	/** Of calls that failed and may have been paid for all the same. */
	private creditsInDoubt = 0;

	private readonly waiting: Array<() => void> = [];

	private readonly beganMs: number;

	constructor(
		private readonly question: ResearchQuestion,
		private readonly notes: ResearchNotes,
		private readonly now: () => number,
	) {
		const noted = notes.read(STEP);
		const read = (field: (typeof SPENT_FIELDS)[number]) => {
			const value = isRecord(noted) ? noted[field] : undefined;
			return typeof value === 'number' && value > 0 ? value : 0;
		};
		const entries = SPENT_FIELDS.map((field) => [field, read(field)]);
		this.spent = Object.fromEntries(entries) as unknown as Spent;
		this.beganMs = now();
	}

	private get elapsedMs(): number {
		return this.spent.elapsedMs + this.now() - this.beganMs;
	}

	/** When reading must end, and when everything must. A retry always has the time for writing. */
	get deadlines(): { readingMs: number; writingMs: number } {
		const { timeLimitMs } = this.question;
		const readingShare = timeLimitMs * (1 - WRITING_SHARE);
		const usedMs = Math.min(this.spent.elapsedMs, readingShare);
		return {
			readingMs: this.beganMs + readingShare - usedMs,
			writingMs: this.beganMs + timeLimitMs - usedMs,
		};
	}

	/** How many tokens are left, those for writing included or not. */
	tokensLeft(isWriting: boolean): number {
		const { maxTokens } = this.question;
		if (maxTokens === undefined) return Infinity;
		const limit = isWriting ? maxTokens : maxTokens * (1 - WRITING_SHARE);
		const { inputTokens, outputTokens } = this.spent;
		return limit - inputTokens - outputTokens - this.tokensOnTheWay;
	}

	/** Tokens that reading has not spent, calls on their way not counted; Infinity without a limit. */
	get tokensUnspent(): number {
		return this.tokensLeft(false) + this.tokensOnTheWay;
	}

	/** How many tokens a text takes at most, by what the model has counted so far. */
	expectedTokens(text: string): number {
		const { counted, expected } = this.counts;
		const ratio = expected === 0 ? 1 : Math.min(MOST_RATIO, Math.max(LEAST_RATIO, counted / expected));
		return Math.ceil(mostTokens(text) * ratio);
	}

	/** What an answer may take: as much as the longest so far, and at least `least`. */
	expectedAnswer(least: number): number {
		return Math.max(least, this.longestAnswer);
	}

	/** The model has counted the tokens of a text; undefined where it does not count. */
	learn(text: string, inputTokens: unknown, outputTokens: number): void {
		this.longestAnswer = Math.max(this.longestAnswer, outputTokens);
		if (typeof inputTokens !== 'number' || !(inputTokens > 0) || !Number.isFinite(inputTokens)) return;
		this.counts.counted += inputTokens;
		this.counts.expected += mostTokens(text);
	}

	/** Sets tokens aside for a call. Throws LimitReached. */
	reserveTokens(tokens: number, isWriting: boolean): void {
		if (this.tokensLeft(isWriting) < tokens) throw new LimitReached('tokens');
		this.tokensOnTheWay += tokens;
	}

	/** A call of the model has ended; without usage when it was not answered. */
	settleTokens(reserved: number, usage?: { input: number; output: number }): void {
		this.tokensOnTheWay -= reserved;
		if (!usage) return;
		this.spent.modelCalls += 1;
		this.spent.inputTokens += usage.input;
		this.spent.outputTokens += usage.output;
		this.note();
	}

	/**
	 * Sets credits aside for a search or a page: at least and at most so many, as far as they are left and
	 * `kept` stay for what comes next. Waits while
	 * calls on their way may still give some back. Throws LimitReached.
	 */
	async reserveCredits(least: number, most = least, kept = 0): Promise<number> {
		for (;;) {
			if (this.tokensLeft(false) < MIN_READING_TOKENS) throw new LimitReached('tokens');
			const left = this.creditsLeft - this.creditsOnTheWay - kept;
			if (left >= least) {
				const reserved = Math.min(most, left);
				this.creditsOnTheWay += reserved;
				return reserved;
			}
			if (this.creditsLeft - kept < least || this.creditsOnTheWay === 0) throw new LimitReached('credits');
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		}
	}

	private get creditsLeft(): number {
		return (this.question.maxCredits ?? Infinity) - this.spent.creditsUsed - this.creditsInDoubt;
	}

	/** A search or a page has ended, and cost so much. */
	settleCredits(reserved: number, used: number): void {
		this.spent.creditsUsed += Number.isFinite(used) ? Math.max(0, used) : reserved;
		this.release(reserved);
		this.note();
	}

	/**
	 * A search or a page has failed. Unless the service refused it, or was never reached, it may have been
	 * paid for: then it counts with the most that it can cost.
	 */
	failCredits(reserved: number, error: unknown): void {
		const isRefused = isRecord(error) && (typeof error.httpCode === 'number' || error.reached === 'no');
		if (!isRefused) this.creditsInDoubt += reserved;
		this.release(reserved);
	}

	private release(reserved: number): void {
		this.creditsOnTheWay -= reserved;
		for (const resume of this.waiting.splice(0)) resume();
	}

	/** What was spent so far; searches and pages on their way count with the most that they can cost. */
	usage(): ResearchUsage {
		const { modelCalls, inputTokens, outputTokens } = this.spent;
		const creditsUsed = this.spent.creditsUsed + this.creditsInDoubt + this.creditsOnTheWay;
		const seconds = Math.round(this.elapsedMs / 100) / 10;
		return { modelCalls, inputTokens, outputTokens, creditsUsed, seconds };
	}

	private note(): void {
		this.notes.write(STEP, { ...this.spent, elapsedMs: Math.round(this.elapsedMs) });
	}
}

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
async function raceAbort<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
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
