import type {
	RowParts,
	ModelAnswer,
	ModelRequest,
	ResearchNotes,
	ResearchParts,
	ScrapedPage,
} from '../../../nodes/research/contract/parts';
import type { ResearchQuestion } from '../../../nodes/research/contract/question';
import type { ResearchResult } from '../../../nodes/research/contract/result';
import { PROMPTS } from '../../../nodes/research/model/prompts';
import { research } from '../../../nodes/research/research';
import { VirtualTime } from '../virtualTime.ts';

const STEPS = [
	'plan',
	'read',
	'readCells',
	'checkText',
	'chooseLinks',
	'chooseResults',
	'repair',
	'judge',
	'compare',
	'gaps',
	'write',
	'lead',
	'json',
	'jsonClaims',
	'fixJson',
] as const;

/** Which step of the research a request belongs to. */
export type Step = (typeof STEPS)[number];

/** By the system text, which is not changed but added to. */
export function stepOf({ system }: ModelRequest): Step {
	const step = STEPS.find((one) => system.startsWith(PROMPTS[one]));
	if (!step) throw new Error(`No step: ${system.slice(0, 40)}`);
	return step;
}

/** What stands between the marks of a request, one text for each pair of marks. */
export function dataIn({ user }: ModelRequest): string[] {
	return [...user.matchAll(/^(=====\w+=====)\n([^]*?)\n\1$/gm)].map(([, , data = '']) => data);
}

export type Answer = string | Error | ModelAnswer;

type Answerer = (request: ModelRequest, count: number) => Answer | Promise<Answer>;

export type Script = Partial<Record<Step, Answerer>>;

/** A question with limits that nothing reaches. */
export const QUESTION: ResearchQuestion = {
	query: 'When was Acme founded and how many people work there?',
	today: '2026-03-02',
	timeZone: 'Europe/Vienna',
	maxRounds: 1,
	timeLimitMs: 300_000,
	maxPages: 20,
	pagesPerSite: 2,
	firstPages: [],
	includeDomains: [],
	excludeDomains: [],
	excludedForPrice: [],
	searchCredits: 2,
	pageCredits: 1,
	leastPageCredits: 1,
	concurrentModelCalls: 5,
	analysisPrompt: '',
	systemPrompt: '',
	wantsReport: true,
	unsupportedClaims: 'leaveOut',
	unprovenValues: 'leaveOut',
	verification: 'support',
};

