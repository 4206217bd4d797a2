import { termsOf } from '../../text/terms.ts';
import type { NumberedLine } from './promptParts.ts';

const ENOUGH_WORDS = 2;
const MAX_QUERIES = 3;
/** Two claims that share so many of their words are about the same. */
const SAME_SHARE = 0.7;

function wordsOf(text: string): string[] {
	return [...new Set(termsOf(text))].filter((term) => !/\d/.test(term));
}

function figuresOf(text: string): Set<string> {
	return new Set(text.match(/\d[\d.,]*\d|\d/g) ?? []);
}

/** True for claims with the same words and other figures. */
function areOpposed(left: string, right: string): boolean {
	const [one, other] = [wordsOf(left), wordsOf(right)];
	const shared = one.filter((word) => other.includes(word)).length;
	if (shared / Math.max(1, one.length, other.length) < SAME_SHARE) return false;
	const [figures, others] = [figuresOf(left), figuresOf(right)];
	if (figures.size === 0 || others.size === 0) return false;
	return ![...figures].some((figure) => others.has(figure));
}

/** Which questions the claims answer, which of them cannot all be true, and what to search for next. */
export function judgeClaims(
	questions: readonly NumberedLine[],
	claims: readonly NumberedLine[],
): { answered: object[]; contradictions: number[][]; queries: string[] } {
	const judged = questions.map(({ number, text }) => {
		const wanted = wordsOf(text);
		const fitting = claims.filter((claim) => {
			const words = wordsOf(claim.text);
			const shared = wanted.filter((word) => words.includes(word)).length;
			return shared >= Math.min(ENOUGH_WORDS, wanted.length);
		});
		return { number, text, claims: fitting.map((claim) => claim.number) };
	});
	const answered = judged.filter((one) => one.claims.length > 0);
	const open = judged.filter((one) => one.claims.length === 0);
	const contradictions = claims.flatMap((left, index) =>
		claims
			.slice(index + 1)
			.filter((right) => areOpposed(left.text, right.text))
			.map((right) => [left.number, right.number]),
	);
	return {
		answered: answered.map((one) => ({ question: one.number, claims: one.claims })),
		contradictions,
		queries: open.slice(0, MAX_QUERIES).map(({ text }) => wordsOf(text).join(' ')),
	};
}
