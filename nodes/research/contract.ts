import type { Time } from '../service/http/time';

/** The kind of sources that a user prefers. */
export type PreferredSources = 'none' | 'news' | 'official' | 'research';

/** A user's question, and the limits of its costs. Nothing here is optional where a default would hide a limit. */
export interface ResearchQuestion {
	query: string;
	/** Rounds of search and reading, at least 1. */
	maxRounds: number;
	/** For everything, all tries of a run included. A fifth of it is kept for writing. */
	timeLimitMs: number;
	/** Most pages to read. */
	maxPages: number;
	/** Most pages of one site. */
	pagesPerSite: number;
	/** Pages to read before those that a search finds. They count toward `maxPages`. */
	firstPages: string[];
	/** Only pages of these domains and their subdomains. Empty: any. */
	includeDomains: string[];
	/** No pages of these domains and their subdomains. */
	excludeDomains: string[];
	/** Those of them that are left out for their price, under a limit of credits. The report says so. */
	excludedForPrice: string[];
	/** Default: none. */
	prefer?: PreferredSources;
	/** Most tokens, in and out together. A fifth of them is kept for writing. Undefined: no limit. */
	maxTokens?: number | undefined;
	/** Most credits. Undefined: no limit. */
	maxCredits?: number | undefined;
	/** The most that one search can cost, in credits: it is not sent when less is left. */
	searchCredits: number;
	/** The most that one page can cost, in credits: of a PDF file, with all pages that are read of it. */
	pageCredits: number;
	/** The most that one page of a PDF file, or any other page, can cost. */
	leastPageCredits: number;
	/** Most calls of the model at once. */
	concurrentModelCalls: number;
	/** Longest piece of a page that is sent to the model. Default: 80,000 characters. */
	maxPieceCharacters?: number | undefined;
	/** The user's wishes for the report. Empty: nothing special. */
	analysisPrompt: string;
	/** The user's instructions to the model about its work: used in planning and writing, never in reading. */
	systemPrompt: string;
	/** Asks for JSON beside the report or instead of it. */
	json?: JsonWish | undefined;
	/** The treatment of values of the JSON that have no proof: null, or as they are. */
	unprovenValues: 'leaveOut' | 'keep';
	/** False where only JSON is asked for: `finalAnalysis` is empty then. */
	wantsReport: boolean;
	/** `quotes`: code looks up quotes and figures; `support`: the model judges as well what code cannot. */
	verification: 'support' | 'quotes';
	/** The treatment of statements that are not verified. */
	unsupportedClaims: 'leaveOut' | 'mark';
	/** The day of the first try, as in 2026-11-29: the model knows no other. */
	today: string;
	/** Of the workflow, in which days are told. */
	timeZone: string;
	/** Set where the run tells what is new: what earlier runs have left, or `none` for the first. */
	history?: ResearchHistory | 'none' | undefined;
}

/** The plan for the work on the question. */
export interface ResearchPlan {
	subQuestions: string[];
	/** So many of the last sub-questions are fields of the JSON that was asked for. */
	fields?: number | undefined;
	queries: string[];
	/** The language of the question as a tag such as `de`; undefined where the model names none. */
	language?: string | undefined;
	/** Texts of code in that language. */
	labels: Record<PlanLabel, string>;
}

/** Names a text that code writes into reports: headings, reasons, and what stands below (labels.ts). */
export type PlanLabel =
	| 'notFound'
	| 'contradictions'
	| 'new'
	| 'changed'
	| 'withdrawn'
	| 'before'
	| 'unchanged'
	| 'unchecked'
	| 'sources'
	| 'alsoOn'
	| UncheckedReason
	| 'saysOther'
	| 'partial'
	| 'limit'
	| 'lookedUp'
	| 'judged'
	| 'unjudged'
	| 'compared'
	| 'price'
	| 'noAnswer'
	| 'searchedFor'
	| 'read'
	| 'notRead'
	| 'notAnswered';

