import type { SearchResult } from './contract/parts';
import { isRecord } from './model/answers';
import { LimitReached } from './model/budget';
import { isOutOfCredits, reasonText } from './runState';
import type { RunState } from './runState';
import { oneLine } from './select';

/** Most results of one search that are looked at. */
const MAX_RESULTS = 30;

function readResults(value: unknown): SearchResult[] {
	if (!Array.isArray(value)) return [];
	const text = (one: unknown) => (typeof one === 'string' ? oneLine(one) : '');
	return value.slice(0, MAX_RESULTS).flatMap((one: unknown) => {
		if (!isRecord(one) || typeof one.url !== 'string' || one.url.length > 2000) return [];
		return [{ url: one.url, title: text(one.title), description: text(one.description) }];
	});
}

/** The results of one search; from the notes where it was made before. */
async function searchOnce(run: RunState, query: string): Promise<SearchResult[]> {
	const { parts, budget, question, phases } = run;
	const step = `search ${query}`;
	const noted = parts.notes.read(step);
	if (isRecord(noted)) return readResults(noted.results);
	const search = async () => {
		// A search without a page to read brings nothing.
		const { searchCredits, leastPageCredits } = question;
		await budget.reserveCredits(searchCredits, searchCredits, leastPageCredits);
		const answer = await parts.search(query).catch((error: unknown) => {
			budget.failCredits(question.searchCredits, error);
			throw error;
		});
		budget.settleCredits(question.searchCredits, answer.creditsUsed);
		const results = readResults(answer.results);
		parts.notes.write(step, { results });
		return results;
	};
	return await phases.race(search, phases.reading);
}

/** Makes the searches side by side and adds what they find to the pool. Throws ResearchFailure. */
export async function searchWeb(run: RunState, queries: readonly string[]): Promise<void> {
	const found = await Promise.all(
		queries.map(async (query) => {
			run.used.add(query.toLowerCase());
			run.log('search', 'processing', `Searching: ${query}`);
			try {
				const results = await searchOnce(run, query);
				run.searchesAnswered += 1;
				run.log('search', 'complete', `${results.length} results: ${query}`);
				return results;
			} catch (error) {
				failed(run, query, error);
				return [];
			}
		}),
	);
	for (const results of found) run.pool.add(results);
}

function failed(run: RunState, query: string, error: unknown): void {
	run.phases.throwIfStopped();
	if (error instanceof LimitReached) return run.keepLimit(error);
	run.searchError ??= error;
	if (isOutOfCredits(error)) run.limit ??= 'credits';
	run.warnings.push(`The search "${query}" failed: ${reasonText(error)}`);
	run.log('search', 'error', `${query}: ${reasonText(error)}`);
}
