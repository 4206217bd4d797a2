import type { Findings } from './collect';
import type { ResearchQuestion } from './contract/question';
import { reasonsText } from './contract/result';
import type { EndedBy } from './contract/result';
import { closingLists } from './report/showReport';
import type { WrittenReport } from './report/writeReport';
import type { RunState } from './runState';

/** Which limit ended the research, in one sentence. `isList`: the claims are listed instead of a report. */
export function limitText(
	endedBy: Exclude<EndedBy, 'done'>,
	question: ResearchQuestion,
	isList: boolean,
): string {
	const { maxRounds, maxPages, maxCredits, maxTokens, timeLimitMs } = question;
	switch (endedBy) {
		case 'rounds':
			return `All ${maxRounds} rounds of Max Rounds were used before everything was answered.`;
		case 'pages':
			return `All ${maxPages} pages of Max Pages were read before everything was answered.`;
		case 'time':
			return `The time limit of ${timeLimitMs / 1000} s was reached.`;
		case 'tokens':
			return `The limit of ${maxTokens ?? 0} tokens was reached.`;
		case 'credits':
			return maxCredits === undefined
				? 'The account has no credits left.'
				: `The limit of ${maxCredits} credits was reached.`;
		case 'model':
			return isList
				? 'The chat model wrote nothing that could be used, so the claims are listed as they were found.'
				: 'The chat model gave no answer that could be used, so it is not known what is missing.';
	}
}

/** Why there is no result: nothing found, nothing readable, or nothing that holds. */
export function nothingFound(run: RunState): string {
	const { pagesRead, pagesTaken, skipped, unverifiedClaims, searchesAnswered } = run;
	const failed = Object.values(unverifiedClaims).reduce((sum, one) => sum + one, 0);
	if (pagesTaken === 0) {
		return `Nothing was found: ${count(searchesAnswered, 'search', 'searches')} led to no page that may be read.`;
	}
	if (pagesRead === 0) {
		const [first] = skipped;
		const why = first ? ` The first: ${first.reason}` : '';
		return `Nothing could be read: ${count(pagesTaken, 'page')} of ${count(pagesTaken, 'page')} failed.${why}`;
	}
	if (failed > 0) {
		return `Nothing held: ${count(failed, 'statement')} of ${count(pagesRead, 'page')} could not be verified (${reasonsText(unverifiedClaims)}).`;
	}
	return `Nothing answers the question: ${count(pagesRead, 'page')} read, no statement found.`;
}

/** `1 page`, `3 pages` */
export function count(amount: number, one: string, many = `${one}s`): string {
	return `${amount} ${amount === 1 ? one : many}`;
}

/** The report as it is put out: which limit was reached, the text, and what code adds to it. */
export function closingText(
	{ plan, contradictions, unanswered }: Findings,
	{ text, sources, cited }: WrittenReport,
	limit: string | undefined,
): string {
	// What the text names itself is not named again.
	const unnamed = contradictions.filter((group) => group.some(({ number }) => !cited.has(number)));
	const lists = closingLists(unnamed, unanswered, plan.labels, sources);
	const parts = [limit === undefined ? '' : `> **Partial result.** ${limit}`, text, lists];
	return parts.filter((part) => part !== '').join('\n\n');
}
