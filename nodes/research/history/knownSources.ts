import { keyOf, pageKey } from '../../text/addresses';
import { sentencesOfPages } from '../claims/knownPage';
import type { KnownSentences } from '../claims/knownPage';
import type { KnownPage, ResearchHistory, ResearchPlan } from '../contract/history';
import type { IndexedStatement } from './compareClaims';

/** The pages and statements of earlier runs, as one run uses them. */
export class KnownSources {
	readonly statements: readonly IndexedStatement[];

	/** By their keys. */
	readonly pages: ReadonlyMap<string, KnownPage>;

	private readonly byPage = new Map<string, IndexedStatement[]>();

	constructor(readonly history: ResearchHistory) {
		this.statements = history.statements.map((one, index) => ({ ...one, index }));
		this.pages = new Map(history.pages.map((page) => [pageKey(page.url), page]));
		this.sentences = sentencesOfPages(history.pages);
		for (const one of this.statements) {
			const key = pageKey(one.source);
			this.byPage.set(key, [...(this.byPage.get(key) ?? []), one]);
		}
	}

	/** The sentences of all pages. */
	readonly sentences: KnownSentences;

	statementsOf(key: string): IndexedStatement[] {
		return this.byPage.get(key) ?? [];
	}

	/** Pages to read again: first those that were not visited for the longest time. */
	get longestAgo(): Array<{ key: string; page: KnownPage }> {
		return [...this.pages]
			.map(([key, page]) => ({ key, page }))
			.sort((one, other) => one.page.visitedAt.localeCompare(other.page.visitedAt));
	}
}

/** Names a sub-question in a history, whatever its number is in the plan. */
export function questionKey(question: string): string {
	return keyOf(question);
}

/** A plan to be used again: without years in its queries that the question does not name, since they pass. */
export function withoutYears(plan: ResearchPlan, query: string): ResearchPlan {
	const kept = (year: string) => (query.includes(year) ? year : '');
	const queries = plan.queries.map((one) => one.replace(/(?<!\d)(?:19|20)\d\d(?!\d)/g, kept));
	const clean = queries.map((one) => one.replace(/\s+/g, ' ').trim()).filter((one) => one !== '');
	return { ...plan, queries: clean.length === 0 ? plan.queries : [...new Set(clean)] };
}