/** Why a statement of an earlier run could not be checked. */
export type UncheckedReason = 'pageReplaced' | 'pageCut' | 'notJudged' | 'pageFailed' | 'pageSkipped';

/** A history holds so many statements. Those that were not found for longest make room for others. */
export const MAX_STATEMENTS = 400;

/** What was not found for so long is forgotten: more than a year, for questions that are asked yearly. */
export const FORGOTTEN_AFTER_MS = 400 * 24 * 3_600_000;

/** The form of a history. Histories of another form start over. */
export const HISTORY_FORM = 2;

/** The memory of a question that is asked again and again, as plain JSON. Times are ISO 8601. */
export interface ResearchHistory {
	form: typeof HISTORY_FORM;
	/** Used again while the question stands: another plan would find other things by chance. Without it, one is made. */
	plan?: ResearchPlan | undefined;
	/** Numbers of the sub-questions that were answered, counted from 1. */
	answered: number[];
	/** The time when the latest run ended. */
	at: string;
	statements: KnownStatement[];
	pages: KnownPage[];
}

/** A statement that a report has told. */
export interface KnownStatement {
	text: string;
	quote: QuoteMark;
	/** Names the sub-question that it answers. */
	question: string;
	/** Address of the page. */
	source: string;
	firstSeen: string;
	lastSeen: string;
	/** In how many runs, one after the other, it could not be checked. */
	missed?: number | undefined;
	/** Whether a report has told that it cannot be checked. */
	isMissing?: true | undefined;
}

/** A quote as it is remembered: enough to see whether it still stands on its page. */
export interface QuoteMark {
	/** Its first words. */
	start: string;
	/** Characters of all of it, without what typography adds. */
	length: number;
	digest: string;
}

/** A page that was read, also one that gave no statement. */
export interface KnownPage {
	url: string;
	title: string;
	/** Digest of what can be read of it. */
	hash: string;
	/** Digests of its sentences and cells, four characters each; empty where it has too many. */
	sentences: string;
	/** The same of the page that it was, while the address leads to another one. */
	was?: string | undefined;
	/** The time of the latest visit to it. */
	visitedAt: string;
}

/** The shape of the JSON output: a JSON Schema, or an example of it. */
export interface JsonWish {
	schema?: Record<string, unknown> | undefined;
	example?: unknown;
}

/** One result of a search. All of it is text of strangers. */
export interface SearchResult {
	url: string;
	title: string;
	description: string;
	/** When it was published, as the search says it: news have it. */
	date?: string;
}

export interface SearchAnswer {
	results: SearchResult[];
	creditsUsed: number;
}

/** A page as the service scraped it. */
export interface ScrapedPage {
	/** With which the page can be read back without paying again; empty where there is none. */
	id: string;
	/** The address that answered in the end. */
	url: string;
	title: string;
	description: string;
	markdown: string;
	/** When it was published or changed last, as it says itself: ISO 8601. */
	publishedAt?: string;
	/** The HTTP status of the site, where it is an error. */
	statusCode?: number;
	/** Of a PDF file, not all pages were read. */
	isPart?: true;
	creditsUsed: number;
}

/** `main` plans and writes; `reading` reads pages, and may be a cheaper one. */
export type ModelRole = 'main' | 'reading';

export interface ModelRequest {
	role: ModelRole;
	system: string;
	user: string;
	/** Aborted when nobody waits for the answer any more. */
	signal: AbortSignal;
}

/** The answer of a chat model, as it came: nothing about it is believed. */
export interface ModelAnswer {
	/** A text, or parts of which those of type `text` count. */
	content: unknown;
	/** As the model counts them; undefined where it does not. */
	inputTokens?: number | undefined;
	outputTokens?: number | undefined;
}

/**
 * The memory of a run, with which a retry continues: one entry for each step that was paid for. Entries
 * are plain JSON, hold no page text, and stay well below 2 MB together. Read and written at once, so that
 * nothing is lost between a step and its entry.
 */
