import { isRecord } from '../../text/values';
import type { ResearchNotes } from '../contract/parts';
import type { ResearchQuestion } from '../contract/question';
import type { EndedBy, ResearchUsage } from '../contract/result';

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

/** The smallest believed ratio of a model's count to mostTokens. */
const LEAST_RATIO = 0.25;
const MAX_RATIO = 4;

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
 * The limits and the spending of a run, its earlier tries included. What is on its way counts with the most that it
 * can cost.
 */
export class Budget {
	private readonly spent: Spent;

	private tokensOnTheWay = 0;

	/** The model's counts of texts, against their upper bound. */
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

	/** The times at which reading must end, and at which everything must. A retry always has the time for writing. */
	get deadlines(): { readingMs: number; writingMs: number } {
		const { timeLimitMs } = this.question;
		const readingShare = timeLimitMs * (1 - WRITING_SHARE);
		const usedMs = Math.min(this.spent.elapsedMs, readingShare);
		return {
			readingMs: this.beganMs + readingShare - usedMs,
			writingMs: this.beganMs + timeLimitMs - usedMs,
		};
	}

	/** The tokens that are left, those for writing included or not. */
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

	/** The tokens that a text takes at most, by the model's counts so far. */
	expectedTokens(text: string): number {
		const { counted, expected } = this.counts;
		const ratio = expected === 0 ? 1 : Math.min(MAX_RATIO, Math.max(LEAST_RATIO, counted / expected));
		return Math.ceil(mostTokens(text) * ratio);
	}

	/** The tokens that an answer may take: as much as the longest so far, and at least `least`. */
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
		const isRefused = isRecord(error) && (typeof error.httpCode === 'number' || error.mayHaveExecuted === false);
		if (!isRefused) this.creditsInDoubt += reserved;
		this.release(reserved);
	}

	private release(reserved: number): void {
		this.creditsOnTheWay -= reserved;
		for (const resume of this.waiting.splice(0)) resume();
	}

	/** The spending so far; searches and pages without an answer with the most that they can cost. */
	usage(): ResearchUsage {
		const { modelCalls, inputTokens, outputTokens, creditsUsed } = this.spent;
		const creditsInDoubt = this.creditsInDoubt + this.creditsOnTheWay;
		const seconds = Math.round(this.elapsedMs / 100) / 10;
		return { modelCalls, inputTokens, outputTokens, creditsUsed, creditsInDoubt, seconds };
	}

	private note(): void {
		this.notes.write(STEP, { ...this.spent, elapsedMs: Math.round(this.elapsedMs) });
	}
}
