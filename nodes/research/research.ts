import { ResearchFailure } from './contract/failure';
import type { ResearchParts } from './contract/parts';
import type { ResearchQuestion } from './contract/question';
import type { ResearchResult } from './contract/result';

/**
 * Answers a question from web pages: plan, search, read, verify, write, check. A limit gives a partial
 * result that names it. The same call with the same notes continues where the last one ended, and pays
 * for no step twice.
 * Throws ResearchFailure, and what `search` throws when nothing could be searched or read.
 */
export async function research(
	question: ResearchQuestion,
	parts: ResearchParts,
): Promise<ResearchResult> {
	await parts.clock.sleep(0);
	throw new ResearchFailure('question', `Not researched yet: ${question.query}`);
}