export interface ResearchNotes {
	read(step: string): unknown;
	write(step: string, entry: Record<string, unknown>): void;
}

/** Everything that research needs of the world. */
export interface ResearchParts {
	/** Throws what the service's client throws, after its own retries. */
	search(query: string): Promise<SearchAnswer>;
	/** Pays at most so many credits. `isKnown`: to be compared with an earlier visit. Throws like `search`. */
	scrape(url: string, mostCredits: number, isKnown: boolean): Promise<ScrapedPage>;
	/** Reads a page back by its id and pays nothing. Throws where that is not possible. */
	readBack(id: string, url: string): Promise<ScrapedPage>;
	/**
	 * Calls the model once, without retries: research retries itself. Throws whatever the model's client
	 * throws; `status`, `response.status` and `headers` of that are read, its text is never shown.
	 */
	ask(request: ModelRequest): Promise<ModelAnswer>;
	clock: Time;
	notes: ResearchNotes;
	/** Aborted when the execution is stopped. */
	signal?: AbortSignal | undefined;
	/** Aborted when the run ends by a failure elsewhere: nothing is begun, what is on its way is noted. */
	ending?: AbortSignal | undefined;
	/** Told each step when it begins and when it ends, for a log of progress. */
	onActivity?(activity: ResearchActivity): void;
	/** Told when the model refuses a call for now: its HTTP status, if any, and when it is asked again. */
	onModelWait?(wait: { status: number | undefined; waitMs: number }): void;
}

/** Everything that a row needs of the world: that of a research, and the pages of a site. */
export interface RowParts extends ResearchParts {
	/** The pages of the site of an address, those first that have these words. Throws like `search`. */
	mapSite(url: string, words: string): Promise<SearchAnswer>;
}

/** One step of the run, as deep research tells them (type, state, message, time, depth). */
export interface ResearchActivity {
	type: 'plan' | 'search' | 'scrape' | 'analyze' | 'reasoning' | 'synthesis';
	status: 'processing' | 'complete' | 'error';
	message: string;
	/** ISO 8601. */
	timestamp: string;
	/** The round, counted from 1; 0 before the first. */
	depth: number;
}

/** The reason why a run ended. Everything but `done` is a limit, or `model`: no answer of the model could be used. */
export type EndedBy = 'done' | 'rounds' | 'time' | 'pages' | 'credits' | 'tokens' | 'model';

/** A page that the report cites, by the number it has there. */
export interface ResearchSource {
	number: number;
	title: string;
	url: string;
	description: string;
	/** ISO 8601. */
	readAt: string;
	/** Its host, and the day on which it was published or changed last, as far as the page says it. */
	site: string;
	date?: string;
	/** On how many other sites something of what it says is said, too; a copied text counts once. */
	alsoOn: number;
}

/** A statement, and the words of the page that say so. */
export interface ResearchClaim {
	text: string;
	/** Words of the page where its look-up found them, with spaces and Markdown marks evened out. */
	quote: string;
	/** Address of the page. */
	source: string;
	/** The same with a jump to the quote, where one is certain to lead there. */
	link?: string;
	/** True when the quote stands on the page, holds the figures of the text, and the model found it supported. */
	verified: boolean;
	/** The reason why it is not verified. */
	reason?: UnverifiedReason;
	/** For runs that tell what is new: when it was told first and found last, ISO 8601. */
	firstSeen?: string;
	lastSeen?: string;
}

/** A statement of an earlier run. Of its quote only the beginning is kept. */
export interface EarlierClaim {
	text: string;
	quote: string;
	source: string;
	firstSeen: string;
	lastSeen: string;
}

/** The statements of a run beside those of the runs before it. */
export interface ResearchNews {
	new: ResearchClaim[];
	/** About the same thing, and not the same any more. */
	changed: Array<{ before: EarlierClaim; now: ResearchClaim }>;
	/** Their pages were read whole, and do not say it any more. `why`: where the page says something else. */
	withdrawn: Array<EarlierClaim & { why?: string }>;
	/** Not told before, and on their pages at the last visit already. */
	before: ResearchClaim[];
	/** The number of statements that still stand. */
	unchanged: number;
	/** Statements of which this run cannot say whether they still stand, by reason. */
	unchecked: Array<{ reason: string; statements: number }>;
	/** The time when the run before this one ended; undefined for the first. */
	since?: string | undefined;
}

