import { LimitReached } from './budget';
import type { Budget } from './budget';

/** About what a page of the usual length takes, until one was read: a piece of it in full. */
const USUAL_TOKENS = 20_000;

/** The tokens of reading a page in proportion to its text: the answers, and their judgement. */
const READING_SHARE = 1.4;

/** A page that was asked for and is not read yet. */
export interface OpenPage {
	tokens: number;
	/** The time when its text came; undefined until then. */
	sinceMs: number | undefined;
}

/**
 * Lets pages in as long as there are tokens and time to read them, by what the pages before took: no page is paid for
 * that could not be read any more. Until the first was read, as many come in as the model can read at once.
 */
export class PageRoom {
	private readonly open = new Set<OpenPage>();

	private readonly waiting: Array<() => void> = [];

	private readonly read = { pages: 0, tokens: 0, ms: 0 };

	constructor(
		private readonly budget: Budget,
		private readonly now: () => number,
		private readonly readsAtOnce: number,
	) {}

	/** Waits for room. Throws LimitReached where there will be none. */
	async enter(): Promise<OpenPage> {
		for (;;) {
			if (this.isTimeUp) throw new LimitReached('time');
			const tokens = this.expectedTokens;
			const held = [...this.open].reduce((sum, page) => sum + page.tokens, 0);
			const isFirst = this.read.pages === 0;
			const hasRoom = this.budget.tokensUnspent - held >= tokens;
			if (hasRoom && !(isFirst && this.open.size >= this.readsAtOnce)) {
				const page: OpenPage = { tokens, sinceMs: undefined };
				this.open.add(page);
				return page;
			}
			if (this.open.size === 0) throw new LimitReached('tokens');
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		}
	}

	/** Its text has come, and is read from now on. */
	begin(page: OpenPage, text: string): void {
		page.sinceMs = this.now();
		page.tokens = this.budget.expectedTokens(text) * READING_SHARE;
	}

	/** The page is read, or is not any more. */
	leave(page: OpenPage): void {
		this.open.delete(page);
		if (page.sinceMs !== undefined) {
			this.read.pages += 1;
			this.read.tokens += page.tokens;
			this.read.ms += this.now() - page.sinceMs;
		}
		for (const resume of this.waiting.splice(0)) resume();
	}

	/** Whether a page that is asked for now would not be read in time. */
	get isTimeUp(): boolean {
		const { pages, ms } = this.read;
		const ages = [...this.open].map(({ sinceMs }) => (sinceMs === undefined ? 0 : this.now() - sinceMs));
		const expectedMs = Math.max(pages === 0 ? 0 : ms / pages, ...ages);
		return expectedMs > 0 && this.now() + expectedMs > this.budget.deadlines.readingMs;
	}

	private get expectedTokens(): number {
		const { pages, tokens } = this.read;
		return pages === 0 ? Math.min(USUAL_TOKENS, this.budget.tokensUnspent / 2) : tokens / pages;
	}
}
