import { research } from '../../../../nodes/research/research';
import { VirtualTime } from '../../virtualTime.ts';
import { MemoryNotes, QUESTION } from '../world.ts';
import { tokensOf, replyTo } from '../../../../sandbox/model/chat.ts';
import type { Reply } from '../../../../sandbox/model/chat.ts';
import { termsOf } from '../../../../sandbox/text/rankSentences.ts';
import type { ResearchParts } from '../../../../nodes/research/contract/parts';
import type { ResearchResult } from '../../../../nodes/research/contract/result';
import type { MadePage } from './pages.ts';

/** How long the calls take: a page has a length of its own. */
export const MODEL_MS = 2000;
export const SEARCH_MS = 1000;
export const MODEL_CALLS_AT_ONCE = 5;
/** As the node asks for. */
const RESULTS = 10;

/** A call that was sent to the model or to the service. */
export interface Call {
	kind: 'search' | 'page' | 'read back' | 'model';
	/** The same for the same call: random marks are left out. */
	key: string;
	role?: 'main' | 'reading';
	/** What was sent, in tokens. */
	tokens: number;
	beganMs: number;
	isAnswered: boolean;
	/** It costs nothing then. */
	hasFailed: boolean;
}

/** Changes what the model says; `user` is what it was sent. */
export type Spoil = (reply: string, user: string, count: number) => string;

/** The pages of one question, a search over them and the sandbox's model, on a clock that jumps. */
export class MadeWorld {
	readonly clock = new VirtualTime(11, 200_000);

	readonly calls: Call[] = [];

	/** Called before each call but a reading back; what never settles is a process that is gone. */
	beforeCall: () => Promise<void> = async () => await Promise.resolve();

	private readonly byUrl: Map<string, MadePage>;

	private readonly words: Map<MadePage, Words>;

	private readonly spoil: Spoil;

	readonly notes: MemoryNotes;

	private modelCalls = 0;

	constructor(pages: readonly MadePage[], notes: MemoryNotes = new MemoryNotes(), spoil: Spoil = (reply) => reply) {
		this.byUrl = new Map(pages.map((page) => [page.url, page]));
		this.words = new Map(pages.map((page) => [page, wordsOf(page)]));
		this.notes = notes;
		this.spoil = spoil;
	}

	/** The texts of the pages, by address. */
	get texts(): Map<string, string> {
		return new Map([...this.byUrl].map(([url, { markdown }]) => [url, markdown]));
	}

	/** Researches with the defaults of the node. */
	async run(query: string, change: { maxRounds?: number } = {}): Promise<ResearchResult> {
		return await this.clock.until(this.begin(query, change));
	}

	/** The same without letting the clock run. */
	async begin(query: string, change: { maxRounds?: number } = {}): Promise<ResearchResult> {
		const question = { ...QUESTION, query, maxRounds: 3, concurrentModelCalls: MODEL_CALLS_AT_ONCE, ...change };
		return await research(question, this.parts());
	}

	private parts(): ResearchParts {
		return {
			clock: this.clock,
			notes: this.notes,
			search: async (query) => await this.call({ kind: 'search', key: query }, SEARCH_MS, () => this.search(query)),
			scrape: async (url) => {
				const made = this.byUrl.get(url);
				return await this.call({ kind: 'page', key: url }, made?.lengthMs ?? 1000, () => this.page(url, 1));
			},
			readBack: async (_id, url) => await this.call({ kind: 'read back', key: url }, 100, () => this.page(url, 0)),
			ask: async ({ role, system, user }) => {
				const key = `${system.slice(0, 60)}|${user.replace(/=====\w+=====/g, '')}`;
				const tokens = tokensOf(system + user);
				return await this.call({ kind: 'model', key, role, tokens }, MODEL_MS, () => {
					const content = this.reply(system, user);
					return { content, inputTokens: tokens, outputTokens: tokensOf(content) };
				});
			},
		};
	}

	private async call<T>(
		what: Pick<Call, 'kind' | 'key'> & Partial<Call>,
		lengthMs: number,
		answer: () => T,
	): Promise<T> {
		await this.beforeCall();
		const call = {
			tokens: 0,
			...what,
			beganMs: this.clock.now(),
			isAnswered: false,
			hasFailed: false,
		};
		this.calls.push(call);
		await this.clock.sleep(lengthMs);
		call.hasFailed = true;
		const answered = answer();
		call.hasFailed = false;
		call.isAnswered = true;
		return answered;
	}

	private reply(system: string, user: string): string {
		this.modelCalls += 1;
		const messages = [
			{ role: 'system' as const, content: system },
			{ role: 'user' as const, content: user },
		];
		const { content }: Reply = replyTo({ model: 'sandbox', messages }, () => 'none');
		return this.spoil(typeof content === 'string' ? content : '', user, this.modelCalls);
	}

	private search(query: string) {
		const wanted = termsOf(query);
		const scored = [...this.words].map(([page, { title, text }]) => {
			const inTitle = wanted.filter((word) => title.has(word)).length;
			const inText = wanted.filter((word) => text.has(word)).length;
			return { page, score: 3 * inTitle + inText };
		});
		const best = scored
			.filter(({ score }) => score > 0)
			.sort((left, right) => right.score - left.score)
			.slice(0, RESULTS);
		const results = best.map(({ page: { url, title, description } }) => ({
			url,
			title,
			description,
		}));
		return { results, creditsUsed: 2 };
	}

	private page(url: string, creditsUsed: number) {
		const page = this.byUrl.get(url);
		if (!page || page.isUnreachable) throw new Error('The site could not be reached.');
		const { title, description, markdown } = page;
		return { id: `id ${url}`, url, title, description, markdown, creditsUsed };
	}
}

interface Words {
	title: Set<string>;
	text: Set<string>;
}

/** Kept, since the same pages are searched in many runs. */
const knownWords = new WeakMap<MadePage, Words>();

function wordsOf(page: MadePage): Words {
	const { title, description, markdown } = page;
	const words = knownWords.get(page) ?? {
		title: new Set(termsOf(`${title} ${description}`)),
		text: new Set(termsOf(markdown)),
	};
	knownWords.set(page, words);
	return words;
}
