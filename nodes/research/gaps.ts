import { isRecord, jsonObjects, readNumbers, readTexts } from './model/answers';
import type { ModelCaller } from './model/modelCaller';
import { unansweredOrThrow } from './model/modelFailure';
import { PROMPTS } from './model/prompts';
import { keyOf } from '../text/textKey';
import { cleanQueries, withUserPrompt } from './plan';
import { claimLines } from './report/numberedClaims';
import type { NumberedClaim } from './report/numberedClaims';

const MAX_NEW_QUERIES = 3;
const MAX_CONTRADICTIONS = 20;

/** How far the research has come. */
export interface Gaps {
	/** Numbers of the sub-questions that claims answer, counted from 1. */
	answered: number[];
	/** Numbers of claims that cannot all be true. */
	contradictions: number[][];
	/** What to search for next. Empty: nothing. */
	queries: string[];
}

/** The gaps in an answer: numbers of claims and questions that do not exist are left out. */
export function readGaps(
	text: string,
	claims: readonly NumberedClaim[],
	used: ReadonlySet<string>,
): Gaps | undefined {
	const FIELDS = ['answered', 'contradictions', 'queries'];
	const gaps = jsonObjects(text).find((one) => FIELDS.some((field) => Array.isArray(one[field])));
	if (!gaps) return undefined;
	const numbers = new Set(claims.map(({ number }) => number));
	const known = (list: unknown) =>
		[...new Set(readNumbers(list))].filter((one) => numbers.has(one));
	const answered: unknown[] = Array.isArray(gaps.answered) ? gaps.answered : [];
	const groups: unknown[] = Array.isArray(gaps.contradictions) ? gaps.contradictions : [];
	return {
		answered: answered.flatMap((one) => {
			// A question is answered by claims that exist, or nobody can check that it is.
			if (isRecord(one)) return known(one.claims).length > 0 ? readNumbers([one.question]) : [];
			return readNumbers([one]).filter((number) =>
				claims.some(({ question }) => question === number),
			);
		}),
		contradictions: groups
			.map((group) => known(isRecord(group) ? group.claims : group))
			.filter((group) => group.length > 1)
			.slice(0, MAX_CONTRADICTIONS),
		queries: cleanQueries(readTexts(gaps.queries), used).slice(0, MAX_NEW_QUERIES),
	};
}

export interface GapsTask {
	query: string;
	systemPrompt: string;
	subQuestions: readonly string[];
	claims: readonly NumberedClaim[];
	/** Queries that were sent, in small letters. */
	used: ReadonlySet<string>;
}

/**
 * Asks what is answered, what contradicts what, and what to search for next. It sees claims, never pages.
 * Undefined where the model gives no answer that can be used. Throws LimitReached and ResearchFailure.
 */
export async function findGaps(task: GapsTask, model: ModelCaller): Promise<Gaps | undefined> {
	const { query, subQuestions, claims, used } = task;
	const lines = claims.length === 0 ? 'None.' : claimLines(claims);
	const user = [
		`The question: ${query}`,
		...subQuestions.map((one, index) => `${index + 1}. ${one}`),
		`\nSearches that were made:\n${[...used].join('\n')}`,
		`\nThe claims:\n${model.asData(lines)}`,
	].join('\n');
	const system = withUserPrompt(PROMPTS.gaps, task.systemPrompt);
	const step = `gaps ${keyOf([system, ...used, ...subQuestions, lines].join('\n'))}`;
	try {
		return await model.askFor({ step, role: 'main', system, user }, (text) =>
			readGaps(text, claims, used),
		);
	} catch (error) {
		unansweredOrThrow(error);
		return undefined;
	}
}
