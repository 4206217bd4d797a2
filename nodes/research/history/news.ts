import { pageKey } from '../../text/addresses';
import { shownQuote } from '../claims/knownPage';
import { FORGOTTEN_AFTER_MS, HISTORY_FORM, MAX_STATEMENTS } from '../contract/history';
import type { KnownPage, KnownStatement, ResearchHistory, ResearchPlan, UncheckedReason } from '../contract/history';
import type { EarlierClaim, ResearchClaim, ResearchNews } from '../contract/result';
import { LABELS } from '../model/labels';
import type { LimitReached } from '../model/budget';
import type { ModelCaller } from '../model/modelCaller';
import { linkOf } from '../report/numberedClaims';
import type { NumberedClaim } from '../report/numberedClaims';
import { compareClaims } from './compareClaims';
import type { Comparison, IndexedStatement } from './compareClaims';
import { questionKey, withoutYears } from './knownSources';
import type { KnownSources } from './knownSources';
import { knownStatement } from './rereadPage';
import type { StatementNow } from './rereadPage';

/** All that a run has found, to be told beside the results of earlier runs. */
export interface FoundNow {
	/** Undefined for the first run. */
	known: KnownSources | undefined;
	query: string;
	plan: ResearchPlan;
	/** False where the model has made no plan: the next run asks for one. */
	isPlanned: boolean;
	answered: number[];
	/** The verified claims of the run; those that earlier runs have told name their place in the history. */
	claims: readonly NumberedClaim[];
	statements: ReadonlyMap<number, StatementNow>;
	/** Pages that were asked for, by their keys, and why some could not be read. */
	visited: ReadonlyMap<string, KnownPage>;
	unreadReasons: ReadonlyMap<string, string>;
	/** ISO 8601. */
	now: string;
}

/** A claim that no earlier run has told. `against`: an earlier statement that may still stand, and cannot be true with it. */
interface FreshClaim {
	claim: NumberedClaim;
	against?: EarlierClaim;
}

/** Earlier statements that could not be checked, for one reason. `said`: what the service says of their page. */
interface UncheckedStatements {
	why: UncheckedReason;
	said?: string;
	statements: number;
}

/** `their page could not be read: The site answered 500`. */
export function withDetail(reason: string, said: string | undefined): string {
	return said === undefined ? reason : `${reason}: ${said}`;
}

/** The news of a run with the claims in question, and what the next run is compared with. */
export interface FoundNews {
	news: ResearchNews;
	fresh: FreshClaim[];
	/** Not told before, and on their pages at the last visit already. */
	before: FreshClaim[];
	changed: Array<{ claim: NumberedClaim; before: EarlierClaim }>;
	unchecked: UncheckedStatements[];
	/** Whether nothing has moved, and nothing is told for the first time that could not be checked. */
	isSilent: boolean;
	history: ResearchHistory;
	/** Statements for which the history has no room. */
	forgotten: number;
	limit?: LimitReached | undefined;
}

/**
 * Tells which statements are new, changed, withdrawn or as they were. Throws ResearchFailure; a limit leaves statements
 * that could not be compared among the new ones.
 */
export async function findNews(found: FoundNow, model: ModelCaller): Promise<FoundNews> {
	const { known, plan, claims, now } = found;
	const earlier = known?.statements ?? [];
	const untold = withoutCarried(claims, found.statements);
	const questions = plan.subQuestions.map(questionKey);
	const { comparisons, limit } = await compareClaims(untold, earlier, model);
	const judged = new NewsOfRun(found, questions);
	for (const [index, claim] of untold.entries()) judged.addClaim(claim, comparisons[index] ?? { verdict: 'new' });
	for (const claim of claims) if (claim.instead !== undefined) judged.addSentence(claim, claim.instead);
	for (const one of earlier) judged.addEarlier(one);
	judged.settle();
	const statements = withinBounds(judged.kept, now);
	return {
		news: judged.news,
		fresh: judged.fresh,
		before: judged.before,
		changed: judged.changed,
		unchecked: judged.open,
		isSilent: judged.isSilent,
		history: {
			form: HISTORY_FORM,
			...(found.isPlanned && { plan: withoutYears(plan, found.query) }),
			answered: found.answered,
			at: now,
			statements,
			pages: pagesWithinBounds(found, statements),
		},
		forgotten: judged.kept.length - statements.length,
		limit,
	};
}

/**
 * Claims that no earlier run has told: a sentence that still stands may have been read again beside what is new. A row
 * that has a new cell may say something new with the words of an earlier quote.
 */
