import type { ResearchActivity } from './parts';

/** Why a run ended. Everything but `done` is a limit, or `model`: no answer of the model could be used. */
export type EndedBy = 'done' | 'rounds' | 'time' | 'pages' | 'credits' | 'tokens' | 'model';

/** A page that the report cites, by the number it has there. */
export interface ResearchSource {
	number: number;
	title: string;
	url: string;
	description: string;
	/** ISO 8601. */
	readAt: string;
}

/** A statement, and the words of the page that say so. */
export interface ResearchClaim {
	text: string;
	/** Words of the page where its look-up found them, with spaces and Markdown marks evened out. */
	quote: string;
	/** Address of the page. */
	source: string;
	/** True when the quote stands on the page, holds the figures of the text, and the model found it supported. */
	verified: boolean;
	/** Why it is not verified. */
	reason?: UnverifiedReason;
}

/**
 * `quote`: it does not stand on the page. `figures`: one of the text is not in it. The others are what the model
 * said of text and passage; `notJudged`: nothing that could be used, or a limit came first.
 */
export type UnverifiedReason = 'quote' | 'figures' | 'contradicted' | 'notStated' | 'notJudged';

/** Statements that cannot all be true. */
export interface Contradiction {
	statements: Array<{ text: string; source: string }>;
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
	creditsUsed: number;
	/** Of all tries. */
	seconds: number;
}

/** What the checks have taken out or could not support. */
export interface ResearchChecks {
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
	/** Markdown with numbered links to the sources, and no other address. */
	finalAnalysis: string;
	/** Of an empty result: why, with counts. */
	nothing?: string;
	/** Only where JSON was asked for; null where none could be made. */
	json?: unknown;
	/** The pages that the report cites. */
	sources: ResearchSource[];
	claims: ResearchClaim[];
	/** Parts of the question that no claim answers. */
	unanswered: string[];
	contradictions: Contradiction[];
	/** `empty`: nothing was found, could be read, or held. */
	status: 'completed' | 'partial' | 'empty';
	endedBy: EndedBy;
	/** How the claims were checked. */
	verification: 'support' | 'quotes';
	/** For a partial result: which limit, in one sentence. */
	limit?: string | undefined;
	/** Sentences for the user about what is not as it should be. */
	warnings: string[];
	skippedPages: SkippedPage[];
	activities: ResearchActivity[];
	checks: ResearchChecks;
	/** How many pages were read. */
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