/**
 * `quote`: it does not stand on the page. `figures`: one of the text is not in it. The others are what the model
 * said of text and passage; `notJudged`: nothing that could be used, or a limit came first.
 */
export type UnverifiedReason = 'quote' | 'figures' | 'contradicted' | 'notStated' | 'notJudged';

/** A value of the JSON output, and the words of the page that say it. */
export interface ValueProof {
	/** As in n8n's Split Out: `plans[0].price`. */
	path: string;
	value: unknown;
	quote: string;
	/** Address of the page. */
	source: string;
	/** The same with a jump to the quote, where one is certain to lead there. */
	link?: string;
	verified: true;
	/** Who has found the value in these words; the model has judged in either case, unless Quotes Only. */
	by: 'code' | 'model';
}

/**
 * Why a value has no proof. `notFound`: nothing was found. `noClaim`: the model names no statement that says it.
 * `notInQuote`, `otherPlace`, `otherSubject`, `otherUnit`, `isRange`, `notExact`: what code says of the words that were named.
 * `notSupported`, `contradicted`, `notJudged`: what the model says of them. `conflict`: several values are proven. `formula`:
 * a sheet would compute it. `notLookedFor`: a limit came before. `notChecked`: an earlier run has
 * found it, and this one could not look whether it still stands.
 */
export type UnprovenReason =
	| 'notFound'
	| 'noClaim'
	| 'notInQuote'
	| 'otherPlace'
	| 'otherSubject'
	| 'otherUnit'
	| 'isRange'
	| 'notExact'
	| 'notSupported'
	| 'contradicted'
	| 'notJudged'
	| 'conflict'
	| 'formula'
	| 'notLookedFor'
	| 'notChecked';

/** A value of the JSON output without a proof. */
export interface UnprovenValue {
	/** Of what is not in the JSON, with `[]` for its place in a list. */
	path: string;
	/** What the model has filled in; left out where nothing was. */
	value?: unknown;
	reason: UnprovenReason;
}

/** A field for which several values are proven. */
export interface ValueConflict {
	path: string;
	/** The one that stands in the JSON first, where one does. */
	values: ValueProof[];
}

/** Statements that cannot all be true. */
interface Contradiction {
	/** `date`: the day of the page, where it tells one. */
	statements: Array<{ text: string; source: string; date?: string }>;
}

/** A page that is not in the report, and why: one sentence. */
export interface SkippedPage {
	url: string;
	reason: string;
}

export interface ResearchUsage {
	modelCalls: number;
	/** Estimated from the length of the texts where the model does not count. */
	inputTokens: number;
	outputTokens: number;
	/** Of searches and pages that were answered. */
	creditsUsed: number;
	/** The most that those may have cost besides whose answers were lost, or had not come at the end. */
	creditsInDoubt: number;
	/** Of all tries. */
	seconds: number;
}

/** The statements and sentences that the checks have taken out or could not support. */
interface ResearchChecks {
	/** Claims that are not verified after they were asked for a second time, by reason. */
	unverifiedClaims: Record<UnverifiedReason, number>;
	/** Sentences of the report without a source. */
	uncitedSentences: number;
	/** Sentences of the report with a figure that their claims do not hold, or that the claims do not support. */
	unsupportedSentences: number;
	/** Citations of claims that do not exist. */
	unknownCitations: number;
	/** Addresses, images and HTML that the model wrote. */
	removedAddresses: number;
	/** Values of the JSON output that no quote holds: null in it. */
	unsupportedValues: number;
}

