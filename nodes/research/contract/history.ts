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
