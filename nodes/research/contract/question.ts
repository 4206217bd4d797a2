import type { ResearchHistory } from './history';

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

/** The shape of the JSON output: a JSON Schema, or an example of it. */
export interface JsonWish {
	schema?: Record<string, unknown> | undefined;
	example?: unknown;
}