function withoutCarried(claims: readonly NumberedClaim[], statements: FoundNow['statements']): NumberedClaim[] {
	// What the model has found in other words may be otherwise: that is compared.
	const isStanding = ({ earlier }: NumberedClaim) =>
		earlier !== undefined && statements.get(earlier)?.is === 'standing';
	const carried = new Set(claims.filter(isStanding).map(({ quote }) => quote));
	const isCarried = ({ quote, table, wasThere }: NumberedClaim) =>
		carried.has(quote) && (table === undefined || wasThere === true);
	return claims.filter((claim) => {
		return claim.earlier === undefined && claim.instead === undefined && !isCarried(claim);
	});
}

/** Sorts the statements of a run. */
class NewsOfRun {
	readonly fresh: FreshClaim[] = [];

	readonly before: FreshClaim[] = [];

	readonly changed: FoundNews['changed'] = [];

	private readonly withdrawn: ResearchNews['withdrawn'] = [];

	private unchanged = 0;

	/** By reason. */
	private readonly unchecked = new Map<string, UncheckedStatements>();

	/** Statements that could not be checked, and are told as such for the first time. */
	private newlyMissing = 0;

	/** For the next run. */
	readonly kept: KnownStatement[] = [];

	/** Earlier statements that a new claim says again, or has taken the place of. */
	private readonly matched = new Set<number>();

	private readonly replaced = new Set<number>();

	constructor(
		private readonly found: FoundNow,
		/** Names of the sub-questions, in their order. */
		private readonly questions: readonly string[],
	) {}

	/** All of it as data. */
	get news(): ResearchNews {
		return {
			new: this.fresh.map(({ claim }) => this.shown(claim)),
			changed: this.changed.map(({ claim, before }) => ({ before, now: this.shown(claim) })),
			withdrawn: this.withdrawn,
			before: this.before.map(({ claim }) => this.shown(claim)),
			unchanged: this.unchanged,
			unchecked: this.open.map(({ why, said, statements }) => ({ reason: withDetail(LABELS[why], said), statements })),
			since: this.found.known?.history.at,
		};
	}

	get open(): UncheckedStatements[] {
		return [...this.unchecked.values()];
	}

	get isSilent(): boolean {
		return this.fresh.length + this.changed.length + this.withdrawn.length + this.newlyMissing === 0;
	}

	addClaim(claim: NumberedClaim, comparison: Comparison): void {
		if (comparison.verdict === 'repeated') return;
		const before = comparison.verdict === 'new' ? undefined : this.found.known?.statements[comparison.of];
		if (!before || comparison.verdict === 'new') return this.addNew(claim);
		if (comparison.verdict === 'known') {
			// One that moved or was reworded is kept with the words that hold it now.
			const isKept = this.matched.has(before.index) || this.replaced.has(before.index);
			if (!this.stands(before) && !isKept) this.keep(claim, before.firstSeen, before.text);
			this.matched.add(before.index);
			return;
		}
		const isOnePage = pageKey(before.source) === pageKey(claim.source);
		if (this.replaced.has(before.index) || this.matched.has(before.index)) return this.addNew(claim);
		// What stands on its page as it did has not changed there.
		const isOther = this.stands(before) && claim.wasThere === true;
		if (!isOther && (isOnePage || this.found.statements.get(before.index)?.is === 'gone')) {
			this.addChanged(claim, before);
			return;
		}
		this.addNew(claim, earlierClaim(before));
	}

	/** A sentence that says otherwise than an earlier statement. It may be the quote of a new claim, which says it better. */
	addSentence(sentence: NumberedClaim, index: number): void {
		const before = this.found.known?.statements[index];
		if (!before || this.replaced.has(index) || this.matched.has(index)) return;
		const isOnIt = ({ claim: { quote, source } }: FreshClaim) =>
			source === sentence.source && (quote.includes(sentence.quote) || sentence.quote.includes(quote));
		for (const list of [this.fresh, this.before]) {
			const at = list.findIndex(isOnIt);
			const [found] = at === -1 ? [] : list.splice(at, 1);
			if (found) {
				if (list === this.before) this.keep(found.claim, this.found.now);
				this.replaced.add(index);
				this.changed.push({ claim: found.claim, before: earlierClaim(before) });
				return;
			}
		}
		this.addChanged(sentence, before);
	}

	private addChanged(claim: NumberedClaim, before: IndexedStatement): void {
		this.replaced.add(before.index);
		this.keep(claim, this.found.now);
		this.changed.push({ claim, before: earlierClaim(before) });
	}