/** A claim for each sentence of a text. */
export function claimsOf(text: string): Array<{ text: string; quote: string; question: number }> {
	return [...text.matchAll(/[^\n.!?]{12,}[.!?]/g)].map(([found]) => {
		const sentence = found.replace(/^[#\s>*-]+/, '').trim();
		return { text: sentence, quote: sentence, question: 1 };
	});
}

/** The numbers of the claims that a request lists. */
function listedNumbers(request: ModelRequest): number[] {
	const [lines = ''] = dataIn(request);
	return [...lines.matchAll(/^\[(\d+)\]/gm)].map(([, number]) => Number(number));
}

/** So many pages, each of a site of its own, each with a fact of its own. */
export function site(count: number): Record<string, string> {
	return Object.fromEntries(
		Array.from({ length: count }, (_, at) => [
			`https://s${at}.example/`,
			`Acme has ${at + 100} boats in port ${at + 1}.`,
		]),
	);
}

/** Whether a passage has all the words of a statement. */
function holds(statement: string, passage: string): boolean {
	const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	const held = new Set(words(passage));
	// Of a value of JSON its subject and its field stand before it.
	return words(statement.split(' · ').at(-1) ?? '').every((word) => held.has(word));
}

/** Verdicts on the pairs of a request. */
export function verdictsOn(
	request: ModelRequest,
	isSupported: (statement: string, passage: string) => boolean,
): string {
	const pairs = dataIn(request)
		.join('\n')
		.matchAll(/^(\d+)\. (?:Statement|Heading): (.*)(?:\nPage: .*)?\nPassage: (.*)$/gm);
	const verdicts = [...pairs].map(([, pair, statement = '', passage = '']) => ({
		pair: Number(pair),
		verdict: isSupported(statement, passage) ? 'supported' : 'not stated',
	}));
	return JSON.stringify({ verdicts });
}

/** A model that takes each sentence of a page for a claim, and puts all claims into the report. */
const EXTRACTIVE: Record<Step, Answerer> = {
	plan: () =>
		JSON.stringify({
			subQuestions: ['When?', 'How many?'],
			queries: ['acme history', 'acme staff'],
		}),
	read: (request) => JSON.stringify({ claims: claimsOf(dataIn(request)[0] ?? '') }),
	readCells: () => '{"cells": []}',
	checkText: () => '{"found": []}',
	chooseLinks: () => '{"pages": []}',
	chooseResults: () => '{"results": []}',
	repair: () => '{"claims": []}',
	judge: (request) => verdictsOn(request, holds),
	compare: () => '{"compared": []}',
	gaps: (request) => {
		const claims = listedNumbers(request);
		const answered = [1, 2].map((question) => ({ question, claims }));
		return JSON.stringify({ answered, contradictions: [], queries: [] });
	},
	write: (request) =>
		(dataIn(request)[0] ?? '')
			.replace(/^From .*\n/gm, '')
			.replace(/^((?:\[\d+\])+) (.*?)\.?$/gm, '$2 $1.')
			.replaceAll('\n', ' '),
	lead: () => '',
	json: () => '{"json": {"founded": 1990}, "claims": {"founded": [1]}}',
	jsonClaims: () => '{"claims": {}}',
	fixJson: () => '{}',
};

/** Notes as the node keeps them: plain JSON. */
export class MemoryNotes implements ResearchNotes {
	readonly entries: Map<string, string>;

	constructor(entries: Iterable<[string, string]> = []) {
		this.entries = new Map(entries);
	}

	read(step: string): unknown {
		const entry = this.entries.get(step);
		return entry === undefined ? undefined : (JSON.parse(entry) as unknown);
	}

	write(step: string, entry: Record<string, unknown>): void {
		this.entries.set(step, JSON.stringify(entry));
	}

	/** As they are on the disk at this moment. */
	copy(): MemoryNotes {
		return new MemoryNotes(this.entries);
	}
}

/** Pages by address, a search that finds all of them, and a model that is scripted. */
export class World {
	readonly clock = new VirtualTime(7, 100_000);

	readonly notes = new MemoryNotes();

	readonly requests: ModelRequest[] = [];

	readonly searched: string[] = [];

	readonly scraped: string[] = [];

	readonly readBack: string[] = [];

	stop = new AbortController();

	modelMs = 2000;

	pageMs = 1000;

	/** What all pages call themselves. */
	title = '';

	/** What single pages call themselves, by their addresses. */
	titles: Record<string, string> = {};

	/** PDF files of which not all pages are read. */
	readonly partly = new Set<string>();

	/** When they were published, as they say themselves. */
	dates: Record<string, string> = {};

	/** Model calls on their way, and the most that there were. */
	inFlight = 0;

	mostInFlight = 0;

	/** Told when the model refuses a call for now. */
	onModelWait: ResearchParts['onModelWait'];

	/** Throws where a call is to fail; called before each. */
	beforeCall: (kind: 'search' | 'scrape' | 'ask', what: string) => void = () => undefined;

	constructor(
		readonly pages: Record<string, string | Error>,
		readonly script: Script = {},
	) {}

	/** What the model answers where it is not scripted. */
	usual(step: Step): Answerer {
		return EXTRACTIVE[step];
	}

	/** How often a step was asked for. */
	count(step: Step): number {
		return this.requests.filter((request) => stepOf(request) === step).length;
	}

	page(url: string): ScrapedPage {
		const markdown = this.pages[url] ?? new Error('The page answered 404.');
		if (markdown instanceof Error) throw markdown;
		const title = this.titles[url] ?? (this.title || `Title of ${url}`);
		const publishedAt = this.dates[url];
		return {
			...{ id: `id of ${url}`, url, title, description: 'About', markdown, creditsUsed: 1 },
			...(publishedAt !== undefined && { publishedAt }),
			...(this.partly.has(url) && { isPart: true as const }),
		};
	}

	/** The pages that a search finds; all, where nothing says otherwise. */
	finds: (query: string) => string[] = () => Object.keys(this.pages);

	/** Sites whose pages were listed. */
	readonly mapped: string[] = [];

	get parts(): RowParts {
		return {
			clock: this.clock,
			notes: this.notes,
			signal: this.stop.signal,
			search: async (query) => {
				this.beforeCall('search', query);
				this.searched.push(query);
				await this.clock.sleep(1000);
				const results = this.finds(query).map((url) => ({
					url,
					title: url,
					description: '',
				}));
				return { results, creditsUsed: 2 };
			},
			mapSite: async (url) => {
				this.beforeCall('search', url);
				this.mapped.push(url);
				await this.clock.sleep(1000);
				const { host } = new URL(url);
				const own = Object.keys(this.pages).filter((one) => new URL(one).host === host);
				return { results: own.map((one) => ({ url: one, title: '', description: '' })), creditsUsed: 1 };
			},
			scrape: async (url) => {
				this.beforeCall('scrape', url);
				this.scraped.push(url);
				await this.clock.sleep(this.pageMs);
				return this.page(url);
			},
			readBack: async (_id, url) => {
				this.readBack.push(url);
				await this.clock.sleep(10);
				return this.page(url);
			},
			ask: async (request) => await this.ask(request),
			...(this.onModelWait && { onModelWait: this.onModelWait }),
		};
	}

	private async ask(request: ModelRequest): Promise<ModelAnswer> {
		const step = stepOf(request);
		this.beforeCall('ask', step);
		this.requests.push(request);
		const count = this.count(step);
		this.inFlight += 1;
		this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
		await this.clock.sleep(this.modelMs);
		this.inFlight -= 1;
		const answer = await (this.script[step] ?? EXTRACTIVE[step])(request, count);
		if (answer instanceof Error) throw answer;
		return typeof answer === 'string' ? { content: answer } : answer;
	}

	/** Researches, on a clock that jumps. */
	async run(change: Partial<ResearchQuestion> = {}): Promise<ResearchResult> {
		return await this.clock.until(research({ ...QUESTION, ...change }, this.parts));
	}
}

/** An error as the clients of models throw it. */
export function modelError(status: number, message = 'refused', more: object = {}): Error {
	return Object.assign(new Error(message), { status, ...more });
}

/**
 * A report as tests write it down: its links lead to their pages, not to the sentences in them, and stand as `[1](…)`
 * behind the full stop. How they are put out is in test/unit/text/citationForms.test.ts.
 */
export function withoutJumps(report: string): string {
	return report
		.replace(/#?:~:[^)\s>]*/g, '')
		.replace(/ ((?:\[\\\[\d+\\\]\]\([^()\s]+\) ?)+)(\\?[.!?…。！？؟।]+["”’»*_`)\]]*)/gu, '$2 $1')
		.replace(/\[\\\[(\d+)\\\]\]\(/g, '[$1](');
}
