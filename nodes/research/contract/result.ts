import type { PlanLabel, ResearchHistory } from './history';
import type { ResearchActivity } from './parts';

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
 * a sheet would compute it. `notLookedFor`: a limit came before. `notRead`: the model has not read a page that may say
 * it, or a search or a page of the subject's own site has failed. `notChecked`: an earlier run has found it, and this one could not look
 * whether it still stands.
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
	| 'notRead'
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