	/** Decides on an earlier statement. All claims must have been added. */
	addEarlier(one: IndexedStatement): void {
		if (this.replaced.has(one.index)) return;
		const now = this.found.statements.get(one.index);
		const { quote, is, verdict } = now ?? {};
		if (this.matched.has(one.index) || quote !== undefined) {
			this.unchanged += 1;
			if (quote === undefined) return;
			const { text, question, source, firstSeen } = one;
			const seen = { question, firstSeen, lastSeen: this.found.now };
			this.kept.push(knownStatement({ text, quote, source }, seen));
			return;
		}
		if (is === 'gone' && (verdict === 'notStated' || verdict === 'contradicted')) {
			const why = verdict === 'contradicted' ? { why: LABELS.saysOther } : {};
			this.withdrawn.push({ ...earlierClaim(one), ...why });
			return;
		}
		this.addUnchecked(one, now);
	}

	/** Told once: at once where the page has become another one, else when it is so for the second time. */
	private addUnchecked(one: IndexedStatement, now: StatementNow | undefined): void {
		const reason = this.whyUnchecked(one, now);
		const key = withDetail(reason.why, reason.said);
		const { statements } = this.unchecked.get(key) ?? { statements: 0 };
		this.unchecked.set(key, { ...reason, statements: statements + 1 });
		const missed = (one.missed ?? 0) + 1;
		const isDue = missed > 1 || now?.is === 'replaced';
		if (isDue && one.isMissing !== true) this.newlyMissing += 1;
		const { text, quote, question, source, firstSeen, lastSeen } = one;
		const isMissing = isDue || one.isMissing === true;
		const seen = { question, source, firstSeen, lastSeen, missed, ...(isMissing && { isMissing: true as const }) };
		this.kept.push({ text, quote, ...seen });
	}

	/** To be called at last: what was there before waits for a run that has something to tell. */
	settle(): void {
		if (this.found.known && this.isSilent) this.before.length = 0;
		for (const { claim } of this.before) this.keep(claim, this.found.now);
	}

	private whyUnchecked(
		{ source }: IndexedStatement,
		now: StatementNow | undefined,
	): Omit<UncheckedStatements, 'statements'> {
		if (now?.is === 'replaced') return { why: 'pageReplaced' };
		if (now?.is === 'unproven') return { why: 'pageCut' };
		if (now) return { why: 'notJudged' };
		const key = pageKey(source);
		const said = this.found.unreadReasons.get(key);
		if (said !== undefined) return { why: 'pageFailed', said: said.replace(/\.$/, '') };
		return { why: this.found.visited.has(key) ? 'pageFailed' : 'pageSkipped' };
	}

	private stands({ index }: IndexedStatement): boolean {
		return this.found.statements.get(index)?.quote !== undefined;
	}

	private addNew(claim: NumberedClaim, against?: EarlierClaim): void {
		const one = { claim, ...(against && { against }) };
		if (claim.wasThere) this.before.push(one);
		else {
			this.keep(claim, this.found.now);
			this.fresh.push(one);
		}
	}

	private keep(claim: NumberedClaim, firstSeen: string, text = claim.text): void {
		const { quote, source } = claim;
		const question = this.questions[claim.question - 1] ?? '';
		this.kept.push(knownStatement({ text, quote, source }, { question, firstSeen, lastSeen: this.found.now }));
	}

	private shown(claim: NumberedClaim): ResearchClaim {
		const { text, quote, source, verified } = claim;
		return { text, quote, source, ...linkOf(claim), verified, firstSeen: this.found.now, lastSeen: this.found.now };
	}
}

function earlierClaim({ text, quote, source, firstSeen, lastSeen }: KnownStatement): EarlierClaim {
	return { text, quote: shownQuote(quote), source, firstSeen, lastSeen };
}

const MAX_KNOWN_PAGES = 100;

/** The statements to remember: those that were not found for the longest time make room for others. */
function withinBounds(statements: readonly KnownStatement[], now: string): KnownStatement[] {
	const since = Date.parse(now) - FORGOTTEN_AFTER_MS;
	return statements
		.filter(({ lastSeen }) => !(Date.parse(lastSeen) < since))
		.sort((one, other) => other.lastSeen.localeCompare(one.lastSeen))
		.slice(0, MAX_STATEMENTS);
}

/** The pages to remember: those with statements first, then those that were visited last. */
function pagesWithinBounds({ known, visited }: FoundNow, statements: readonly KnownStatement[]): KnownPage[] {
	const pages = new Map(known?.pages);
	for (const page of visited.values()) pages.set(pageKey(page.url), page);
	const used = new Set(statements.map(({ source }) => pageKey(source)));
	return [...pages]
		.sort(
			([key, one], [other, another]) =>
				Number(used.has(other)) - Number(used.has(key)) || another.visitedAt.localeCompare(one.visitedAt),
		)
		.slice(0, MAX_KNOWN_PAGES)
		.map(([, page]) => page);
}