export interface ResearchResult {
	query: string;
	/**
	 * Markdown with numbered links to the sources, and no other address; of an empty result what was looked for and what
	 * was read. Empty where only JSON was asked for.
	 */
	finalAnalysis: string;
	/** One line for below it: which limit was reached, how it was checked. */
	closing: string;
	/** The language of the question as a tag such as `de`; undefined where nobody has named it. */
	language?: string | undefined;
	/** Texts of code in that language. */
	labels: Record<PlanLabel, string>;
	/** Of an empty result: why, with counts. */
	nothing?: string;
	/** Only where JSON was asked for; null where none could be made. */
	json?: unknown;
	/** What its values rest on, and which have no proof; only where JSON was asked for. */
	values?: { proofs: ValueProof[]; unproven: UnprovenValue[]; conflicts: ValueConflict[] };
	/** The pages that the report cites. */
	sources: ResearchSource[];
	claims: ResearchClaim[];
	/** Parts of the question that no claim answers. */
	unanswered: string[];
	contradictions: Contradiction[];
	/** `empty`: nothing was found, could be read, or held. `unchanged`: nothing is new, changed or withdrawn. */
	status: 'completed' | 'partial' | 'empty' | 'unchanged';
	/** For runs that tell what is new. */
	news?: ResearchNews;
	/** For the next run: what is known after this one. */
	history?: ResearchHistory;
	endedBy: EndedBy;
	/** The kind of checks that the claims have passed. */
	verification: 'support' | 'quotes';
	/** For a partial result: which limit, in one sentence. */
	limit?: string | undefined;
	/** Sentences for the user about what is not as it should be. */
	warnings: string[];
	skippedPages: SkippedPage[];
	activities: ResearchActivity[];
	checks: ResearchChecks;
	/** The number of pages that were read. */
	pagesRead: number;
	usage: ResearchUsage;
}

const REASONS: Record<UnverifiedReason, string> = {
	quote: 'quote not on the page',
	figures: 'figures not in the quote',
	contradicted: 'the page says otherwise',
	notStated: 'the page does not say it',
	notJudged: 'not judged',
};

/** `3 quote not on the page, 1 the page says otherwise`; empty where all were verified. */
export function reasonsText(counts: Record<UnverifiedReason, number>): string {
	return (Object.keys(REASONS) as UnverifiedReason[])
		.filter((reason) => counts[reason] > 0)
		.map((reason) => `${counts[reason]} ${REASONS[reason]}`)
		.join(', ');
}

/** How many statements have changed, are new and are withdrawn in all of these together; kinds without any are left out. */
export function newsCounts(
	all: readonly ResearchNews[],
	labels: Record<PlanLabel, string>,
): Array<[label: string, amount: number]> {
	const sum = (of: (news: ResearchNews) => readonly unknown[]) =>
		all.reduce((total, news) => total + of(news).length, 0);
	const counts: Array<[label: string, amount: number]> = [
		[labels.changed, sum(({ changed }) => changed)],
		[labels.new, sum((news) => news.new)],
		[labels.withdrawn, sum(({ withdrawn }) => withdrawn)],
	];
	return counts.filter(([, amount]) => amount > 0);
}

/**
 * `stopped`: the execution was stopped. `model`: the model cannot be used, or did not answer after all
 * retries. `question`: the question cannot be worked on as it is.
 */
type ResearchFailureKind = 'stopped' | 'model' | 'question';

/**
 * The reason why there is no result. Failures of the service come out as they are thrown by `search` and `scrape`;
 * this is everything else. Holds no text of the model's client, which may name the key or the prompt.
 */
export class ResearchFailure extends Error {
	constructor(
		readonly kind: ResearchFailureKind,
		/** One sentence that says what to do. */
		message: string,
		/** HTTP status of the model's answer, where there was one. */
		readonly httpCode?: number,
	) {
		super(message);
		this.name = 'ResearchFailure';
	}
}

/** The word "canceled" is how n8n's engine tells a stopped execution from a failed one. */
export function researchStopped(): ResearchFailure {
	return new ResearchFailure('stopped', 'The execution was canceled.');
}
