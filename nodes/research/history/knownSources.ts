import { keyOf, pageKey } from '../../text/addresses';
import type { KnownPage, ResearchHistory } from '../contract';
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
		for (const one of this.statements) {
			const key = pageKey(one.source);
			this.byPage.set(key, [...(this.byPage.get(key) ?? []), one]);
		}
	}

	statementsOf(key: string): IndexedStatement[] {
		return this.byPage.get(key) ?? [];
	}

	/** Pages to read again, at most so many: those that were not visited for the longest time. */
	longestAgo(most: number): Array<{ key: string; page: KnownPage }> {
		return [...this.pages]
			.map(([key, page]) => ({ key, page }))
			.sort((one, other) => one.page.visitedAt.localeCompare(other.page.visitedAt))
			.slice(0, most);
	}
}

/** Names a sub-question in a history, whatever its number is in the plan. */
export function questionKey(question: string): string {
	return keyOf(question);
}
