import { shorten } from '../service/http/failure';
import type { PageDigest } from './claims/knownPage';
import type { KnownPage } from './contract/history';
import type { ResearchActivity, ResearchParts, ScrapedPage } from './contract/parts';
import type { ResearchQuestion } from './contract/question';
import type { EndedBy, SkippedPage, UnverifiedReason } from './contract/result';
import { KnownSources, questionKey } from './history/knownSources';
import type { StatementNow } from './history/rereadPage';
import { Budget, LimitReached } from './model/budget';
import { ModelCaller, Turns } from './model/modelCaller';
import { PageRoom } from './model/pageRoom';
import { Phases } from './model/phases';
import type { NumberedClaim } from './report/numberedClaims';
import type { PageLead } from './pageLinks';
import { CandidatePool } from './select';

/** A page that was read, as its source is told. */
export interface PageRecord {
	title: string;
	description: string;
	readAt: string;
	/** When it was published or changed last, as it says itself. */
	publishedAt?: string | undefined;
}

/** Pages under way for each call of the model that may run: one is read while the next is scraped. */
const PAGES_OF_CALL = 2;

/** Who has failed with a page: `judge` where it was read, and not all judged. */
export type UnreadBy = 'service' | 'model' | 'judge';

/** The knowledge and the spending of one run. */
export class RunState {
	readonly budget: Budget;

	readonly phases: Phases;

	readonly model: ModelCaller;

	readonly pool: CandidatePool;

	/** Lets pages in that can still be read. */
	readonly room: PageRoom;

	/** False where the model has made no plan. */
	isPlanned = true;

	/** In the order in which their pages were chosen, numbered from 1. Unsupported ones are among them. */
	readonly claims: NumberedClaim[] = [];

	/** By address. */
	readonly pages = new Map<string, PageRecord>();

	/** Pages that were fetched before anything of them is read, by their keys, or why they could not be. */
	readonly fetched = new Map<string, ScrapedPage | Error>();

	/** Digests of the pages that were read, by their addresses, where the next run is compared with this one. */
	digests: Map<string, PageDigest> | undefined;

	/** Marks of the long sentences of pages, by their addresses, where pages with the same text are told. */
	texts: Map<string, string> | undefined;

	/** Links of the pages that were read, by the keys of where they lead. */
	readonly links = new Map<string, PageLead>();

	/** Those of them that are to be followed in the next round. */
	followed: PageLead[] = [];

	/** Pages that were not read since another one has their text. */
	copies = 0;

	readonly skipped: SkippedPage[] = [];

	/** Addresses of pages that may say what nobody knows, by who has failed. */
	readonly unread = new Map<string, UnreadBy>();

	readonly warnings: string[] = [];

	readonly activities: ResearchActivity[] = [];

	/** Searches that were made, in small letters. */
	readonly used = new Set<string>();

	/** Pages that were asked for. */
	pagesTaken = 0;

	pagesRead = 0;

	/** Pages of an earlier try that the server did not keep. */
	scrapedAgain = 0;

	/** The results of earlier runs, where the run tells what is new. */
	readonly known: KnownSources | undefined;

	/** The statements of earlier runs whose pages were read again, by their places in the history. */
	readonly statementsNow = new Map<number, StatementNow>();

	/** Pages that were asked for in this run, as the history keeps them, by their keys. */
	readonly visited = new Map<string, KnownPage>();

	/** The reasons why pages could not be read, by their keys. */
	readonly unreadReasons = new Map<string, string>();

	/** The sub-questions of the plan, once there is one. */
	subQuestions: readonly string[] = [];

	/** Pages are scraped as the model gets to them: so many are scraped, read or judged at once. */
	readonly pageTurns: Turns;

	readonly unverifiedClaims: Record<UnverifiedReason, number> = {
		quote: 0,
		figures: 0,
		contradicted: 0,
		notStated: 0,
		notJudged: 0,
	};

	searchesAnswered = 0;

	/** The first error of a search. */
	searchError: unknown;

	/** The first limit that was reached. */
	limit: EndedBy | undefined;

	/** The service's words when it had no credits left. */
	outOfCredits: string | undefined;

	round = 0;

	constructor(
		readonly question: ResearchQuestion,
		readonly parts: ResearchParts,
	) {
		const { clock, notes, signal, ending } = parts;
		this.budget = new Budget(question, notes, () => clock.now());
		this.phases = new Phases(clock, this.budget.deadlines, signal, ending);
		this.model = new ModelCaller(parts, this.budget, this.phases, question.concurrentModelCalls);
		this.pool = new CandidatePool(question);
		this.room = new PageRoom(this.budget, () => clock.now(), question.concurrentModelCalls);
		const { history } = question;
		this.known = history && history !== 'none' ? new KnownSources(history) : undefined;
		this.pool.leaveOut(this.known?.pages.keys() ?? []);
		this.pageTurns = new Turns(PAGES_OF_CALL * question.concurrentModelCalls);
	}

	/** Keeps in its own words that the service has no credits left for this; passes anything else over. */
	keepRefusal(error: unknown): void {
		if (!isOutOfCredits(error)) return;
		this.limit ??= 'credits';
		this.outOfCredits ??= reasonText(error);
	}

	/** Keeps the limit that was reached, and throws anything else on. */
	keepLimit(error: unknown): void {
		if (!(error instanceof LimitReached)) throw error;
		this.limit ??= error.limit;
	}

	/** The number of a sub-question by its name in the history; 0 where the plan does not have it. */
	questionNumber(name: string): number {
		return this.subQuestions.findIndex((one) => questionKey(one) === name) + 1;
	}

	/** The current time as ISO 8601. */
	timestamp(): string {
		return new Date(this.parts.clock.wallClock()).toISOString();
	}

	/** Logs a step of the run. */
	log(type: ResearchActivity['type'], status: ResearchActivity['status'], message: string): void {
		const { round: depth } = this;
		const activity = {
			type,
			status,
			message: shorten(message),
			timestamp: this.timestamp(),
			depth,
		};
		if (status !== 'processing') this.activities.push(activity);
		this.parts.onActivity?.(activity);
	}
}

/** An error of a part of the service, as a sentence. Its client has taken secrets out of it. */
export function reasonText(error: unknown): string {
	return error instanceof Error ? shorten(error.message, 300) : 'Unknown error.';
}

/** True where the service says that the account, or an address without one, has no credits left. */
function isOutOfCredits(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	if ('kind' in error && error.kind === 'quotaExceeded') return true;
	return 'httpCode' in error && Number(error.httpCode) === 402;
}
