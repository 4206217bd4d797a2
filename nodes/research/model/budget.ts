import type { EndedBy, ResearchUsage } from '../contract/result';
import type { ResearchNotes } from '../contract/parts';
import type { ResearchQuestion } from '../contract/question';
import { isRecord } from './answers';

/** The share of time and tokens that is kept for writing. */
export const WRITING_SHARE = 0.2;

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

interface Spent {
	modelCalls: number;
	inputTokens: number;
	outputTokens: number;
	creditsUsed: number;
	/** Time that earlier tries took. */
	elapsedMs: number;
}

const SPENT_FIELDS = [
	'modelCalls',
	'inputTokens',
	'outputTokens',
	'creditsUsed',
	'elapsedMs',
] as const;

/**
 * What a run may spend and has spent, its earlier tries included. What is on its way counts with the most
 * that it can cost.
 */
export class Budget {
	private readonly spent: Spent;

	private tokensOnTheWay = 0;

	private creditsOnTheWay = 0;

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

	/** Sets credits aside for a search or a page that can still be read. Throws LimitReached. */
	reserveCredits(credits: number): void {
		if (this.tokensLeft(false) < MIN_READING_TOKENS) throw new LimitReached('tokens');
		const { maxCredits } = this.question;
		const used = this.spent.creditsUsed + this.creditsOnTheWay;
		if (maxCredits !== undefined && used + credits > maxCredits) throw new LimitReached('credits');
		this.creditsOnTheWay += credits;
	}

	/** A search or a page has ended, and cost so much. */
	settleCredits(reserved: number, used: number): void {
		this.creditsOnTheWay -= reserved;
		this.spent.creditsUsed += Number.isFinite(used) ? Math.max(0, used) : reserved;
		this.note();
	}

	/**
	 * A search or a page has failed. Unless the service refused it, or was never reached, it may have been
	 * paid for: then it keeps counting with the most that it can cost.
	 */
	failCredits(reserved: number, error: unknown): void {
		if (!isRecord(error)) return;
		if (typeof error.httpCode === 'number' || error.reached === 'no')
			this.creditsOnTheWay -= reserved;
	}

	/** What was spent so far; searches and pages on their way count with the most that they can cost. */
	usage(): ResearchUsage {
		const { modelCalls, inputTokens, outputTokens } = this.spent;
		const creditsUsed = this.spent.creditsUsed + this.creditsOnTheWay;
		const seconds = Math.round(this.elapsedMs / 100) / 10;
		return { modelCalls, inputTokens, outputTokens, creditsUsed, seconds };
	}

	private note(): void {
		this.notes.write(STEP, { ...this.spent, elapsedMs: Math.round(this.elapsedMs) });
	}
}
