/** What a user asks, and how much may be spent on it. Nothing here is optional where a default would hide a limit. */
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
	/** What the user wants of the report. Empty: nothing special. */
	analysisPrompt: string;
	/** What the user tells the model about its work: used in planning and writing, never in reading. */
	systemPrompt: string;
	/** Asks for JSON beside the report or instead of it. */
	json?: JsonWish | undefined;
	/** False where only JSON is asked for: `finalAnalysis` is empty then. */
	wantsReport: boolean;
	/** `quotes`: code looks up quotes and figures; `support`: the model judges as well what code cannot. */
	verification: 'support' | 'quotes';
	/** What becomes of statements that are not verified. */
	unsupportedClaims: 'leaveOut' | 'mark';
}

/** The shape of the JSON output: a JSON Schema, or an example of it. */
export interface JsonWish {
	schema?: Record<string, unknown> | undefined;
	example?: unknown;
}
