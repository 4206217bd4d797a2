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
	/** Verbatim, when `verified`: found by code in the page, with spaces and Markdown marks evened out. */
	quote: string;
	/** Address of the page. */
	source: string;
	/** True when the quote stands in the page and holds all figures and dates of the text. */
	verified: boolean;
}

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
	/** Claims whose quote or figures were not found in the page, asked for a second time. */
	unsupportedClaims: number;
	/** Sentences of the report without a source. */
	uncitedSentences: number;
	/** Sentences of the report with a figure that their quotes do not hold. */
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
	/** Only where JSON was asked for; null where none could be made. */
	json?: unknown;
	/** The pages that the report cites. */
	sources: ResearchSource[];
	claims: ResearchClaim[];
	/** Parts of the question that no claim answers. */
	unanswered: string[];
	contradictions: Contradiction[];
	status: 'completed' | 'partial';
	endedBy: EndedBy;
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
