import { termsOf } from '../../text/terms.ts';

type Verdict = 'supported' | 'contradicted' | 'not stated';

/** So many of a statement's words must stand in its passage. */
const ENOUGH_SHARE = 0.6;

/** Words that turn a statement around, in the languages of the sandbox's pages. */
const NEGATION =
	/(?<!\p{L})(?:no|not|never|none|neither|without|cannot|\p{L}+n['’]t|nicht|kein\p{L}*|nie|ohne|pas|jamais|aucune?|nunca|sin)(?!\p{L})/giu;

/** A pair in the data of a prompt: `3. Statement: …`, and on the next line `Passage: …`. */
const PAIR = /^(\d+)\. Statement: (.*)\nPassage: (.*)$/gm;

/**
 * Judges pairs of statement and passage by the words they share and by their negations. It is no language model: it
 * does not know who does what to whom.
 */
export function judgePairs(data: readonly string[]): {
	verdicts: Array<{ pair: number; verdict: Verdict }>;
} {
	const pairs = [...data.join('\n').matchAll(PAIR)];
	return {
		verdicts: pairs.map(([, number, statement = '', passage = '']) => ({
			pair: Number(number),
			verdict: judgeOne(statement, passage),
		})),
	};
}

function judgeOne(statement: string, passage: string): Verdict {
	const held = new Set(termsOf(passage));
	const wanted = [...new Set(termsOf(statement))];
	const shared = wanted.filter((word) => held.has(word)).length;
	if (wanted.length === 0 || shared / wanted.length < ENOUGH_SHARE) return 'not stated';
	const denies = (statement.match(NEGATION) ?? []).length > 0;
	// Of a passage, the sentence that shares most words with the statement counts.
	const [nearest = passage] = passage
		.split(/(?<=[.!?])\s+/)
		.map((sentence) => {
			const words = new Set(termsOf(sentence));
			return { sentence, score: wanted.filter((word) => words.has(word)).length };
		})
		.sort((one, other) => other.score - one.score)
		.map(({ sentence }) => sentence);
	const isDenied = (nearest.match(NEGATION) ?? []).length > 0;
	return denies === isDenied ? 'supported' : 'contradicted';
}
