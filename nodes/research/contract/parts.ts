import type { Time } from '../../service/http/time';

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
